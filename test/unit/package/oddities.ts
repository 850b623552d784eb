/** What somebody may give by mistake, or on purpose, by what it is called. A fresh one each time. */
export const oddities: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  zero: () => 0,
  negative: () => -1,
  huge: () => 1e21,
  nan: () => Number.NaN,
  infinity: () => Number.POSITIVE_INFINITY,
  bigint: () => 12n,
  true: () => true,
  empty: () => "",
  text: () => marker,
  symbol: () => Symbol(marker),
  function: () => () => undefined,
  list: () => [],
  "list of odd": () => [Symbol("s"), undefined],
  object: () => ({}),
  bare: () => Object.create(null),
  date: () => new Date(Number.NaN),
  map: () => new Map([["uid", "alice"]]),
  instance: () => new Thing(),
  promise: () => Promise.resolve({ uid: "alice" }),
  circular: () => {
    const ring: Record<string, unknown> = {};
    ring.ring = ring;
    return ring;
  },
  hostile: () =>
    new Proxy(
      {},
      { get: refuse, has: refuse, ownKeys: refuse, getPrototypeOf: refuse, getOwnPropertyDescriptor: refuse },
    ),
};

/** Stands for a secret that was put in the wrong place: no error may say it. */
export const marker = "hunter2-in-the-wrong-place";

class Thing {
  get name(): string {
    throw new RangeError("no name");
  }
}

function refuse(): never {
  throw new TypeError("hands off");
}

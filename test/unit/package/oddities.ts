/** Wrong values, accidental or malicious, by name. A fresh one each time. */
export const oddities: Readonly<Record<string, () => unknown>> = {
  null: () => null,
  nan: () => Number.NaN,
  text: () => marker,
  symbol: () => Symbol(marker),
  hostile: () =>
    new Proxy(
      {},
      { get: refuse, has: refuse, ownKeys: refuse, getPrototypeOf: refuse, getOwnPropertyDescriptor: refuse },
    ),
};

/** Stands for a misplaced secret: no error may contain it. */
export const marker = "hunter2-in-the-wrong-place";

function refuse(): never {
  throw new TypeError("hands off");
}

/** What somebody may give by mistake, or on purpose, by what it is called. A fresh one each time. */
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

/** Stands for a secret that was put in the wrong place: no error may say it. */
export const marker = "hunter2-in-the-wrong-place";

function refuse(): never {
  throw new TypeError("hands off");
}

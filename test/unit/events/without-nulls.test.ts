import { describe, expect, it } from "vitest";
import { withoutNulls } from "../../../lib/events/without-nulls.ts";

const nest = (depth: number, inner: unknown): unknown =>
  depth === 0 ? inner : { a: nest(depth - 1, inner) };

describe("withoutNulls", () => {
  it("drops fields that are null, and keeps items of lists", () => {
    expect(
      withoutNulls({ a: null, b: 1, c: { d: null }, e: [null, { f: null, g: 0 }, "", false] }),
    ).toStrictEqual({
      b: 1,
      c: {},
      e: [null, { g: 0 }, "", false],
    });
  });

  it.each([7, "text", null, undefined, new Date(0), [1, { a: [] }], { a: { b: [1, "x"] } }])(
    "returns the same value if it has none: %j",
    (value) => {
      expect(withoutNulls(value)).toBe(value);
    },
  );

  it("keeps what did not change as the same value", () => {
    const same = { b: [1] };

    expect(withoutNulls({ same, list: [same, { a: null }], gone: null })).toStrictEqual({
      same,
      list: [same, {}],
    });
    expect(Object(withoutNulls({ same, gone: null })).same).toBe(same);
  });

  it.each(["metadata", "customData", "variables", "content"])(
    "does not change the customer's object %s",
    (name) => {
      const value = { [name]: { a: null }, gone: null };

      expect(withoutNulls(value)).toStrictEqual({ [name]: { a: null } });
      expect(withoutNulls({ [name]: null })).toStrictEqual({});
    },
  );

  it.each(["members", "users", "mentions"])("keeps the names of the map %s", (name) => {
    expect(withoutNulls({ [name]: { ann: null, bob: { uid: null } } })).toStrictEqual({
      [name]: { ann: {}, bob: {} },
    });
  });

  it("looks 32 objects deep", () => {
    expect(withoutNulls(nest(32, { gone: null }))).toStrictEqual(nest(32, {}));
    expect(withoutNulls(nest(33, { gone: null }))).toStrictEqual(nest(33, { gone: null }));
    expect(withoutNulls([nest(31, { gone: null })])).toStrictEqual([nest(31, {})]);
    expect(withoutNulls([nest(32, { gone: null })])).toStrictEqual([nest(32, { gone: null })]);
  });
});

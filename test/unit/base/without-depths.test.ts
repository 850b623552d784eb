import { describe, expect, it } from "vitest";
import { withoutDepths } from "../../../lib/base/json.ts";

describe("withoutDepths", () => {
  const nest = (levels: number): unknown =>
    JSON.parse(`${'{"a":['.repeat(levels / 2)}1${"]}".repeat(levels / 2)}`);

  it("returns a shallow value unchanged", () => {
    const value = { list: [null, 1, "x", { a: false }], nested: nest(60) };

    expect(withoutDepths(value, 64)).toBe(value);
  });

  it("omits deeper values only", () => {
    const value = JSON.parse('{"__proto__":{"a":1},"list":[null,1]}');

    const copy = withoutDepths({ ...value, text: "hi", nested: nest(100_000) }, 64);

    expect(JSON.stringify(copy).match(/[[{]/g)).toHaveLength(2 + 64);
    expect(copy).toMatchObject({ list: [null, 1], text: "hi" });
  });
});

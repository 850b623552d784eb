import { describe, expect, it } from "vitest";
import { causesOf, readField } from "../../../lib/base/errors.ts";

describe("causesOf", () => {
  it("ends at a value that is not an error", () => {
    const inner = new TypeError("inner", { cause: "a text" });
    const outer = new Error("outer", { cause: inner });

    expect(causesOf(outer)).toEqual([outer, inner]);
    expect(causesOf("a text")).toEqual([]);
  });

  it("lists a cyclic chain once, and at most ten errors of a longer one", () => {
    const inner = new Error("inner");
    const outer = new Error("outer", { cause: inner });
    inner.cause = outer;
    const long = Array.from({ length: 20 }).reduce<Error>((cause) => new Error("long", { cause }), inner);

    expect(causesOf(outer)).toEqual([outer, inner]);
    expect(causesOf(long)).toHaveLength(10);
  });

  it("ends at an unreadable object", () => {
    const refuse = () => expect.fail("unreadable");
    const hiding = new Proxy(new Error("hidden"), { get: refuse, getPrototypeOf: refuse });

    expect(causesOf(hiding)).toEqual([]);
    expect(causesOf(new Error("outer", { cause: hiding }))).toHaveLength(1);
  });
});

describe("readField", () => {
  it.each([null, undefined, "text", () => 1])("reads nothing from %s", (value) => {
    expect(readField(value, "length", "unreadable")).toBeUndefined();
  });

  it("reads a field, and reports if it cannot", () => {
    const error = {
      code: 7,
      get broken() {
        throw new Error("no");
      },
    };

    expect(readField(error, "code", "unreadable")).toBe(7);
    expect(readField(error, "broken", "unreadable")).toBe("unreadable");
    expect(readField(error, "broken")).toBeUndefined();
  });
});

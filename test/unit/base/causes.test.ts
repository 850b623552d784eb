import { describe, expect, it } from "vitest";
import { causesOf, readField } from "../../../lib/base/causes.ts";

describe("causesOf", () => {
  it("ends at what is no error", () => {
    const inner = new TypeError("inner", { cause: "a text" });
    const outer = new Error("outer", { cause: inner });

    expect(causesOf(outer)).toEqual([outer, inner]);
    expect(causesOf("a text")).toEqual([]);
  });

  it("has ten errors of a cyclic chain", () => {
    const error = new Error("cyclic");
    error.cause = error;

    expect(causesOf(error)).toEqual(Array.from({ length: 10 }, () => error));
  });
});

describe("readField", () => {
  it.each([null, undefined, "text", () => 1])("reads nothing of %s", (value) => {
    expect(readField(value, "length", "unreadable")).toBeUndefined();
  });

  it("reads a field, and says if it cannot", () => {
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

import { describe, expect, it } from "vitest";
import { ItemValueError, readAttributes, toAttributes } from "../../../lib/aws/attribute-values.ts";

describe("toAttributes", () => {
  it("writes each value under the name of its type", () => {
    const item = {
      text: "é",
      empty: "",
      number: -1.5,
      yes: true,
      no: false,
      nothing: null,
      bytes: new Uint8Array([1, 2]),
      list: ["a", 1, [null]],
      map: { inner: { deep: "b" }, none: undefined },
      none: undefined,
    };

    expect(toAttributes(item)).toEqual({
      text: { S: "é" },
      empty: { S: "" },
      number: { N: "-1.5" },
      yes: { BOOL: true },
      no: { BOOL: false },
      nothing: { NULL: true },
      bytes: { B: "AQI=" },
      list: { L: [{ S: "a" }, { N: "1" }, { L: [{ NULL: true }] }] },
      map: { M: { inner: { M: { deep: { S: "b" } } } } },
    });
  });

  it("leaves undefined out of lists, too", () => {
    expect(toAttributes({ list: [undefined, 1] })).toEqual({ list: { L: [{ N: "1" }] } });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])("refuses %s, wherever it is", (number) => {
    expect(() => toAttributes({ map: { list: [number] } })).toThrow(ItemValueError);
    expect(() => toAttributes({ number })).toThrow("A table cannot hold a number that is not finite.");
  });
});

describe("readAttributes", () => {
  it("reads what was written", () => {
    const attributes = {
      text: { S: "é" },
      number: { N: "-1.5" },
      yes: { BOOL: true },
      no: { BOOL: false },
      nothing: { NULL: true },
      bytes: { B: "AQI=" },
      list: { L: [{ S: "a" }, { L: [] }] },
      map: { M: { deep: { M: {} } } },
    };

    const item = readAttributes(attributes);

    expect(item).toEqual({
      text: "é",
      number: -1.5,
      yes: true,
      no: false,
      nothing: null,
      bytes: Buffer.from([1, 2]),
      list: ["a", []],
      map: { deep: {} },
    });
    expect(toAttributes(item)).toEqual(attributes);
  });

  it.each([
    ["a text that is none", { S: 1 }, "S"],
    ["a number that is no text", { N: 1 }, "N"],
    ["a truth that is none", { BOOL: "true" }, "BOOL"],
    ["bytes that are no text", { B: 1 }, "B"],
    ["a list that is none", { L: "[]" }, "L"],
    ["a set", { SS: ["a"] }, "SS"],
    ["no type", {}, "undefined"],
    ["no attribute", "a", "undefined"],
    ["nothing", null, "undefined"],
  ])("refuses %s, and names its type", (_case, attribute, type) => {
    const reading = () => readAttributes({ a: attribute });

    expect(reading).toThrow(ItemValueError);
    expect(reading).toThrow(`The table gave a value of type ${type}, which is not used here.`);
  });

  it.each([undefined, null, "text", [], 1])("refuses an item that is none: %j", (item) => {
    expect(() => readAttributes(item)).toThrow("The table gave no item where one belongs.");
    expect(() => readAttributes({ a: { M: item } })).toThrow(ItemValueError);
  });
});

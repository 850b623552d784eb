import { describe, expect, it } from "vitest";
import { ItemValueError, readAttributes, toAttributes } from "../../../lib/aws/table.ts";

describe("toAttributes", () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY])("refuses %s at any depth", (number) => {
    expect(() => toAttributes({ map: { list: [number] } })).toThrow(ItemValueError);
    expect(() => toAttributes({ number })).toThrow("A table cannot hold a number that is not finite.");
  });
});

describe("readAttributes", () => {
  it.each([
    ["an invalid text", { S: 1 }, "S"],
    ["a number that is no text", { N: 1 }, "N"],
    ["an invalid boolean", { BOOL: "true" }, "BOOL"],
    ["bytes that are no text", { B: 1 }, "B"],
    ["an invalid list", { L: "[]" }, "L"],
    ["a set", { SS: ["a"] }, "SS"],
    ["no type", {}, "undefined"],
    ["no attribute", "a", "undefined"],
    ["nothing", null, "undefined"],
  ])("refuses %s, and names its type", (_case, attribute, type) => {
    const reading = () => readAttributes({ a: attribute });

    expect(reading).toThrow(ItemValueError);
    expect(reading).toThrow(`The table gave a value of type ${type}, which is not used here.`);
  });

  it.each([undefined, null, "text", [], 1])("refuses an invalid item: %j", (item) => {
    expect(() => readAttributes(item)).toThrow("The table gave no item where one belongs.");
    expect(() => readAttributes({ a: { M: item } })).toThrow(ItemValueError);
  });
});

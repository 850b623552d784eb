import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import {
  anyObject,
  filledText,
  flag,
  id,
  listOf,
  mapByUid,
  number,
  open,
  optional,
  orEmpty,
  shortText,
  text,
  time,
} from "../../../lib/events/scalars.ts";

const read = (schema: z.core.$ZodType, value: unknown) => {
  const result = z.safeParse(schema, value);
  return result.success ? { read: result.data } : { refused: result.error.issues.map((one) => one.message) };
};

describe("a field of an event", () => {
  it.each<readonly [string, z.core.$ZodType, string, readonly (readonly [unknown, unknown])[]]>([
    [
      "id",
      id,
      "an id (text)",
      [
        ["a", "a"],
        ["x".repeat(500), "x".repeat(500)],
        [7, "7"],
        [2 ** 53 - 1, "9007199254740991"],
      ],
    ],
    [
      "text",
      text,
      "text",
      [
        ["", ""],
        ["a", "a"],
        [0.5, "0.5"],
      ],
    ],
    [
      "short text",
      shortText,
      "text of at most 1,000 characters",
      [
        ["", ""],
        ["x".repeat(1000), "x".repeat(1000)],
      ],
    ],
    ["filled text", filledText, "text that is not empty", [["a", "a"]]],
    [
      "number",
      number,
      "a number or its digits",
      [
        ["350.2", 350.2],
        ["-7", -7],
        [0, 0],
      ],
    ],
    [
      "flag",
      flag,
      "true or false",
      [
        [true, true],
        [1, true],
        ["true", true],
        ["1", true],
        [false, false],
        [0, false],
        ["false", false],
        ["0", false],
      ],
    ],
    ["moment", time, "a moment", [[1_795_176_000, new Date("2026-11-20T12:00:00Z")]]],
    [
      "object",
      anyObject,
      "an object",
      [
        [{ a: 1 }, { a: 1 }],
        [[], {}],
      ],
    ],
  ])("is read as %s", (_kind, schema, _expected, values) => {
    for (const [value, expected] of values) expect(read(schema, value)).toStrictEqual({ read: expected });
  });

  it.each<readonly [z.core.$ZodType, string, readonly unknown[]]>([
    [id, "an id (text)", ["", "x".repeat(501), 2 ** 53, 0.5, true, null, undefined]],
    [text, "text", [true, null, {}]],
    [shortText, "text of at most 1,000 characters", ["x".repeat(1001), 7]],
    [filledText, "text that is not empty", ["", 7]],
    [
      number,
      "a number or its digits",
      ["", "1e3", "a1", "1a", "1.", Number.NaN, Number.POSITIVE_INFINITY, true],
    ],
    [flag, "true or false", ["", "yes", "TRUE", 2, -1, "2", null, []]],
    [time, "a moment", ["soon", 7]],
    [anyObject, "an object", [[1], "x", null]],
    [listOf(id), "a list", ["x", null, { length: 1 }, { 0: "a", b: "c" }]],
    [mapByUid(anyObject), "a map of uid and user", ["x", null, 7]],
  ])("refuses values of another kind, %#: %s", (schema, expected, values) => {
    for (const value of values) expect(read(schema, value)).toStrictEqual({ refused: [expected] });
  });

  it("counts as absent if it cannot be read and is not needed", () => {
    expect(read(open({ at: optional(time), id }), { at: "soon", id: "a" })).toStrictEqual({
      read: { at: undefined, id: "a" },
    });
    expect(read(open({ inner: orEmpty(open({ id: optional(id) })) }), { inner: "x" })).toStrictEqual({
      read: { inner: {} },
    });
  });
});

it.each([
  ["unchanged", ["a", "b"], ["a", "b"]],
  ["without invalid items", ["a", null, {}, "b"], ["a", "b"]],
  ["with gaps, as an object", { 0: "a", 10: "b" }, ["a", "b"]],
  ["that is empty", {}, []],
])("a list of an event is read %s", (_how, value, expected) => {
  expect(read(listOf(id), value)).toStrictEqual({ read: expected });
});

const person = open({ name: text });

it.each([
  ["a map", { ann: { name: "Ann" }, bob: { name: "Bob" } }],
  ["a map with an invalid item", { ann: { name: "Ann" }, eve: 7, bob: { name: "Bob" } }],
  ["a list", [{ uid: "ann", name: "Ann" }, 7, { uid: 8, name: "Eve" }, { uid: "bob", name: "Bob" }]],
])("a map of users is read from %s", (_form, value) => {
  const result = read(mapByUid(person), value);

  expect(result).toMatchObject({ read: { ann: { name: "Ann" }, bob: { name: "Bob" } } });
  expect(Object.keys(Object(result).read)).toEqual(["ann", "bob"]);
});

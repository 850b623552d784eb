import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { aFunctionGiven, aLogGiven, anObjectWith, checkCall } from "../../../lib/chat/check-call.ts";

type Schema = Parameters<typeof checkCall>[2];

const strict = z.strictObject({ file: z.string(), limit: z.optional(z.number()) });
const saysOf = (schema: Schema, value: unknown) => () => checkCall("open", "options", schema, value);

describe("checkCall", () => {
  it.each([{ file: "a" }, { file: "a", limit: 1 }, { file: "a", limit: undefined }])(
    "accepts %j",
    (value) => {
      expect(saysOf(strict, value)).not.toThrow();
    },
  );

  it.each([
    [undefined, 'Cannot call open: "options" is missing; it must be of type object.'],
    [null, 'Cannot call open: "options" must be of type object, not null.'],
    [["a"], 'Cannot call open: "options" must be of type object, not array.'],
    [{}, 'Cannot call open: "file" is missing; it must be of type string.'],
    [{ file: 7 }, 'Cannot call open: "file" must be of type string, not number.'],
    // The misspelled name is reported before the missing one.
    [{ filee: "a" }, 'Cannot call open: "filee" must be called file.'],
    [
      { file: "a", colour: "red" },
      'Cannot call open: "colour" must be left out: there is no such option. It takes { file, limit }.',
    ],
  ])("refuses %j with the reason", (value, message) => {
    expect(saysOf(strict, value)).toThrow(expect.objectContaining({ message }));
  });

  it("refuses a value that throws when it is read", () => {
    const ownKeys = () => {
      throw new Error("not yours");
    };

    expect(saysOf(strict, new Proxy({}, { ownKeys }))).toThrow(
      expect.objectContaining({ name: "InvalidInputError", field: "options" }),
    );
  });

  it.each([
    ["a loose object", z.looseObject({ file: z.string() })],
    ["a stripping object", z.object({ file: z.string() })],
    ["a union", z.union([z.object({ file: z.string() }), z.object({ url: z.string() })])],
  ])("checks for unknown names only with a strict object: %s", (_which, schema) => {
    expect(saysOf(schema, { file: "a", fiel: "b" })).not.toThrow();
  });
});

describe("the schemas of given values", () => {
  const fine = { debug() {}, info() {}, warn() {}, error() {} };

  it.each([
    ["aFunctionGiven", aFunctionGiven(), () => 1],
    ["aLogGiven", aLogGiven(), console],
    ["aLogGiven", aLogGiven(), fine],
    ["aLogGiven", aLogGiven(), Object.assign(() => 1, fine)],
    ["anObjectWith", anObjectWith("a list", "push"), []],
  ])("%s accepts a valid value", (_name, schema, value) => {
    expect(saysOf(schema, value)).not.toThrow();
  });

  const log = "an object with the functions debug, info, warn and error, such as console";

  it.each<[string, Schema, string, unknown]>([
    ["aFunctionGiven", aFunctionGiven(), "a function", "x"],
    ["aFunctionGiven", aFunctionGiven(), "a function", { call() {} }],
    ["aLogGiven", aLogGiven(), log, { ...fine, debug: "no function" }],
    ["aLogGiven", aLogGiven(), log, { ...fine, info: undefined }],
    ["aLogGiven", aLogGiven(), log, { ...fine, warn: null }],
    ["aLogGiven", aLogGiven(), log, { ...fine, error: 1 }],
    ["aLogGiven", aLogGiven(), log, undefined],
    ["anObjectWith", anObjectWith("a text of its kind", "at"), "a text of its kind", "text"],
  ])("%s refuses any other value, and names the rule", (_name, schema, rule, value) => {
    expect(saysOf(schema, value)).toThrow(expect.objectContaining({ field: "options", rule }));
  });
});

import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { aFunctionGiven, aLogGiven, anObjectWith, checkCall } from "../../../lib/chat/check-call.ts";

type Schema = Parameters<typeof checkCall>[2];

const strict = z.strictObject({ file: z.string(), limit: z.optional(z.number()) });
const saysOf = (schema: Schema, value: unknown) => () => checkCall("open", "options", schema, value);

describe("checkCall", () => {
  it.each([{ file: "a" }, { file: "a", limit: 1 }, { file: "a", limit: undefined }])("takes %j", (value) => {
    expect(saysOf(strict, value)).not.toThrow();
  });

  it.each([
    [undefined, 'Cannot call open: "options" is missing; it must be of type object.'],
    [null, 'Cannot call open: "options" must be of type object, not null.'],
    [["a"], 'Cannot call open: "options" must be of type object, not array.'],
    [{}, 'Cannot call open: "file" is missing; it must be of type string.'],
    [{ file: 7 }, 'Cannot call open: "file" must be of type string, not number.'],
    // Said first: what is missing is there, misspelled.
    [{ filee: "a" }, 'Cannot call open: "filee" must be called file.'],
    [
      { file: "a", colour: "red" },
      'Cannot call open: "colour" must be left out: there is no such option. It takes { file, limit }.',
    ],
  ])("refuses %j and says why", (value, message) => {
    expect(saysOf(strict, value)).toThrow(expect.objectContaining({ message }));
  });

  it("refuses what cannot be looked at", () => {
    const ownKeys = () => {
      throw new Error("not yours");
    };

    expect(saysOf(strict, new Proxy({}, { ownKeys }))).toThrow(
      expect.objectContaining({ name: "InvalidInputError", field: "options" }),
    );
  });

  it.each([
    ["one that takes others as they are", z.looseObject({ file: z.string() })],
    ["one that leaves others out", z.object({ file: z.string() })],
    ["one that is a choice", z.union([z.object({ file: z.string() }), z.object({ url: z.string() })])],
  ])("looks for no stray names with a schema that is no strict object: %s", (_which, schema) => {
    expect(saysOf(schema, { file: "a", fiel: "b" })).not.toThrow();
  });
});

describe("the schemas of what is given", () => {
  const fine = { debug() {}, info() {}, warn() {}, error() {} };

  it.each([
    ["aFunctionGiven", aFunctionGiven(), () => 1],
    ["aLogGiven", aLogGiven(), console],
    ["aLogGiven", aLogGiven(), fine],
    ["aLogGiven", aLogGiven(), Object.assign(() => 1, fine)],
    ["anObjectWith", anObjectWith("a list", "push"), []],
  ])("%s takes what is of its kind", (_name, schema, value) => {
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
  ])("%s refuses all else, and says the rule", (_name, schema, rule, value) => {
    expect(saysOf(schema, value)).toThrow(expect.objectContaining({ field: "options", rule }));
  });
});

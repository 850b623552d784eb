import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importAll } from "../../../lib/chat/import-all.ts";
import { runs } from "../../helpers/property-runs.ts";

describe("importAll", () => {
  it("sends every entity once, at most 50 at a time", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 400 }), async (numbers) => {
        const sent: string[] = [];
        const outcome = await importAll(numbers, {
          keyOf: String,
          send: async (chunk) => {
            expect(Object.keys(chunk).length).toBeLessThanOrEqual(50);
            sent.push(...Object.keys(chunk));
            return Object.fromEntries(Object.keys(chunk).map((key) => [key, { success: true }]));
          },
        });
        expect(sent.toSorted()).toEqual(numbers.map(String).toSorted());
        expect(outcome.imported).toBe(numbers.length);
      }),
      runs(),
    );
  });

  it("collects the failed ones and those the answer leaves out, and goes on", async () => {
    const progress: unknown[] = [];

    const outcome = await importAll(["a", "b", "c"], {
      keyOf: (key) => key,
      send: async () => ({ a: { success: true }, b: { success: false, message: "no" } }),
      onProgress: (state) => progress.push(state),
    });

    expect(outcome).toMatchObject({ imported: 1, failed: { b: { message: "no" }, c: { success: false } } });
    expect(progress).toEqual([{ done: 3, failed: 2 }]);
  });

  it("sends ids that are called as what every object has, and misses their results", async () => {
    const sent: string[] = [];
    const keys = ["__proto__", "constructor"];

    const outcome = await importAll(keys, {
      keyOf: (key) => key,
      send: async (chunk) => {
        sent.push(...Object.keys(chunk));
        return {};
      },
    });

    expect(sent).toEqual(keys);
    expect(Object.values(outcome.failed)).toEqual(
      keys.map(() => ({ success: false, message: "The answer does not mention it." })),
    );
  });

  it.each([
    ["no entities", [undefined, { keyOf: String, send: async () => ({}) }], "entities"],
    ["one text", ["abc", { keyOf: String, send: async () => ({}) }], "entities"],
    ["no options", [[1]], "options"],
    ["no keyOf", [[1], { send: async () => ({}) }], "keyOf"],
    ["an odd onProgress", [[], { keyOf: String, send: async () => ({}), onProgress: 1 }], "onProgress"],
  ])("refuses %s", async (_, args, field) => {
    const importing = Reflect.apply(importAll, undefined, args);

    await expect(importing).rejects.toMatchObject({ name: "InvalidInputError", field });
  });

  it.each<[string, object, string]>([
    ["a key that is no text", { keyOf: () => 7 }, "keyOf"],
    ["no key", { keyOf: () => undefined }, "keyOf"],
    ["an empty key", { keyOf: () => "" }, "keyOf"],
    ["no results", { send: async () => undefined }, "send"],
    ["a list for results", { send: async () => [] }, "send"],
  ])("says what is wrong with functions that give %s", async (_, wrong, field) => {
    const fine = { keyOf: (key: string) => key, send: async () => ({}) };

    await expect(importAll(["a"], { ...fine, ...wrong })).rejects.toMatchObject({
      name: "InvalidInputError",
      field,
    });
  });
});

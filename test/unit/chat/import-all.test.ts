import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ItemResult } from "../../../lib/chat/answers.ts";
import { ChatApiError, ChatUnreachableError, InvalidInputError } from "../../../lib/chat/errors.ts";
import { importAll } from "../../../lib/chat/import-all.ts";
import { runs } from "../../helpers/property-runs.ts";

describe("importAll", () => {
  it("sends every key once, at most 50 at a time", async () => {
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
        const keys = new Set(numbers.map(String));
        expect(sent.toSorted()).toEqual([...keys].toSorted());
        expect(outcome.imported).toBe(keys.size);
        expect(Object.keys(outcome.failed)).toHaveLength(numbers.length - keys.size);
      }),
      runs(),
    );
  });

  it("reports failed keys and keys without a result, and continues", async () => {
    const progress: unknown[] = [];

    const outcome = await importAll(["a", "b", "c"], {
      keyOf: (key) => key,
      send: async () => ({ a: { success: true }, b: { success: false, message: "no" } }),
      onProgress: (state) => progress.push(state),
    });

    expect(outcome).toMatchObject({
      imported: 1,
      failed: { b: { message: "no", index: 1 }, c: { success: false, index: 2 } },
    });
    expect(progress).toEqual([{ done: 3, failed: 2 }]);
  });

  it("returns code and message of each failed row, for every cause", async () => {
    const refused = { success: false, error: { code: "ERR_UID_ALREADY_EXISTS", message: "It is taken." } };
    const results: Record<string, ItemResult> = {
      taken: refused,
      worded: { ...refused, message: "Taken." },
      silent: { success: false },
      odd: { success: false, error: { code: 7, message: null } },
    };
    const send = async (chunk: Record<string, string>) => {
      if ("thrown" in chunk) throw new InvalidInputError("importUsers", "users.thrown.name", "a text");
      if ("foreign" in chunk) throw new TypeError("no");
      if ("text" in chunk) return Promise.reject("text only");
      return results;
    };
    const fail = async (...keys: string[]) => {
      const { failed } = await importAll(keys, { keyOf: (key) => (key === "" ? "__proto__" : key), send });
      return Object.entries(failed).map(([key, { code, message }]) => `${key}: ${code} ${message}`);
    };

    expect(await fail(...Object.keys(results), "constructor", "constructor", "", "thrown")).toEqual([
      "row 5: REPEATED_KEY An earlier entity has the same key.",
      'row 6: INVALID_INPUT Cannot call importAll: "keyOf" must be a function that gives each entity\'s own id, a text but __proto__, not string.',
      'thrown: INVALID_INPUT Cannot call importUsers: "users.thrown.name" must be a text.',
      "taken: ERR_UID_ALREADY_EXISTS It is taken.",
      "worded: ERR_UID_ALREADY_EXISTS Taken.",
      "silent: REFUSED The platform refused it.",
      "odd: REFUSED The platform refused it.",
      "constructor: NOT_MENTIONED The answer does not mention it.",
    ]);
    expect(await fail("foreign")).toEqual(["foreign: TypeError no"]);
    expect(await fail("text")).toEqual(["text: REFUSED text only"]);
    expect((await importAll(["text"], { keyOf: String, send })).failed).toMatchObject({
      text: { cause: "text only" },
    });
  });

  it.each([
    ["no entities", [undefined, { keyOf: String, send: async () => ({}) }], "entities"],
    ["one text", ["abc", { keyOf: String, send: async () => ({}) }], "entities"],
    ["no options", [[1]], "options"],
    ["no keyOf", [[1], { send: async () => ({}) }], "keyOf"],
    ["an invalid onProgress", [[], { keyOf: String, send: async () => ({}), onProgress: 1 }], "onProgress"],
    ["an invalid signal", [[], { keyOf: String, send: async () => ({}), signal: 1 }], "signal"],
    ["an unknown option", [[], { keyOf: String, send: async () => ({}), chunkSize: 10 }], "chunkSize"],
  ])("refuses %s", async (_, args, field) => {
    const importing = Reflect.apply(importAll, undefined, args);

    await expect(importing).rejects.toMatchObject({ name: "InvalidInputError", field });
  });

  it.each<[string, unknown, string]>([
    ["no results", undefined, "undefined"],
    ["a list for results", [], "array"],
  ])("fails only the 50 rows for which send returns %s, and sends them once", async (_, wrong, type) => {
    const sizes: number[] = [];
    const send = async (chunk: Record<string, number>) => {
      const keys = Object.keys(chunk);
      sizes.push(keys.length);
      return keys.includes("0") ? wrong : Object.fromEntries(keys.map((key) => [key, { success: true }]));
    };

    const importing = Reflect.apply(importAll, undefined, [Array(60).keys(), { keyOf: String, send }]);

    const { imported, failed } = await importing;
    expect([imported, Object.keys(failed).length, sizes]).toEqual([10, 50, [50, 10]]);
    const message = `Cannot call importAll: "send" must be a function that gives the results by key, as dataImport.users does, not ${type}.`;
    expect(failed[49]).toMatchObject({ code: "INVALID_INPUT", message, index: 49 });
  });

  it.each<[string, () => unknown]>([
    ["a key that is not a text", () => 7],
    ["no key", () => undefined],
    ["an empty key", () => ""],
    ["a key that a record cannot have", () => "__proto__"],
    [
      "an error",
      () => {
        throw new TypeError("no uid");
      },
    ],
  ])("continues after a row for which keyOf gives %s", async (_, keyOf) => {
    const platform = importingPlatform();

    const outcome = await Reflect.apply(importAll, undefined, [
      ["a", "odd", "b"],
      { keyOf: (row: string) => (row === "odd" ? keyOf() : row), send: platform.send },
    ]);

    expect(outcome).toMatchObject({
      imported: 2,
      failed: { "row 1": { index: 1, cause: expect.any(Error) } },
    });
    expect([...platform.landed]).toEqual(["a", "b"]);
  });

  it.each([
    ["before", ["row 60", ...Array.from({ length: 70 }, (_, n) => `m${n}`).with(59, "")]],
    ["after", ["", ...Array.from({ length: 70 }, (_, n) => `m${n}`), "row 0", "row 0*"]],
  ])("counts a row without a key even if a row %s it has its generated name", async (_, rows) => {
    const send = async (chunk: Record<string, string>) =>
      Object.fromEntries(Object.keys(chunk).map((key) => [key, { success: !key.startsWith("row ") }]));

    const { imported, failed } = await importAll(rows, { keyOf: String, send });

    const bad = rows.flatMap((row, index) => (row === "" || row.startsWith("row ") ? [index] : []));
    expect(imported).toBe(rows.length - bad.length);
    expect(Object.values(failed).map(({ index }) => index)).toEqual(expect.arrayContaining(bad));
    expect(Object.keys(failed)).toHaveLength(bad.length);
  });

  describe("with rows that fail their whole request", () => {
    const thousand = Array.from({ length: 1_000 }, (_, n) => `m${n}`);

    it("limits the number of requests when the first 730 are bad", async () => {
      const bad = 730;
      const platform = importingPlatform(thousand.slice(0, bad));

      const outcome = await importAll(thousand, { keyOf: String, send: platform.send });

      expect([outcome.imported, platform.landed.size]).toEqual([1_000 - bad, 1_000 - bad]);
      expect(new Set(Object.keys(outcome.failed))).toEqual(new Set(thousand.slice(0, bad)));
      expect(platform.requests()).toBe(183);
    });

    it("imports the other rows once, and names the bad ones: 3 among 1,000 with 44 requests", async () => {
      const platform = importingPlatform(["m17", "m420", "m999"]);

      const outcome = await importAll(thousand, { keyOf: String, send: platform.send });

      expect(outcome.imported).toBe(997);
      expect(Object.entries(outcome.failed).map(([key, { index }]) => [key, index])).toEqual([
        ["m17", 17],
        ["m420", 420],
        ["m999", 999],
      ]);
      expect(outcome.failed.m17?.cause).toMatchObject({ status: 500, code: "ERR_EXCEPTION" });
      expect(platform.landed.size).toBe(997);
      expect(platform.requests()).toBe(44);
    });

    it("imports every good row, wherever the bad ones are", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(fc.integer({ min: 0, max: 119 }), { maxLength: 20 }),
          async (numbers) => {
            const bad = numbers.map((n) => `m${n}`);
            const platform = importingPlatform(bad);
            const outcome = await importAll(thousand.slice(0, 120), { keyOf: String, send: platform.send });
            expect(Object.keys(outcome.failed).toSorted()).toEqual(bad.toSorted());
            expect(platform.landed.size).toBe(120 - bad.length);
          },
        ),
        runs(),
      );
    });

    it("distinguishes rows that it imported from rows that existed before", async () => {
      const platform = importingPlatform(["bad"]);
      platform.landed.add("old");
      platform.landed.add("older");

      const beside = await importAll(["old", "new", "bad", "late"], { keyOf: String, send: platform.send });
      const alone = await importAll(["older", "other"], { keyOf: String, send: platform.send });

      expect(beside).toMatchObject({
        imported: 3,
        unconfirmed: ["old", "new"],
        failed: { bad: { index: 2 } },
      });
      expect(alone).toMatchObject({
        imported: 1,
        unconfirmed: [],
        failed: { older: { error: { code: "ERR_IMPORT_MUID_ALREADY_EXISTS" } } },
      });
    });
  });

  it.each<[string, ChatError, number]>([
    ["refused", failure(403), 2],
    ["never answered", unreachable, 3],
  ])("continues after a request that is %s", async (_, error, requests) => {
    const platform = importingPlatform();
    const send = async (chunk: Record<string, string>) => {
      const results = await platform.send(chunk);
      if ("m0" in chunk) throw error;
      return results;
    };

    const outcome = await importAll(
      Array.from({ length: 60 }, (_, n) => `m${n}`),
      { keyOf: String, send },
    );

    expect(outcome).toMatchObject({ imported: 10, failed: { m49: { index: 49, cause: error } } });
    expect(platform.requests()).toBe(requests);
  });

  it.each<[string, ChatError, number, number]>([
    ["a refused key", failure(401, "AUTH_ERR_APIKEY_NOT_FOUND"), 1, 50],
    ["a key of too small a scope", failure(403, "AUTH_ERR_NO_ACCESS"), 1, 50],
    ["three requests in a row without an answer", unreachable, 3, 100],
    ["three requests in a row without a connection", unconnected, 3, 150],
  ])("sends nothing after %s, and names the rows that were not sent", async (_, error, requests, tried) => {
    let count = 0;
    const send = async () => {
      count += 1;
      throw error;
    };

    const { imported, failed } = await importAll(Array(10_000).keys(), { keyOf: String, send });

    const unsent = Object.values(failed).filter(({ code }) => code === "NOT_SENT");
    expect([imported, count, Object.keys(failed).length]).toEqual([0, requests, 10_000]);
    expect([unsent.length, unsent[0]?.index]).toEqual([10_000 - tried, tried]);
    expect(failed[0]).toMatchObject({ code: error.code });
  });

  it("names no row as not sent that an earlier request may have imported", async () => {
    const errors = [failure(500, "ERR_INTERNAL"), failure(401, "AUTH_ERR_APIKEY_NOT_FOUND")];
    const send = async () => {
      throw errors.shift() ?? unreachable;
    };

    const { failed } = await importAll(Array(100).keys(), { keyOf: String, send });

    const codes = Object.values(failed).map(({ code }) => code);
    expect([codes[30], codes[99]]).toEqual(["ERR_INTERNAL", "NOT_SENT"]);
  });

  it("counts only requests in a row without an answer", async () => {
    const platform = importingPlatform();
    let count = 0;
    const send = async (chunk: Record<string, string>) => {
      count += 1;
      if (count % 3 > 0) throw unreachable;
      return platform.send(chunk);
    };

    const { imported } = await importAll(
      Array.from({ length: 1_000 }, (_, n) => `m${n}`),
      {
        keyOf: String,
        send,
      },
    );

    expect([imported, count]).toEqual([500, 30]);
  });

  it.each([
    "ERR_IMPORT_MUID_ALREADY_EXISTS",
    "ERR_UID_ALREADY_EXISTS",
    "ERR_ALREADY_JOINED",
    "ERR_ALREADY_BANNED",
  ])("counts rows as imported after a lost answer if the retry returns %s", async (repeated) => {
    const platform = importingPlatform([], repeated);
    let isLost = true;
    const send = async (chunk: Record<string, string>) => {
      const results = await platform.send(chunk);
      if (isLost) {
        isLost = false;
        throw unreachable;
      }
      return results;
    };

    expect(await importAll(["a", "b"], { keyOf: String, send })).toEqual({
      imported: 2,
      failed: {},
      unconfirmed: ["a", "b"],
    });
  });

  it("names the row that breaks a rule, and sends the others together", async () => {
    const platform = importingPlatform();
    const send = async (chunk: Record<string, string>) => {
      if ("b.c" in chunk) throw new InvalidInputError("import-users", "users.b.c.name", "a text");
      return platform.send(chunk);
    };

    const outcome = await importAll(["a", "b", "b.c", "d"], { keyOf: String, send });

    expect(outcome).toMatchObject({ imported: 3, failed: { "b.c": { index: 2 } } });
    expect(platform.requests()).toBe(1);
  });

  it("does not confuse a bad row's field with a row of that name", async () => {
    const platform = importingPlatform();
    const send = async (chunk: Record<string, string>) => {
      if ("bob" in chunk) throw new InvalidInputError("import-users", "users.bob.metadata.users", "a text");
      return platform.send(chunk);
    };

    const outcome = await importAll(["bob", "metadata", "users"], { keyOf: String, send });

    expect([outcome.imported, Object.keys(outcome.failed)]).toEqual([2, ["bob"]]);
  });

  it("finds the result of a key that the platform wrote in lower case", async () => {
    const outcome = await importAll(["Alice", "BOB"], {
      keyOf: String,
      send: async () => ({ alice: { success: true }, bob: { success: false, code: "X" } }),
    });

    expect([outcome.imported, outcome.failed]).toMatchObject([1, { BOB: { code: "X" } }]);
  });

  it("stops on abort, also during a request", async () => {
    const stop = new AbortController();
    const signals: unknown[] = [];

    const importing = importAll(["a"], {
      keyOf: String,
      send: (_, { signal }) => {
        signals.push(signal);
        stop.abort(new Error("enough"));
        return new Promise(() => {});
      },
      signal: stop.signal,
    });

    await expect(importing).rejects.toThrow("enough");
    expect(signals).toEqual([stop.signal]);
  });
});

type ChatError = ChatApiError | ChatUnreachableError;

function failure(status: number, code = "ERR_EXCEPTION"): ChatApiError {
  return new ChatApiError("no", {
    status,
    code,
    operation: "import-messages",
    retryable: false,
    maybeExecuted: status >= 500,
  });
}

const unreachable = new ChatUnreachableError({
  operation: "import-messages",
  phase: "answer",
  reason: "TIMEOUT",
  maybeExecuted: true,
});

const unconnected = new ChatUnreachableError({
  operation: "import-messages",
  phase: "connect",
  reason: "ECONNREFUSED",
  maybeExecuted: false,
});

/** Stores rows in order, and fails the request at a bad one. */
function importingPlatform(bad: readonly string[] = [], repeated = "ERR_IMPORT_MUID_ALREADY_EXISTS") {
  const landed = new Set<string>();
  let requests = 0;
  const send = async (chunk: Record<string, string>) => {
    requests += 1;
    return Object.fromEntries(
      Object.keys(chunk).map((key) => {
        if (bad.includes(key)) throw failure(500);
        if (landed.has(key)) return [key, { success: false, error: { code: repeated } }];
        landed.add(key);
        return [key, { success: true }];
      }),
    );
  };
  return { landed, send, requests: () => requests };
}

import { describe, expect, it } from "vitest";
import { checkOptionNames, checkPlain, type PlainRule, plainText } from "../../../lib/chat/check-plain.ts";
import { createChatClient } from "../../../lib/chat/client.ts";
import { composeChatClient } from "../../../lib/chat/compose.ts";
import { isInvalidInputError } from "../../../lib/chat/error-guards.ts";
import { createManagementClient } from "../../../lib/chat/management/management-client.ts";
import { messages } from "../../../lib/chat/resources/messages.ts";

const aWhole: PlainRule = ["a whole number", Number.isInteger];
const check = (value: unknown) => () =>
  checkPlain("configFiles", "options", { stage: plainText, count: aWhole }, value);

describe("checkPlain", () => {
  it.each([{}, { stage: "" }, { stage: "local", count: 0 }, { stage: undefined, count: undefined }])(
    "accepts %j",
    (value) => {
      expect(check(value)).not.toThrow();
    },
  );

  it.each([
    [undefined, '"options" is missing; it must be an object.'],
    [null, '"options" must be an object, not null.'],
    [["local"], '"options" must be an object, not array.'],
    ["local", '"options" must be an object, not string.'],
    [{ stage: 7 }, '"stage" must be a text.'],
    [{ stage: null }, '"stage" must be a text.'],
    [{ count: 1.5 }, '"count" must be a whole number.'],
    [{ stge: "local" }, '"stge" must be called stage.'],
    [{ colour: 1 }, '"colour" must be left out: there is no such option. It takes { stage, count }.'],
  ])("refuses %j with the reason, without its value", (value, rest) => {
    expect(check(value)).toThrow(expect.objectContaining({ message: `Cannot call configFiles: ${rest}` }));
  });

  it("refuses a value that throws when it is read", () => {
    const trap = {
      get stage() {
        throw new Error("not yours");
      },
    };

    expect(check(trap)).toThrow(expect.objectContaining({ name: "InvalidInputError", field: "options" }));
  });
});

const known = ["ttl", "where", "maxAge"];
const checkNames = (given: object) => () => checkOptionNames("onTrigger", known, given);

describe("checkOptionNames", () => {
  it.each([{}, { ttl: 1 }, { maxAge: 1, where: {}, ttl: undefined }])("accepts %j", (given) => {
    expect(checkNames(given)).not.toThrow();
  });

  it.each([
    ["whree", "called where"],
    ["MAXAGE", "called maxAge"],
    ["maxage", "called maxAge"],
    ["max_age", "called maxAge"],
    ["tll", "called ttl"],
    ["tt", "called ttl"],
    ["when", "left out: there is no such option. It takes { ttl, where, maxAge }"],
    ["ttll", "called ttl"],
    ["wh", "left out: there is no such option. It takes { ttl, where, maxAge }"],
    // In a short name, two letters are too many to guess.
    ["to", "left out: there is no such option. It takes { ttl, where, maxAge }"],
    ["heres", "called where"],
    ["maximum", "left out: there is no such option. It takes { ttl, where, maxAge }"],
    ["", "left out: there is no such option. It takes { ttl, where, maxAge }"],
  ])("refuses the name %j: it must be %s", (name, rule) => {
    expect(checkNames({ ttl: 1, [name]: 1 })).toThrow(
      expect.objectContaining({ operation: "onTrigger", field: name, rule }),
    );
  });

  it("names the first unknown option, even one that every object inherits", () => {
    expect(checkNames({ toString: 1, colour: 1 })).toThrow(expect.objectContaining({ field: "toString" }));
  });
});

type Maker = (...args: unknown[]) => unknown;

/** Returns what making a client throws, or undefined. */
function make(maker: unknown, ...args: unknown[]): unknown {
  try {
    (maker as Maker)(...args);
    return undefined;
  } catch (error) {
    return error;
  }
}

describe("the options of a client", () => {
  const fine = { appId: "app1", apiKey: "key" };

  it.each([
    [undefined, '"options" is missing; it must be an object'],
    [null, '"options" must be an object, not null'],
    ["app1", '"options" must be an object, not string'],
    [{}, '"appId" is missing; it must be a text'],
    [{ appId: "app1" }, '"apiKey" is missing; it must be a key, or { get, refresh }'],
    [{ ...fine, apiKey: "" }, '"apiKey" must be a key without spaces'],
    [{ ...fine, apiKey: { get: async () => "k" } }, '"apiKey" must be a key, or { get, refresh }'],
    [{ appId: "app1", apikey: "key" }, '"apikey" must be called apiKey'],
    [{ ...fine, timeoutMS: 5 }, '"timeoutMS" must be called timeoutMs'],
    [{ ...fine, fetch: "fetch" }, '"fetch" must be a function'],
    [{ ...fine, scope: "all" }, '"scope" must be fullAccess or authOnly'],
    [
      { ...fine, timeoutMs: Number.POSITIVE_INFINITY },
      '"timeoutMs" must be a number of milliseconds above 0, and at most 24 days',
    ],
    [{ ...fine, maxConcurrent: 0 }, '"maxConcurrent" must be a whole number of at least 1'],
    [{ ...fine, retry: { maxTries: 0 } }, '"retry" must be { maxTries'],
    [{ ...fine, retry: { tries: 1 } }, '"retry" must be { maxTries'],
    [{ ...fine, hooks: { beforeRequest: 5 } }, '"hooks" must be { beforeRequest, afterResponse }'],
    [{ ...fine, log: () => {} }, '"log" must be an object with a function debug'],
    [{ ...fine, userAgent: "a\r\nx-evil: 1" }, '"userAgent" must be 1 to 200 printable'],
    [{ ...fine, region: "mars" }, '"region" must be one of us, eu, in'],
    [{ ...fine, appId: "evil.example.com/" }, '"appId" must be 1 to 63 letters'],
    [{ ...fine, baseUrlTemplate: "http://example.com/v3" }, '"base URL" must be an https address'],
  ])("are refused: %j", (options, message) => {
    for (const [name, maker] of Object.entries({ createChatClient, composeChatClient })) {
      const error = make(maker, options, { messages });
      expect(isInvalidInputError(error)).toBe(true);
      expect(String(error)).toContain(
        /a key without|one of us|1 to 63|base URL/.test(message)
          ? message
          : `Cannot call ${name}: ${message}`,
      );
    }
  });

  it.each([
    [{}, '"credentials" is missing; it must be { key, secret }'],
    [{ credentials: { key: "k" } }, '"credentials" must be { key, secret }'],
    [
      { credentials: { key: "k", secret: "s" }, basicAuth: "x" },
      '"basicAuth" must be { username, password }',
    ],
    [{ credentials: { key: "k", secret: "s" }, engine: "new" }, '"engine" must be current or legacy'],
  ])("are refused for the management client: %j", (options, message) => {
    expect(String(make(createManagementClient, options))).toContain(message);
  });

  it("may contain unrelated settings", () => {
    expect(make(createChatClient, { ...fine, port: 3000, stage: "dev", tag: "x" })).toBeUndefined();
  });
});

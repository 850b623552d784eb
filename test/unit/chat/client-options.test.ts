import { describe, expect, it } from "vitest";
import { createChatClient } from "../../../lib/chat/client.ts";
import { composeChatClient } from "../../../lib/chat/compose.ts";
import { isInvalidInputError } from "../../../lib/chat/error-guards.ts";
import { createManagementClient } from "../../../lib/chat/management/management-client.ts";
import { messages } from "../../../lib/chat/resources/messages.ts";

type Maker = (...args: unknown[]) => unknown;

/** What making a client throws; undefined when it is made. */
function make(maker: unknown, ...args: unknown[]): unknown {
  try {
    (maker as Maker)(...args);
    return undefined;
  } catch (error) {
    return error;
  }
}

describe("what a client is made from", () => {
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
  ])("is refused: %j", (options, message) => {
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
  ])("is refused for the account: %j", (options, message) => {
    expect(String(make(createManagementClient, options))).toContain(message);
  });

  it("may stand among settings that are none of the client's", () => {
    expect(make(createChatClient, { ...fine, port: 3000, stage: "dev", tag: "x" })).toBeUndefined();
  });
});

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createChatClient } from "../../../lib/chat/client.ts";
import { settingsOperations } from "../../../lib/chat/management/extension-settings.ts";
import type { Operation } from "../../../lib/chat/operation.ts";
import { clientMethods } from "../../contract/client-operations.ts";
import { answered } from "./caught-client.ts";

const alice = { uid: "alice", name: "Alice" };

const found = () => Response.json({ data: alice }, { headers: { "X-Request-Id": "r-1", "x-odd": "yes" } });
const refused = () => Response.json({ error: { code: "ERR_UID_NOT_FOUND" } }, { status: 404 });
const ill = () => Response.json({}, { status: 503 });

/** Waits for everything that a rejection causes, including the process's own event. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("a request", () => {
  it("returns status, headers and request id with the data", async () => {
    const { data, response } = await answered(found).chat.users.get("alice").withResponse();

    expect(data).toEqual(alice);
    expect(response).toMatchObject({ status: 200, requestId: "r-1" });
    expect([
      response.headers.get("x-odd"),
      response.headers.get("X-ODD"),
      response.headers.get("no"),
    ]).toEqual(["yes", "yes", null]);
  });

  it("has no response if the caller's own check returned the result", async () => {
    const { chat } = answered(ill);
    const alreadyDone = async () => ({ uid: "alice" });

    const { data, response } = await chat.users
      .create({ uid: "alice", name: "Alice" }, { alreadyDone })
      .withResponse();

    expect(data).toEqual({ uid: "alice" });
    expect(response).toMatchObject({ status: undefined, requestId: undefined });
    expect(response.headers.get("x-request-id")).toBeNull();
  });

  it("is sent once, even if it is awaited several times", async () => {
    const { chat, requests } = answered(found);
    const request = chat.users.get("alice");

    await Promise.all([request, request, request.withResponse(), request.withResponse()]);

    expect(requests()).toBe(1);
  });
});

describe("a request that fails", () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  let others: NodeJS.UnhandledRejectionListener[];
  // Vitest listens too, and would fail the run.
  beforeEach(() => {
    unhandled.length = 0;
    others = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection").on("unhandledRejection", note);
  });
  afterEach(() => {
    process.removeAllListeners("unhandledRejection");
    for (const listener of others) process.on("unhandledRejection", listener);
  });

  it.each([
    ["the caller does not await it", () => void answered(refused).chat.users.get("bob")],
    [
      "the caller does not handle the response",
      () => void answered(refused).chat.users.get("bob").withResponse(),
    ],
  ])("causes an unhandled rejection if %s", async (_, send) => {
    send();
    await settle();
    await settle();

    expect(unhandled).toMatchObject([{ code: "ERR_UID_NOT_FOUND" }]);
  });
});

const changes: readonly Operation[] = [
  ...clientMethods().map(({ operation }) => operation),
  ...Object.values(settingsOperations),
].filter(({ request }) => !request.startsWith("GET "));

const torn = () => {
  const body = new ReadableStream({
    pull: (controller) => controller.error(Object.assign(new Error("reset"), { code: "ECONNRESET" })),
  });
  return new Response(body);
};

/** Answers after which a change may have been made. */
const unclear: Readonly<Record<string, () => Response>> = {
  "a 500": () => Response.json({ error: { code: "ERR_EXCEPTION", message: "Not now." } }, { status: 500 }),
  "a 502 of a proxy": () => new Response("<html>", { status: 502 }),
  "a 504 without a body": () => new Response(null, { status: 504 }),
  "a refusal without a code in a 200": () => Response.json({ data: { success: false } }),
  "text in a 200": () => new Response("<html>"),
  "half of a 200": torn,
  "no answer": () => {
    throw new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ECONNRESET" }) });
  },
};
/** These count as success if no form is documented. */
const odd: typeof unclear = {
  "an empty 200": () => Response.json({}),
  "an unknown form in a 200": () => Response.json({ data: { outcome: 1 } }),
};

async function outcomeOf(operation: Operation, answer: () => Response) {
  let requests = 0;
  const chat = createChatClient({
    appId: "app1",
    apiKey: "key",
    retry: { maxTries: 2 },
    sleep: async () => {},
    fetch: async () => {
      requests += 1;
      return answer();
    },
  });
  const { input: _, ...withoutInput } = operation;
  const path = [...operation.request.matchAll(/\{/g)].map(() => "a");
  const options = operation.onBehalfOf === undefined ? {} : { onBehalfOf: "alice" };
  const error: unknown = await Promise.resolve(
    Reflect.apply(chat.call, undefined, [withoutInput, ...path, options]),
  ).catch((thrown: unknown) => thrown);
  return { error, requests };
}

it.each(Object.entries({ ...unclear, ...odd }))(
  "every change reports after %s that it may have been executed",
  async (name, answer) => {
    for (const operation of changes) {
      const mayRepeat = /^(PUT|DELETE) /.test(operation.request);
      const { error, requests } = await outcomeOf(operation, answer);

      if (name in odd && !(error instanceof Error)) continue;
      const expected = {
        retryable: mayRepeat,
        maybeExecuted: true,
        message: expect.stringMatching(
          `may have carried it out: ${mayRepeat ? "the same again does no harm" : "look before you send it again"}`,
        ),
      };
      const tries = mayRepeat ? expect.any(Number) : 1;
      expect([operation.id, requests, error]).toEqual([
        operation.id,
        tries,
        expect.objectContaining(expected),
      ]);
    }
  },
);

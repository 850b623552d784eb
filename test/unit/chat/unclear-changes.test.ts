import { describe, expect, it } from "vitest";
import { createChatClient } from "../../../lib/chat/client.ts";
import { settingsOperations } from "../../../lib/chat/management/extension-settings.ts";
import type { Operation } from "../../../lib/chat/operation.ts";
import { clientMethods } from "../../contract/client-operations.ts";

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

/** After which a change may have been made. */
const unclear: Readonly<Record<string, () => Response>> = {
  "a 500": () => Response.json({ error: { code: "ERR_EXCEPTION", message: "Not now." } }, { status: 500 }),
  "a 502 of a proxy": () => new Response("<html>", { status: 502 }),
  "a 504 without a body": () => new Response(null, { status: 504 }),
  "a no without a code in a 200": () => Response.json({ data: { success: false } }),
  "text in a 200": () => new Response("<html>"),
  "half of a 200": torn,
  "no answer": () => {
    throw new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ECONNRESET" }) });
  },
};
/** They count as done where no form is documented. */
const odd: typeof unclear = {
  "nothing in a 200": () => Response.json({}),
  "an unknown form in a 200": () => Response.json({ data: { outcome: 1 } }),
};

async function outcomeOf(operation: Operation, answer: () => Response) {
  let requests = 0;
  const chat = createChatClient({
    ...{ appId: "app1", apiKey: "key", retry: { maxTries: 2 }, sleep: async () => {} },
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

describe("every change", () => {
  it.each(Object.entries({ ...unclear, ...odd }))(
    "says after %s that it may have been made",
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
});

import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createChatClient } from "../../../lib/chat/client.ts";
import { runs } from "../../helpers/property-runs.ts";

const apiKey = "0123456789abcdef0123456789abcdef01234567";
describe("errors of the client", () => {
  const anyBody = fc.oneof(
    fc.record({
      error: fc.record({
        code: fc.oneof(fc.constant("AUTH_ERR_APIKEY_NOT_FOUND"), fc.constant(apiKey)),
        message: fc.string().map((text) => `${text}${apiKey}${text}`),
        devMessage: fc.constant(`The ${apiKey} key doesn't work.`),
        details: fc.constant({ header: apiKey }),
      }),
    }),
    fc.json().map((text) => ({ error: { message: `${apiKey}${text}${apiKey.toUpperCase()}` } })),
    fc.constant({ error: apiKey }),
    fc.constant(apiKey),
  );

  it("contain no key for any answer of the platform", async () => {
    await fc.assert(
      fc.asyncProperty(anyBody, fc.constantFrom(200, 302, 400, 401, 403, 404, 500), async (body, status) => {
        const chat = createChatClient({
          appId: "app1",
          apiKey,
          retry: { maxTries: 1 },
          fetch: async () =>
            new Response(JSON.stringify(body), { status, headers: { "x-request-id": apiKey } }),
        });
        const thrown: unknown = await chat.users.get("alice").catch((error: unknown) => error);
        const shown = inspect(thrown, { depth: 10, showHidden: true }) + JSON.stringify(thrown);
        expect(shown.toLowerCase()).not.toContain(apiKey);
      }),
      runs(200),
    );
  });

  it("contain no key if fetch throws it", async () => {
    const chat = createChatClient({
      appId: "app1",
      apiKey,
      retry: { maxTries: 1 },
      fetch: async () => {
        throw new TypeError(`Headers: ${apiKey} is invalid`, { cause: new Error(apiKey) });
      },
    });
    const thrown: unknown = await chat.apiKeys
      .get("fedcba9876543210fedcba9876543210fedcba98")
      .catch((e: unknown) => e);

    expect(inspect(thrown, { depth: 10, showHidden: true })).not.toMatch(/0123456789abcdef|fedcba987/);
    expect(inspect(chat, { depth: 10, showHidden: true })).not.toContain(apiKey);
  });
});

import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createChatClient } from "../../../lib/chat/client.ts";
import { redact } from "../../../lib/chat/redact.ts";
import { runs } from "../../helpers/property-runs.ts";

const apiKey = "0123456789abcdef0123456789abcdef01234567";
const secret = fc
  .string({ minLength: 6, maxLength: 60, unit: "grapheme-ascii" })
  .filter((text) => text.trim().length > 5);

describe("redact", () => {
  it("leaves no spelling of a secret in any text", () => {
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
        const spellings = [
          value,
          encodeURIComponent(value),
          new URLSearchParams([["", value]]).toString().slice(1),
          Buffer.from(value).toString("base64"),
          Buffer.from(value).toString("base64").replace(/=+$/, ""),
          Buffer.from(value).toString("base64url"),
          value.toUpperCase(),
        ];
        const clean = redact(before + spellings.join(" | ") + after, [value]);
        expect(spellings.filter((spelling) => clean.includes(spelling))).toEqual([]);
      }),
      runs(),
    );
  });

  it.each(["k", "ke", "key", "kéy"])(
    "leaves no password in credentials of HTTP Basic, of %s for one",
    (user) => {
      for (const password of ["a1b2c3d4e5", "a1b2c3d4e5f", "a1b2c3d4e5fg", "pä ss/word?~"]) {
        const [begin = "", end = ""] = redact(btoa(utf8(`${user}:${password}`)), [password]).split(
          "[redacted]",
        );

        expect(begin.length).toBeLessThanOrEqual(Math.ceil((utf8(user).length + 1) / 3) * 4);
        expect(end.replaceAll("=", "").length).toBeLessThanOrEqual(1);
      }
    },
  );

  it.each([
    ["half a character", "half \ud83d of one"],
    ["a whole certificate", "-----BEGIN ".repeat(50_000)],
  ])("takes out %s", (_, secret) => {
    expect(redact(`It is ${secret}.`, [secret])).toBe("It is [redacted].");
  });
});

const utf8 = (text: string) => String.fromCharCode(...new TextEncoder().encode(text));

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

  it("hold no key, whatever the platform says", async () => {
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

  it("hold no key when fetch itself throws one", async () => {
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

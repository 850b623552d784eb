import { describe, expect, it } from "vitest";
import { parseSecret } from "../../../../lib/aws/secrets/parse-secret.ts";
import { hideSecrets } from "../../../../lib/base/known-secrets.ts";

const base64 = (text: string) => Buffer.from(text, "utf8").toString("base64");

describe("what a secret holds", () => {
  it.each(["apiKey", "webhookPassword", "webhookSecret", "ticketToken", "myUsernames"])(
    "is hidden from the log once it was read: %s",
    (field) => {
      const value = `value-of-${field}`;
      parseSecret("chat/prod/app-1", JSON.stringify({ [field]: value }));

      expect(hideSecrets(`a line with ${value}.`)).toBe("a line with [redacted].");
    },
  );

  it.each(["appId", "region", "username", "webhookUsername", "legacyUsername"])(
    "stays readable where it only names something: %s",
    (field) => {
      const value = `name-of-${field}`;
      parseSecret("chat/prod/app-1", JSON.stringify({ [field]: value }));

      expect(hideSecrets(`a line with ${value}.`)).toBe(`a line with ${value}.`);
    },
  );

  it.each(["appIds", "the-appId", "regional"])("is hidden where a name only resembles those: %s", (field) => {
    const value = `hidden-of-${field}`;
    parseSecret("chat/prod/app-1", JSON.stringify({ [field]: value }));

    expect(hideSecrets(value)).toBe("[redacted]");
  });

  it("is hidden as an Authorization header holds it, with its own username", () => {
    const fields = { botUsername: "platform", botPassword: "pass-of-the-bot" };
    parseSecret("chat/prod/app-1", JSON.stringify(fields));

    expect(hideSecrets(`Basic ${base64("platform:pass-of-the-bot")}`)).toMatch(/^Basic \[redacted\]=*$/);
  });

  it("may be something else than text, which hides nothing", () => {
    parseSecret(
      "chat/prod/app-1",
      JSON.stringify({ webhookPassword: 123456, botUsername: 7, botPassword: "kept-apart" }),
    );

    expect(hideSecrets("123456")).toBe("123456");
    expect(hideSecrets(base64("7:kept-apart"))).toBe("Nzp[redacted]");
  });

  it("is each of several keys that were replaced", () => {
    parseSecret("chat/prod/app-1", JSON.stringify({ replacedApiKey: "first-dead-key second-dead-key" }));

    expect(hideSecrets("second-dead-key, first-dead-key")).toBe("[redacted], [redacted]");
  });

  it("is no name of a thing that is rotated, and no end of one", () => {
    const until = "2026-01-02T03:04:05.678Z";
    parseSecret("chat/prod/app-1", JSON.stringify({ rotating: "api-key", replacedApiKeyUntil: until }));

    expect(hideSecrets(`api-key ${until}`)).toBe(`api-key ${until}`);
  });
});

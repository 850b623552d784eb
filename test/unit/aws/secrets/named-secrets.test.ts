import { describe, expect, it } from "vitest";
import { createNamedSecrets } from "../../../../lib/aws/secrets/app-secret.ts";
import { InvalidSecretError } from "../../../../lib/aws/secrets/parse-secret.ts";
import { hideSecrets } from "../../../../lib/base/known-secrets.ts";
import { usualSecretAges } from "../../../../lib/base/secret-ages.ts";

const create = (secrets: Record<string, object>, asked: string[] = []) =>
  createNamedSecrets({
    readSecret: async (id) => {
      asked.push(id);
      return JSON.stringify(secrets[id]);
    },
    secretPrefix: "prefix",
    ages: usualSecretAges,
    now: () => 0,
  });

describe("createNamedSecrets", () => {
  it("gives each app its own value, reads each secret once, and lets no log line show it", async () => {
    const asked: string[] = [];
    const secretOf = create(
      {
        "prefix/a": { "ticket-token": "first-token-1", other: "x" },
        "prefix/b": { "ticket-token": "second-token-2" },
      },
      asked,
    );

    const values = await Promise.all([
      secretOf("a", "ticket-token"),
      secretOf("b", "ticket-token"),
      secretOf("a", "other"),
    ]);

    expect(values).toEqual(["first-token-1", "second-token-2", "x"]);
    expect(asked).toEqual(["prefix/a", "prefix/b"]);
    expect(hideSecrets("first-token-1 second-token-2")).toBe("[redacted] [redacted]");
  });

  it.each([{}, { "ticket-token": "" }, { "ticket-token": 7 }])(
    "names what is missing in %j",
    async (fields) => {
      const secretOf = create({ "prefix/a": fields });

      await expect(secretOf("a", "ticket-token")).rejects.toThrow(InvalidSecretError);
      await expect(secretOf("a", "ticket-token")).rejects.toThrow(/prefix\/a has no text in "ticket-token"/);
    },
  );
});

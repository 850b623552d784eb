import { describe, expect, it } from "vitest";
import {
  createAppSecret,
  createNamedSecrets,
  secretsByName,
} from "../../../../lib/aws/secrets/app-secret.ts";
import { InvalidSecretError, parseSecret } from "../../../../lib/aws/secrets/parse-secret.ts";
import { hideSecrets } from "../../../../lib/base/known-secrets.ts";
import { usualSecretAges } from "../../../../lib/base/secret-ages.ts";
import { createAppCredentials } from "../../../../lib/chat/app-credentials.ts";
import { secret } from "../../../../lib/effects/http/prepare-outside-request.ts";
import { jwtSettingsSchema } from "../../../../lib/endpoints/own/jwt/jwt-settings.ts";
import {
  fieldsOf,
  rotatingField,
  takingBackField,
} from "../../../../lib/operate/rotation/rotated-credentials.ts";

const parsed = parseSecret("app", '{"key":"a-value","empty":"","number":7,"none":null}');

describe("parseSecret", () => {
  it("reads a required and an optional text", () => {
    expect(parsed.text("key")).toBe("a-value");
    expect(parsed.optionalText("key")).toBe("a-value");
    expect(parsed.optionalText("absent")).toBeUndefined();
    expect(parsed.optionalText("none")).toBeUndefined();
    expect(parsed.optionalText("empty")).toBeUndefined();
  });

  it.each(["absent", "empty", "number", "none"])("refuses %s for a required text", (field) => {
    expect(() => parsed.text(field)).toThrow(
      `Secret app has no text in "${field}". Put the value there; docs/deploy.md says how.`,
    );
  });

  it("refuses a number for an optional text", () => {
    expect(() => parsed.optionalText("number")).toThrow(
      'Secret app has something else than text in "number".',
    );
  });

  it.each([
    ["no value", undefined],
    ["a value that is no JSON", "s3cret{"],
    ["nothing, as JSON", "null"],
    ["a text, as JSON", '"s3cret"'],
    ["a number, as JSON", "7"],
    ["a list that reads like JSON", ['{"key":"s3cret"}']],
  ])("refuses %s without quoting it", (_case, value) => {
    const reading = () => parseSecret("app", value);

    expect(reading).toThrow(InvalidSecretError);
    expect(reading).toThrow(
      expect.objectContaining({
        name: "InvalidSecretError",
        message: expect.stringMatching(/^Secret app is not a JSON object: see docs/),
      }),
    );
    expect(reading).not.toThrow("s3cret");
  });
});

const base64 = (text: string) => Buffer.from(text, "utf8").toString("base64");

describe("a value of a secret", () => {
  it.each(["apiKey", "webhookPassword", "webhookSecret", "ticketToken", "myUsernames"])(
    "is hidden from the log after it was read: %s",
    (field) => {
      const value = `value-of-${field}`;
      parseSecret("chat/prod/app-1", JSON.stringify({ [field]: value }));

      expect(hideSecrets(`a line with ${value}.`)).toBe("a line with [redacted].");
    },
  );

  it.each(["appId", "region", "username", "webhookUsername", "legacyUsername"])(
    "stays readable if it is only a name: %s",
    (field) => {
      const value = `name-of-${field}`;
      parseSecret("chat/prod/app-1", JSON.stringify({ [field]: value }));

      expect(hideSecrets(`a line with ${value}.`)).toBe(`a line with ${value}.`);
    },
  );

  it.each(["appIds", "the-appId", "regional"])(
    "is hidden if its field only resembles a name: %s",
    (field) => {
      const value = `hidden-of-${field}`;
      parseSecret("chat/prod/app-1", JSON.stringify({ [field]: value }));

      expect(hideSecrets(value)).toBe("[redacted]");
    },
  );

  it("is hidden in an Authorization header, with its own username", () => {
    const fields = { botUsername: "platform", botPassword: "pass-of-the-bot" };
    parseSecret("chat/prod/app-1", JSON.stringify(fields));

    expect(hideSecrets(`Basic ${base64("platform:pass-of-the-bot")}`)).toMatch(/^Basic \[redacted\]=*$/);
  });

  it("is not hidden if it is a number", () => {
    parseSecret(
      "chat/prod/app-1",
      JSON.stringify({ webhookPassword: 123456, botUsername: 7, botPassword: "kept-apart" }),
    );

    expect(hideSecrets("123456")).toBe("123456");
    expect(hideSecrets(base64("7:kept-apart"))).toBe("Nzp[redacted]");
  });

  it("is hidden for each of several replaced keys", () => {
    parseSecret("chat/prod/app-1", JSON.stringify({ replacedApiKey: "first-dead-key second-dead-key" }));

    expect(hideSecrets("second-dead-key, first-dead-key")).toBe("[redacted], [redacted]");
  });

  it("stays readable for the name and the end of a rotation", () => {
    const until = "2026-01-02T03:04:05.678Z";
    parseSecret("chat/prod/app-1", JSON.stringify({ rotating: "api-key", replacedApiKeyUntil: until }));

    expect(hideSecrets(`api-key ${until}`)).toBe(`api-key ${until}`);
  });
});

const wholeSecret = { appId: "app-1", region: "eu", apiKey: "key-1" };

function credentialsFrom(changed: Partial<typeof wholeSecret>) {
  return createAppCredentials({
    readSecret: async () => JSON.stringify({ ...wholeSecret, ...changed }),
    secretPrefix: "chat/prod",
    appId: "app-1",
    now: () => 0,
  });
}

describe("createAppCredentials, on the fields of the secret", () => {
  it.each(["us", "eu", "in"])("accepts the region %s", async (region) => {
    expect(await credentialsFrom({ region }).get()).toEqual({ ...wholeSecret, region });
  });

  it.each(["EU", "eu ", "moon"])("refuses the region %j, and lists the valid ones", async (region) => {
    await expect(credentialsFrom({ region }).get()).rejects.toThrow(
      /^Secret chat\/prod\/app-1 names a region that the platform does not have: "region" must be one of us, eu, in/,
    );
  });

  it.each(["k", "k".repeat(200), "!~"])("accepts the key %j", async (apiKey) => {
    expect((await credentialsFrom({ apiKey }).get()).apiKey).toBe(apiKey);
  });

  it.each(["k3y-1 k3y-2", " k3y-1", "k3y-1 ", "k3y-1\n", "k3y-é", "k3y-1".repeat(41)])(
    "refuses the key %j",
    async (apiKey) => {
      const refused = credentialsFrom({ apiKey }).get();

      await expect(refused).rejects.toThrow('Secret chat/prod/app-1 holds no key in "apiKey"');
      await expect(refused).rejects.not.toThrow("k3y-");
    },
  );
});

const families = ["webhook", "legacy", "bot", "notification", "extension", "moderation"];
const systemFields = [
  ...["appId", "region", "apiKey", "webhookSecret", rotatingField, takingBackField],
  ...families.flatMap((family) => [`${family}Username`, `${family}Password`]),
  ...Object.values(fieldsOf).flatMap(({ replaced, until }) => [replaced, until]),
];
const ownFields = ["ticketToken", "replacedLoginSecret", "botToken", "regionToken"];

const options = {
  readSecret: async () =>
    JSON.stringify(Object.fromEntries([...systemFields, ...ownFields].map((f) => [f, `the ${f} of a`]))),
  secretPrefix: "prefix",
  ages: usualSecretAges,
  now: () => 0,
};
const namedSecrets = createNamedSecrets(options);
const ofEndpoint = secretsByName(createAppSecret({ ...options, appId: "a" }), 1_000);

/** Each setting of a trigger, a flow or a function that names a field. */
const places: Record<string, (name: string) => unknown> = {
  "secret() in effects.request": secret,
  "the secret of triggers, flows and questions": (name) => namedSecrets("a", name),
  "the secret of custom functions": ofEndpoint,
  "the keys of logins": (name) =>
    jwtSettingsSchema.parse({
      issuer: "https://login.example.com",
      audience: ["chat"],
      keys: { secrets: ["loginKey", name], algorithms: ["HS256"] },
    }),
};

describe.each(Object.entries(places))("%s", (_, use) => {
  it.each(systemFields)("refuses the reserved field %s", async (name) => {
    await expect((async () => use(name))()).rejects.toThrow(/own|for this alone/);
  });

  it.each(ownFields)("accepts the field %s", async (name) => {
    await expect((async () => use(name))()).resolves.toBeDefined();
  });
});

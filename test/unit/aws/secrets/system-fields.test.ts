import { describe, expect, it } from "vitest";
import {
  createAppSecret,
  createNamedSecrets,
  secretsByName,
} from "../../../../lib/aws/secrets/app-secret.ts";
import { usualSecretAges } from "../../../../lib/base/secret-ages.ts";
import { secret } from "../../../../lib/effects/http/secret.ts";
import { jwtSettingsSchema } from "../../../../lib/endpoints/own/jwt/jwt-settings.ts";
import { fieldsOf, rotatingField, takingBackField } from "../../../../lib/operate/rotation/rotated-things.ts";

const families = ["webhook", "legacy", "bot", "notification", "extension", "moderation"];
const systemFields = [
  ...["appId", "region", "apiKey", "webhookSecret", rotatingField, takingBackField],
  ...families.flatMap((family) => [`${family}Username`, `${family}Password`]),
  ...Object.values(fieldsOf).flatMap(({ replaced, until }) => [replaced, until]),
];
const ownFields = ["ticketToken", "replacedLoginSecret", "botToken", "regionToken"];

const options = {
  readSecret: async () =>
    JSON.stringify(Object.fromEntries([...systemFields, ...ownFields].map((f) => [f, f]))),
  ...{ secretPrefix: "prefix", ages: usualSecretAges, now: () => 0 },
};
const namedSecrets = createNamedSecrets(options);
const ofEndpoint = secretsByName(createAppSecret({ ...options, appId: "a" }), 1_000);

/** Each place where a trigger, a flow or a function names a field. */
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
  it.each(systemFields)("refuses the system's own field %s", async (name) => {
    await expect((async () => use(name))()).rejects.toThrow(/own|for this alone/);
  });

  it.each(ownFields)("takes the field %s", async (name) => {
    await expect((async () => use(name))()).resolves.toBeDefined();
  });
});

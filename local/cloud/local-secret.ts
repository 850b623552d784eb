import { randomBytes, randomUUID } from "node:crypto";
import * as z from "zod/mini";
import type { CloudResource } from "./cloud-report.ts";
import type { SecretsEndpoint } from "./secrets-endpoint.ts";

/** Keeps an existing value. */
export function createSecret(
  properties: Record<string, unknown>,
  defaultName: string,
  { secrets, region }: { secrets: SecretsEndpoint; region: string },
): CloudResource {
  const secret = secretSchema.parse({ Name: defaultName, ...properties });
  const { Name: name, GenerateSecretString, SecretString = generate(GenerateSecretString) } = secret;
  const arnOf = () => secrets.contents().find((one) => one.name === name)?.arn;
  if (arnOf() === undefined) {
    const { Description } = secret;
    const input = { Name: name, ClientRequestToken: randomUUID(), Description, SecretString };
    secrets.call("CreateSecret", input, region);
  }
  return { type: "secret", name, arn: arnOf() ?? "" };
}

const generateSchema = z.object({
  SecretStringTemplate: z.optional(z.string()),
  GenerateStringKey: z.optional(z.string()),
  PasswordLength: z._default(z.coerce.number(), 32),
});

const secretSchema = z.object({
  Name: z.string(),
  Description: z.optional(z.string()),
  SecretString: z.optional(z.string()),
  GenerateSecretString: z.optional(generateSchema),
});

// Hexadecimal digits satisfy any likely ExcludePunctuation and ExcludeCharacters.
function generate(options: z.infer<typeof generateSchema> | undefined) {
  if (!options) return undefined;
  const { SecretStringTemplate: template, GenerateStringKey: key, PasswordLength: length } = options;
  const password = randomBytes(length).toString("hex").slice(0, length);
  if (template === undefined || key === undefined) return password;
  const fields = z.record(z.string(), z.unknown()).parse(JSON.parse(template));
  return JSON.stringify({ ...fields, [key]: password });
}

import { randomBytes, randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { AwsError } from "./aws-error.ts";
import type { CloudResource } from "./cloud-report.ts";
import type { SecretsEndpoint } from "./secrets-endpoint.ts";

/**
 * Creates a declared AWS::SecretsManager::Secret with its declared or a generated value, as CloudFormation does;
 * an existing secret keeps its value.
 */
export function createSecret(
  properties: Record<string, unknown>,
  defaultName: string,
  { secrets, region }: { secrets: SecretsEndpoint; region: string },
): CloudResource {
  const secret = secretSchema.parse({ Name: defaultName, ...properties });
  const SecretString = secret.SecretString ?? generate(secret.GenerateSecretString);
  const { Name, Description } = secret;
  const input = {
    Name,
    ClientRequestToken: randomUUID(),
    ...(Description !== undefined && { Description }),
    ...(SecretString !== undefined && { SecretString }),
  };
  try {
    secrets.call("CreateSecret", input, region);
  } catch (error) {
    if (!(error instanceof AwsError) || error.code !== "ResourceExistsException") throw error;
  }
  const { ARN: arn } = describedSchema.parse(secrets.call("DescribeSecret", { SecretId: Name }, region));
  return { type: "secret", name: Name, arn };
}

const describedSchema = z.object({ ARN: z.string() });

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
function generate(options: z.infer<typeof generateSchema> | undefined): string | undefined {
  if (!options) return undefined;
  const { SecretStringTemplate: template, GenerateStringKey: key, PasswordLength: length } = options;
  const password = randomBytes(length).toString("hex").slice(0, length);
  if (template === undefined || key === undefined) return password;
  const fields = z.record(z.string(), z.unknown()).parse(JSON.parse(template));
  return JSON.stringify({ ...fields, [key]: password });
}

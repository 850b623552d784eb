import { randomBytes } from "node:crypto";
import {
  CreateSecretCommand,
  DescribeSecretCommand,
  ResourceExistsException,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import * as z from "zod/mini";
import type { CloudResource } from "./cloud-report.ts";
import { localCredentials } from "./local-aws.ts";

/**
 * Creates a declared AWS::SecretsManager::Secret with its declared or a generated value, as CloudFormation does;
 * a secret of an earlier run keeps its value.
 */
export async function createSecret(
  properties: Record<string, unknown>,
  defaultName: string,
  { endpoint, region }: { endpoint: string; region: string },
): Promise<CloudResource> {
  const client = new SecretsManagerClient({ endpoint, region, credentials: localCredentials });
  const secret = secretSchema.parse({ Name: defaultName, ...properties });
  const SecretString = secret.SecretString ?? generate(secret.GenerateSecretString);
  try {
    const { Name, Description } = secret;
    const command = new CreateSecretCommand({
      Name,
      ...(Description !== undefined && { Description }),
      ...(SecretString !== undefined && { SecretString }),
    });
    await client.send(command).catch((error) => {
      if (!(error instanceof ResourceExistsException)) throw error;
    });
    const { ARN: arn = "" } = await client.send(new DescribeSecretCommand({ SecretId: Name }));
    return { type: "secret", name: Name, arn };
  } finally {
    client.destroy();
  }
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

// Hexadecimal digits satisfy every ExcludePunctuation and ExcludeCharacters that is likely to be declared.
function generate(options: z.infer<typeof generateSchema> | undefined): string | undefined {
  if (!options) return undefined;
  const { SecretStringTemplate: template, GenerateStringKey: key, PasswordLength: length } = options;
  const password = randomBytes(length).toString("hex").slice(0, length);
  if (template === undefined || key === undefined) return password;
  const fields = z.record(z.string(), z.unknown()).parse(JSON.parse(template));
  return JSON.stringify({ ...fields, [key]: password });
}

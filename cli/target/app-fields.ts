import { type AwsCaller, unlessNotFound } from "../../lib/aws/aws-call.ts";
import { ownCredentialsIn, parseSecret, type SecretFields } from "../../lib/aws/secrets/parse-secret.ts";
import { readBothSecrets, secretIdOf } from "../../lib/aws/secrets/read-secret-value.ts";
import { parseJson } from "../../lib/base/json.ts";
import { notThere } from "../cli-error.ts";

/** Hides the values in all output. */
export async function readAppFields(
  callAws: AwsCaller,
  secretPrefix: string,
  appId: string,
): Promise<SecretFields & { readonly all: Readonly<Record<string, unknown>> }> {
  const secretId = secretIdOf(secretPrefix, appId);
  const value = await unlessNotFound(readBothSecrets(callAws, secretPrefix, appId));
  if (value !== undefined) return { ...parseSecret(secretId, value), all: Object(parseJson(String(value))) };
  throw notThere(
    "NO_SECRET",
    `There is no secret ${secretId}.`,
    `Make it: npx cometchat-functions setup --app ${appId}`,
  );
}

export function credentialsOf({ text, optionalText }: SecretFields, family: string) {
  const prefix = ownCredentialsIn(optionalText)(family) ? family : "webhook";
  return { username: text(`${prefix}Username`), password: text(`${prefix}Password`) };
}

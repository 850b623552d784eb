import { isNotFound } from "../aws-call.ts";
import { parseSecret } from "./parse-secret.ts";

/**
 * Reads the Management API's credentials from their secret, `{key, secret}`.
 * @param secretId empty if the function may not read it
 * @returns undefined if there is no such secret
 * @throws what `read` throws, and InvalidSecretError if they are incomplete
 */
export async function readManagementCredentials(
  secretId: string,
  read: (secretId: string) => Promise<unknown>,
): Promise<{ readonly key: string; readonly secret: string } | undefined> {
  if (secretId === "") return undefined;
  try {
    const { text } = parseSecret(secretId, await read(secretId));
    // Blanks may have been pasted.
    return { key: text("key").trim(), secret: text("secret").trim() };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** In every local ARN. */
export const localAccountId = "000000000000";

/**
 * Simultaneous processes of one function, as in a new account.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_GetAccountSettings.html
 */
export const accountConcurrency = 10;

/** Invalid outside this machine. */
export const localCredentials = {
  accessKeyId: "local",
  secretAccessKey: "local",
  sessionToken: "local-session",
} as const;

/** The access key of a function. */
export function functionKeyId(functionKey: string): string {
  return `${localCredentials.accessKeyId}-${functionKey}`;
}

/** The access key of the local stack's console. */
export const consoleKeyId = "console";

/** Who signed a request. */
export function callerOfAuthorization(header: string | undefined): "function" | "console" | "other" {
  const [, keyId = ""] = header?.match(/Credential=([^/]+)\//) ?? [];
  if (keyId === consoleKeyId) return "console";
  return keyId.startsWith(functionKeyId("")) ? "function" : "other";
}

/** `Credential=key/date/region/service/aws4_request` */
export function regionOfAuthorization(header: string | undefined): string | undefined {
  return header?.match(/Credential=[^/]+\/\d{8}\/([a-z0-9-]+)\//)?.[1];
}

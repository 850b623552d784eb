export const localAccountId = "000000000000";

/** Of a new account. @see https://docs.aws.amazon.com/lambda/latest/api/API_GetAccountSettings.html */
export const accountConcurrency = 10;

/** Invalid outside this machine. */
export const localCredentials = {
  accessKeyId: "local",
  secretAccessKey: "local",
  sessionToken: "local-session",
} as const;

export function functionKeyId(functionKey: string): string {
  return `${localCredentials.accessKeyId}-${functionKey}`;
}

export const consoleKeyId = "console";

export function callerOfAuthorization(header: string | undefined): "function" | "console" | "other" {
  const [, keyId = ""] = header?.match(/Credential=([^/]+)\//) ?? [];
  if (keyId === consoleKeyId) return "console";
  return keyId.startsWith(functionKeyId("")) ? "function" : "other";
}

export function regionOfAuthorization(header: string | undefined): string | undefined {
  return header?.match(/Credential=[^/]+\/\d{8}\/([a-z0-9-]+)\//)?.[1];
}

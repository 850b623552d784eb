/** The account that every local ARN carries. */
export const localAccountId = "000000000000";

/**
 * How many processes of one function run at the same time, as in a new account.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_GetAccountSettings.html
 */
export const accountConcurrency = 10;

/** Credentials for local clients. They are invalid outside this machine. */
export const localCredentials = {
  accessKeyId: "local",
  secretAccessKey: "local",
  sessionToken: "local-session",
} as const;

/**
 * Returns the region of a SigV4 `Authorization` header (`Credential=key/date/region/service/aws4_request`).
 */
export function regionOfAuthorization(header: string | undefined): string | undefined {
  return header?.match(/Credential=[^/]+\/\d{8}\/([a-z0-9-]+)\//)?.[1];
}

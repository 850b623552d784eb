/** The account that every local ARN carries. */
export const localAccountId = "000000000000";

/** Credentials for local clients. They are invalid outside this machine. */
export const localCredentials = {
  accessKeyId: "local",
  secretAccessKey: "local",
  sessionToken: "local-session",
} as const;

/** Returns the region of a SigV4 `Authorization` header (`Credential=key/date/region/service/aws4_request`). */
export function regionOfAuthorization(header: string | undefined): string | undefined {
  return header?.match(/Credential=[^/]+\/\d{8}\/([a-z0-9-]+)\//)?.[1];
}

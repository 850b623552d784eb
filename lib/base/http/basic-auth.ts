import { isSameDigest, sha256 } from "../digest.ts";

export interface BasicCredentials {
  /** Has no colon, because the first colon ends it. */
  readonly username: string;
  readonly password: string;
}

/** The SHA-256 digest of the content of an `Authorization` header. Kept in memory instead of the password. */
export type CredentialsDigest = Buffer;

/**
 * Digests the credentials of an `Authorization: Basic …` header value. Equals `digestCredentials` of what the
 * sender encoded. The scheme's case and the padding do not matter. Nothing is decoded: input that is not a
 * user name and password in UTF-8 has a digest that matches no credentials.
 * @returns undefined if the header does not have this form
 * @see RFC 7617, section 2
 */
export function digestAuthorization(header: string | undefined): CredentialsDigest | undefined {
  if (header === undefined || header.slice(0, 6).toLowerCase() !== "basic ") return undefined;
  const token = /^ *([A-Za-z0-9+/]+={0,2}) *$/.exec(header.slice(6))?.[1];
  return token === undefined ? undefined : sha256(token.length % 4 === 0 ? token : padded(token));
}

/** Digests credentials, so that comparisons take the same time for every length and content. */
export function digestCredentials({ username, password }: BasicCredentials): CredentialsDigest {
  return sha256(Buffer.from(`${username}:${password}`, "utf8").toString("base64"));
}

/**
 * Returns true if the presented credentials match an accepted one. Compares with all of them in constant
 * time.
 */
export function matchesAny(presented: CredentialsDigest, accepted: readonly CredentialsDigest[]): boolean {
  let isMatch = false;
  for (const digest of accepted) isMatch = isSameDigest(presented, digest) || isMatch;
  return isMatch;
}

/** Pads to groups of four, as in base64. */
function padded(token: string): string {
  const digits = token.replace(/=+$/, "");
  return digits.padEnd(Math.ceil(digits.length / 4) * 4, "=");
}

import { isSameDigest, sha256 } from "../digest.ts";

export interface BasicCredentials {
  /** Has no colon: the first one ends it. */
  readonly username: string;
  readonly password: string;
}

/** The SHA-256 digest of what an `Authorization` header says: what is kept in memory instead of the password. */
export type CredentialsDigest = Buffer;

/**
 * Digests the credentials of an `Authorization: Basic …` header value, or gives undefined if it is not one. Equals
 * `digestCredentials` of what the sender encoded. Scheme name in any case, padding optional. Nothing is decoded: whatever
 * is no user name and password in UTF-8 has a digest that no credentials have.
 * @see RFC 7617, section 2
 */
export function digestAuthorization(header: string | undefined): CredentialsDigest | undefined {
  if (header === undefined || header.slice(0, 6).toLowerCase() !== "basic ") return undefined;
  const token = /^ *([A-Za-z0-9+/]+={0,2}) *$/.exec(header.slice(6))?.[1];
  return token === undefined ? undefined : sha256(token.length % 4 === 0 ? token : padded(token));
}

/** Digests credentials, so that comparing takes the same time whatever their length and content. */
export function digestCredentials({ username, password }: BasicCredentials): CredentialsDigest {
  return sha256(Buffer.from(`${username}:${password}`, "utf8").toString("base64"));
}

/** Tells whether the presented credentials are one of the accepted ones, comparing with all of them in constant time. */
export function matchesAny(presented: CredentialsDigest, accepted: readonly CredentialsDigest[]): boolean {
  let isMatch = false;
  for (const digest of accepted) isMatch = isSameDigest(presented, digest) || isMatch;
  return isMatch;
}

/** As base64 is written, in groups of four. */
function padded(token: string): string {
  const digits = token.replace(/=+$/, "");
  return digits.padEnd(Math.ceil(digits.length / 4) * 4, "=");
}

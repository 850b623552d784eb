import { isSameDigest, sha256 } from "../digest.ts";
import { lazy } from "../lazy.ts";

export interface BasicCredentials {
  /** Has no colon, because the first one ends it. */
  readonly username: string;
  readonly password: string;
}

/** The digest of an `Authorization` header's content, kept instead of the password. */
export type CredentialsDigest = Buffer;

/** Compared where there are no credentials, so that the time reveals nothing. */
export const noCredentials = lazy((): CredentialsDigest => Buffer.alloc(32));

/**
 * Returns the digest of a header, equal to `digestCredentials` of what the sender encoded, whatever the
 * scheme's case and the padding. Decodes nothing.
 * @returns undefined if the header does not have this form
 * @see RFC 7617, section 2
 */
export function digestAuthorization(header: string | undefined): CredentialsDigest | undefined {
  if (header === undefined || header.slice(0, 6).toLowerCase() !== "basic ") return undefined;
  const token = /^ *([A-Za-z0-9+/]+={0,2}) *$/.exec(header.slice(6))?.[1];
  return token === undefined ? undefined : sha256(token.length % 4 === 0 ? token : padded(token));
}

/** Comparing digests takes the same time for every length and content. */
export function digestCredentials({ username, password }: BasicCredentials): CredentialsDigest {
  return sha256(Buffer.from(`${username}:${password}`, "utf8").toString("base64"));
}

/** Compares with all of them in constant time. */
export function matchesAny(presented: CredentialsDigest, accepted: readonly CredentialsDigest[]): boolean {
  let isMatch = false;
  for (const digest of accepted) isMatch = isSameDigest(presented, digest) || isMatch;
  return isMatch;
}

function padded(token: string): string {
  const digits = token.replace(/=+$/, "");
  return digits.padEnd(Math.ceil(digits.length / 4) * 4, "=");
}

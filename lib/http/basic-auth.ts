import { isSameDigest, sha256 } from "../digest.ts";

export interface BasicCredentials {
  /** Has no colon: the first one ends it. */
  readonly username: string;
  readonly password: string;
}

/** The SHA-256 digest of `username:password`: what is kept in memory instead of the password. */
export type CredentialsDigest = Buffer;

/**
 * Reads an `Authorization: Basic …` header value, or gives undefined if it is not one.
 * Scheme name in any case; base64 of UTF-8; split at the first colon, so passwords may contain colons.
 * @see RFC 7617, section 2
 */
export function parseBasicAuthorization(header: string | undefined): BasicCredentials | undefined {
  if (header === undefined || header.slice(0, 6).toLowerCase() !== "basic ") return undefined;
  const token = /^ *([A-Za-z0-9+/]+={0,2}) *$/.exec(header.slice(6))?.[1];
  if (token === undefined) return undefined;
  const decoded = decodeUtf8(Buffer.from(token, "base64"));
  const colon = decoded?.indexOf(":") ?? -1;
  if (decoded === undefined || colon === -1) return undefined;
  return { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

/** Digests credentials, so that comparing takes the same time whatever their length and content. */
export function digestCredentials({ username, password }: BasicCredentials): CredentialsDigest {
  return sha256(`${username}:${password}`);
}

/** Tells whether the presented credentials are one of the accepted ones, comparing with all of them in constant time. */
export function matchesAny(presented: CredentialsDigest, accepted: readonly CredentialsDigest[]): boolean {
  let isMatch = false;
  for (const digest of accepted) isMatch = isSameDigest(presented, digest) || isMatch;
  return isMatch;
}

/** Node's own check instead of a TextDecoder, whose making costs a cold start as much as reading this module. */
function decodeUtf8(bytes: Buffer): string | undefined {
  return process.getBuiltinModule("node:buffer").isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

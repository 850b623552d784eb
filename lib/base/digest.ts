import type { BinaryLike, BinaryToTextEncoding, KeyObject } from "node:crypto";
import { lazy } from "./lazy.ts";

// Node's crypto is asked for when it is first needed: `import` would load it, and WebCrypto with it, when the bundle
// is loaded, which costs more than everything else the receiver does by then (docs/performance.md).
const loadCrypto = lazy(() => process.getBuiltinModule("node:crypto"));

/** Gives the SHA-256 digest of text (as UTF-8) or bytes, as a lower-case hexadecimal number. */
export function sha256Hex(data: string | Uint8Array): string {
  return loadCrypto().hash("sha256", data, "hex");
}

/** Gives the 32 bytes of the SHA-256 digest of text (as UTF-8) or bytes. */
export function sha256(data: string | Uint8Array): Buffer {
  return loadCrypto().hash("sha256", data, "buffer");
}

/** Gives the HMAC with SHA-256 of text (as UTF-8) or bytes, as 32 bytes or in an encoding. */
export function hmacSha256(key: BinaryLike | KeyObject, data: string | Uint8Array): Buffer;
export function hmacSha256(
  key: BinaryLike | KeyObject,
  data: string | Uint8Array,
  encoding: BinaryToTextEncoding,
): string;
export function hmacSha256(
  key: BinaryLike | KeyObject,
  data: string | Uint8Array,
  encoding?: BinaryToTextEncoding,
): Buffer | string {
  const hmac = loadCrypto().createHmac("sha256", key).update(data);
  return encoding === undefined ? hmac.digest() : hmac.digest(encoding);
}

/** Prepares a key that many HMACs are made with: each is then six times as fast. */
export function prepareKey(key: Buffer): KeyObject {
  return loadCrypto().createSecretKey(key);
}

/** Compares two digests of equal length in constant time. */
export function isSameDigest(one: Buffer, other: Buffer): boolean {
  return loadCrypto().timingSafeEqual(one, other);
}

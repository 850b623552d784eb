import type { BinaryLike, BinaryToTextEncoding, KeyObject } from "node:crypto";
import { lazy } from "./lazy.ts";

// Loads Node's crypto on first use. `import` would load it together with WebCrypto at the cold start, which
// costs more than everything else that the receiver does by then (docs/internals/performance.md).
const loadCrypto = lazy(() => process.getBuiltinModule("node:crypto"));

/** Returns the SHA-256 digest of text (as UTF-8) or bytes, in lower-case hexadecimal. */
export function sha256Hex(data: string | Uint8Array): string {
  return loadCrypto().hash("sha256", data, "hex");
}

/** Returns the 32 bytes of the SHA-256 digest of text (as UTF-8) or bytes. */
export function sha256(data: string | Uint8Array): Buffer {
  return loadCrypto().hash("sha256", data, "buffer");
}

/** Returns the HMAC-SHA-256 of text (as UTF-8) or bytes, as 32 bytes or in an encoding. */
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

/** Prepares a key for many HMACs, each of which is then six times as fast. */
export function prepareKey(key: Buffer): KeyObject {
  return loadCrypto().createSecretKey(key);
}

/** Compares two digests of equal length in constant time. */
export function isSameDigest(one: Buffer, other: Buffer): boolean {
  return loadCrypto().timingSafeEqual(one, other);
}

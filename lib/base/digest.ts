import type { BinaryLike, BinaryToTextEncoding, KeyObject } from "node:crypto";
import { lazy } from "./lazy.ts";

// `import` would load it with WebCrypto at the cold start, which costs more than all else the receiver does
// by then (docs/internals/performance.md).
const loadCrypto = lazy(() => process.getBuiltinModule("node:crypto"));

/** Returns the digest of a text (as UTF-8) or bytes, in lower-case hexadecimal. */
export function sha256Hex(data: string | Uint8Array): string {
  return loadCrypto().hash("sha256", data, "hex");
}

export function sha256(data: string | Uint8Array): Buffer {
  return loadCrypto().hash("sha256", data, "buffer");
}

/** Text counts as UTF-8. */
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

/** Makes many HMACs six times as fast. */
export function prepareKey(key: Buffer): KeyObject {
  return loadCrypto().createSecretKey(key);
}

/** Compares digests of equal length in constant time. */
export function isSameDigest(one: Buffer, other: Buffer): boolean {
  return loadCrypto().timingSafeEqual(one, other);
}

import { hiderOf } from "../base/known-secrets.ts";

/** @see docs/internals/platform/addressing-and-keys.md#api-keys */
const keyShaped = /[0-9a-f]{40,}/gi;

/** Removes the given secrets and everything in the form of a platform key. */
export function redact(text: string, secrets: Iterable<string>): string {
  return hiderOf(secrets)(text).replace(keyShaped, "[redacted]");
}

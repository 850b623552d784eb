import { hmacSha256 } from "../../base/digest.ts";
import { canonicalText } from "../../events/canonical-text.ts";

/** Includes secrets: useless without the key. */
export function stateDigest(key: string, state: unknown): string {
  return hmacSha256(key, canonicalText(state), "hex").slice(0, 32);
}

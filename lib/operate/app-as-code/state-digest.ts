import { hmacSha256 } from "../../base/digest.ts";
import { canonicalText } from "../../events/canonical-text.ts";

/** Returns a digest of a state, including secrets: equal for equal states, and useless without the key. */
export function stateDigest(key: string, state: unknown): string {
  return hmacSha256(key, canonicalText(state), "hex").slice(0, 32);
}

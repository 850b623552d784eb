import { hmacSha256 } from "../../base/digest.ts";
import { canonicalText } from "../../events/canonical-text.ts";

/** Stands for a state, secrets included: equal for equal states, and of no use to who lacks the key. */
export function stateDigest(key: string, state: unknown): string {
  return hmacSha256(key, canonicalText(state), "hex").slice(0, 32);
}

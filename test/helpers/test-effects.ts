import type { EffectTools } from "../../lib/effects/effect.ts";
import { createEffects } from "../../lib/effects/effects.ts";
import { createPerform, type PerformOptions } from "../../lib/effects/perform.ts";

/** Effects of one trigger on one fact, that nobody watches. */
export function createTestEffects({
  ledger,
  key,
  receivedAt,
  onDone,
  token,
  ...tools
}: Omit<PerformOptions, "tools"> & EffectTools) {
  const perform = createPerform({ ledger, key, receivedAt, onDone, token, tools });
  return createEffects(perform, (begun) => begun, tools);
}

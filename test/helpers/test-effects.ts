import type { EffectTools } from "../../lib/effects/effect.ts";
import { createEffects } from "../../lib/effects/effects.ts";
import { createPerform, type PerformOptions } from "../../lib/effects/perform.ts";
import { noOutside } from "./no-outside.ts";

/** Effects of one trigger on one fact, that nobody watches. */
export function createTestEffects({
  ledger,
  key,
  receivedAt,
  onDone,
  onEnd,
  token,
  ...tools
}: Omit<PerformOptions, "tools"> & Omit<EffectTools, keyof typeof noOutside> & Partial<EffectTools>) {
  const all = { ...noOutside, ...tools };
  const perform = createPerform({ ledger, key, receivedAt, onDone, onEnd, token, tools: all });
  return createEffects(perform, (begun) => begun, all);
}

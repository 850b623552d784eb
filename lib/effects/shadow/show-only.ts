import type { Count } from "../../base/count-metric.ts";
import type { Log } from "../../base/log.ts";
import type { Guard } from "../../chat/compose.ts";
import { type EffectTools, logEffect, type Steps, type Suppression } from "../effect.ts";
import { ShadowEndedError } from "../effect-errors.ts";
import { effectKey, ledgerIdOf } from "../ledger.ts";
import type { EndedEffect, Perform } from "../perform.ts";

export interface ShownRun {
  readonly appId: string;
  readonly name: string;
  readonly log: Log;
  readonly count: Count;
  readonly onOutcome?: (effect: EndedEffect, how: Suppression | "shadow") => void;
}

/**
 * Shows effects instead of performing them, again at each repetition. Throws EventEndedError if the attempt
 * is over, ShadowEndedError if the run needs the result, and what the effect's check throws.
 */
export function createShowOnly(run: ShownRun, tools: EffectTools, key: () => Promise<string>): Perform {
  return async (name, effect) => {
    tools.limits.assertAlive();
    const of = await key();
    const ofEffect = effectKey(of, name);
    const steps = effect.stepsWith(tools, ofEffect);
    const { kind } = effect;
    const onSuppressed = (how: Suppression) => {
      run.onOutcome?.({ name, kind }, how);
      logEffect(run.log, { effect: name, kind, how });
    };
    if ("read" in steps) {
      const done = await doneAllTheSame(steps, effect.isKeptApart, onSuppressed);
      if (done !== undefined) return steps.read(done.result, { name, id: ledgerIdOf(ofEffect), of });
    } else {
      const done = await doneAllTheSame(steps, effect.isKeptApart, onSuppressed);
      if (done !== undefined) return done.result;
    }
    run.log.info("would have done an effect", { effect: name, kind });
    showEnd(run, { name, kind });
    if (effect.inShadow !== undefined) return effect.inShadow;
    throw new ShadowEndedError(`${kind}, its effect "${name}"`);
  };
}

async function doneAllTheSame<T>(
  { ask, act, suppressedBy }: Steps<T>,
  isKeptApart: boolean | undefined,
  onSuppressed: (how: Suppression) => void,
): Promise<{ readonly result: T } | undefined> {
  const asked = await ask?.();
  if (asked !== undefined) {
    const why = suppressedBy?.(asked);
    if (why !== undefined) onSuppressed(why);
    return { result: asked };
  }
  return isKeptApart === true ? { result: await act(false) } : undefined;
}

export function readOnly(run: ShownRun, guard: Guard): Guard {
  return async (request, options, send) => {
    if (request.method === "GET") return guard(request, options, send);
    run.log.info("would have sent a request", { operation: request.operation });
    // The operation may be a path with customers' ids.
    showEnd(run, { name: request.operation, kind: "chat-request" });
    throw new ShadowEndedError(request.operation);
  };
}

function showEnd({ appId, name, count, onOutcome }: ShownRun, effect: EndedEffect) {
  count("EffectShadowed", { appId, trigger: name, effect: effect.kind });
  onOutcome?.(effect, "shadow");
}

import type { Count } from "../../base/count-metric.ts";
import type { Log } from "../../base/log.ts";
import type { Guard } from "../../chat/guard.ts";
import type { EffectTools, Steps } from "../effect.ts";
import { effectKey } from "../effect-key.ts";
import { type HeldBack, logEffect } from "../effect-outcome.ts";
import { ledgerIdOf } from "../ledger.ts";
import type { Perform } from "../perform.ts";
import { ShadowEndedError } from "./shadow-ended-error.ts";

/** Whose effects are only shown. */
export interface ShownRun {
  readonly appId: string;
  /** The trigger's or flow's name in its table. */
  readonly name: string;
  /** Its lines name the event. */
  readonly log: Log;
  readonly count: Count;
}

/**
 * Makes what shows a run's effects and does none: whether there is anything to do is asked as ever, what would be done is
 * logged and counted, and nothing is written anywhere. May be repeated: then it is shown again.
 * The effects throw EventEndedError when the attempt is over, ShadowEndedError where the run cannot go on without the
 * effect, and what asking throws.
 * @param key of `triggerKey`, asked for when the first effect is
 */
export function createShowOnly(run: ShownRun, tools: EffectTools, key: () => Promise<string>): Perform {
  return async (name, effect) => {
    tools.scope.assertAlive();
    const of = await key();
    const ofEffect = effectKey(of, name);
    const steps = effect.stepsWith(tools, ofEffect);
    const onHeldBack = (how: HeldBack) => logEffect(run.log, { effect: name, how });
    if ("read" in steps) {
      const done = await doneAllTheSame(steps, effect.isKeptApart, onHeldBack);
      if (done !== undefined) return steps.read(done.result, { name, id: ledgerIdOf(ofEffect), of });
    } else {
      const done = await doneAllTheSame(steps, effect.isKeptApart, onHeldBack);
      if (done !== undefined) return done.result;
    }
    run.log.info("would have done an effect", { effect: name, kind: effect.kind });
    countShown(run, effect.kind);
    if (effect.inShadow !== undefined) return effect.inShadow;
    throw new ShadowEndedError(`${effect.kind}, its effect "${name}"`);
  };
}

/** Gives the result where nothing is to be done, or where it is done in shadow, too; undefined where it is to be shown. */
async function doneAllTheSame<T>(
  { ask, act, heldBack }: Steps<T>,
  isKeptApart: boolean | undefined,
  onHeldBack: (how: HeldBack) => void,
): Promise<{ readonly result: T } | undefined> {
  const asked = await ask?.();
  if (asked !== undefined) {
    const why = heldBack?.(asked);
    if (why !== undefined) onHeldBack(why);
    return { result: asked };
  }
  return isKeptApart === true ? { result: await act(false) } : undefined;
}

/**
 * Makes what lets a run's own requests read, and shows all others in place of sending them.
 * @param guard stands before those that read
 */
export function readOnly(run: ShownRun, guard: Guard): Guard {
  return async (request, options, send) => {
    if (request.method === "GET") return guard(request, options, send);
    run.log.info("would have sent a request", { operation: request.operation });
    // The operation may be a path, which has ids of the customer's in it.
    countShown(run, "chat-request");
    throw new ShadowEndedError(request.operation);
  };
}

function countShown({ appId, name, count }: ShownRun, effect: string): void {
  count("EffectShadowed", { appId, trigger: name, effect });
}

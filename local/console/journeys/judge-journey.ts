import {
  isEnd,
  type OutcomeFields,
  outcomeFields,
  outcomes,
  summarize,
} from "../../../lib/effects/outcomes.ts";
import { flowsStep } from "../../../lib/flows/wake-flows.ts";
import type { DeliveryTry, Judgement } from "../api/journeys.ts";
import { handlerOf, type Journey, type KeptAttempt, type KeptRun } from "./journey.ts";

/** Judges a delivery by what happened to its event, independent of the receiver's response. */
export function judgeJourney(journey: Journey): Judgement {
  const { messages, quarantined, tries, state, receptions, isOld } = journey;
  if (messages.length > 0) return judgeMessages(journey);
  if (quarantined !== undefined) return judged(quarantinedFields(quarantined));
  const last = tries.at(-1);
  if (state === "pending") {
    if (last === undefined) return running("on its way");
    return { verdict: "waiting", title: "not delivered yet", why: `${told(last)}; the platform will retry` };
  }
  if (state === "lost")
    return { verdict: "failed", title: "not delivered", why: last === undefined ? "lost" : told(last) };
  if (receptions.some(({ sent }) => sent.some(({ isRepeated }) => isRepeated)))
    return { verdict: "nothing", title: "repeated", why: "the queue already has this event" };
  if (isOld) return { verdict: "unknown", title: "not known", why: "delivered before this start" };
  if (receptions.length > 0)
    return { verdict: "nothing", title: "answered", why: "answered, but not sent to a queue" };
  return { verdict: "done", title: "delivered", why: "delivered elsewhere" };
}

export function quarantinedFields({ cause, reason }: NonNullable<Journey["quarantined"]>): OutcomeFields {
  return outcomeFields("quarantined", { cause: cause || reason });
}

function told({ status, error }: DeliveryTry): string {
  return error ?? (status === undefined ? "no answer" : `answered ${status}`);
}

function judgeMessages({ messages, quarantined }: Journey): Judgement {
  const runs = [...lastRuns(messages.flatMap(({ attempts }) => attempts)).values()];
  const failed = runs.filter(({ outcome }) => outcome === "failed");
  const { buried, attempts } = messages.at(-1) ?? { attempts: [] };
  const last = attempts.at(-1);
  if (buried !== undefined) return judged(outcomeFields("dead-lettered", buried));
  if (failed.length > 0) return judged(summarizeRuns(failed));
  if (quarantined !== undefined && !runs.some(({ outcome }) => outcome !== "running" && isEnd(outcome)))
    return judged(quarantinedFields(quarantined));
  return last === undefined ? running("in the queue") : judgeAttempt({ ...last, runs });
}

export function judgeAttempt({ outcome, why, ended, runs }: KeptAttempt): Judgement {
  if (outcome === "running") return running("being handled");
  if (outcome !== "handled") return judged({ outcome, why });
  return judged(summarizeRuns(runs, ended));
}

/** Without an end at a LOG_LEVEL that does not log it, or because the process ended. */
export function judgeRun({ outcome, why }: KeptRun, attempt: KeptAttempt): Judgement {
  if (outcome !== "running") return judged({ outcome, why });
  const { ended = outcomeFields("interrupted") } = attempt;
  return attempt.outcome === "running" ? running("being handled") : judged(ended);
}

function summarizeRuns(runs: readonly KeptRun[], ended?: OutcomeFields): OutcomeFields {
  const known = runs.flatMap(({ outcome, why, step }) => {
    const trigger = handlerOf({ step });
    return outcome === "running" ? [] : [{ outcome, why, trigger: trigger === flowsStep ? "" : trigger }];
  });
  return known.length === 0 && ended !== undefined ? ended : summarize(known);
}

function judged({ outcome, why }: OutcomeFields): Judgement {
  const { kind: verdict, title } = outcomes[outcome];
  return { verdict, title, why };
}

const running = (why: string): Judgement => ({ verdict: "running", title: "running", why });

/** A later success replaces a failure. A woken flow no longer waits, so later attempts do not name it. */
export function lastRuns(attempts: readonly KeptAttempt[]): ReadonlyMap<string, KeptRun> {
  const inOrder = attempts.toSorted((one, other) => one.atMs - other.atMs);
  const last = new Map<string, KeptRun>();
  for (const run of inOrder.flatMap(({ runs }) => runs)) {
    const woke = [...new Set([...(last.get(run.step)?.woke ?? []), ...run.woke])];
    const isWoken = woke.length > 0 && run.outcome !== "failed";
    last.set(run.step, { ...run, woke, ...(isWoken && outcomeFields("woke-flow", { flows: woke })) });
  }
  return last;
}

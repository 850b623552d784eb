import {
  isEnd,
  laterOutcome,
  type OutcomeFields,
  outcomeFields,
  outcomes,
  summarize,
} from "../../../lib/effects/outcomes.ts";
import { flowsStep } from "../../../lib/flows/wake-flows.ts";
import type { DeliveryTry, Judgement } from "../api/journeys.ts";
import {
  handlerOf,
  isOfEvents,
  isQuarantined,
  type Journey,
  type KeptAttempt,
  type KeptRun,
  type SetAsideNow,
} from "./journey.ts";

/** Judges a delivery by what happened to its event, whatever the receiver's response. */
export function judgeJourney(journey: Journey, setAside: SetAsideNow): Judgement {
  const judgement = judgeKept(journey);
  return judgement.verdict === "failed" && isDropped(journey, setAside)
    ? { verdict: "nothing", title: "dropped", why: `It was deleted for good. Before: ${judgement.why}` }
    : judgement;
}

/** Returns whether it was dropped: dead-lettered or quarantined before, and not replayed. */
function isDropped(journey: Journey, { deadLetters, quarantine }: SetAsideNow) {
  const { messages, quarantined, facts } = journey;
  if (messages.at(-1)?.deadLettered !== undefined) return !deadLetters.has(facts.deliveryKey ?? "");
  const { messageId } = (isQuarantined(journey) && quarantined) || {};
  return messageId !== undefined && !quarantine.has(messageId);
}

function judgeKept(journey: Journey): Judgement {
  const { messages, quarantined, tries, state, awaited, receptions, isOld } = journey;
  if (messages.length > 0) return judgeMessages(journey);
  if (quarantined !== undefined) return judged(quarantinedFields(quarantined));
  const last = tries.at(-1);
  const isUnanswered = isOld ? tries.some(({ status = 500 }) => status >= 500) : awaited > 0;
  if (state === "pending") {
    if (last === undefined) return running("on its way");
    const isSilent = isUnanswered && last.status === undefined;
    const title = isSilent ? "no answer yet" : "not delivered yet";
    return { verdict: "waiting", title, why: `${describeTry(last)}; the platform will retry` };
  }
  if (receptions.some(({ sent }) => sent.some(({ queue }) => isOfEvents(queue))))
    return { verdict: "nothing", title: "repeated", why: "the queue already has this event" };
  if (state === "lost") {
    const why = last === undefined ? "lost" : describeTry(last);
    if (isUnanswered) return unknown(`${why}; but the receiver may have stored it`);
    return { verdict: "failed", title: "not delivered", why };
  }
  if (isOld) return unknown("delivered before this start");
  if (receptions.length > 0)
    return { verdict: "nothing", title: "answered", why: "answered, but not sent to a queue" };
  return { verdict: "done", title: "delivered", why: "delivered elsewhere" };
}

export function quarantinedFields({ cause, reason }: NonNullable<Journey["quarantined"]>): OutcomeFields {
  return outcomeFields("quarantined", { cause: cause || reason });
}

function describeTry({ status, error }: DeliveryTry) {
  return error?.replace(/\.$/, "") ?? (status === undefined ? "no answer" : `answered ${status}`);
}

function judgeMessages({ messages, quarantined }: Journey): Judgement {
  const replaced = replacedSteps(messages);
  const runs = [...lastRuns(messages.flatMap(({ attempts }) => attempts)).values()].filter(
    ({ outcome, step }) => outcome !== "failed" || !replaced.has(step),
  );
  const failed = runs.filter(({ outcome }) => outcome === "failed");
  const { deadLettered, attempts } = messages.at(-1) ?? { attempts: [] };
  const last = attempts.at(-1);
  if (deadLettered !== undefined) return judged(outcomeFields("dead-lettered", deadLettered));
  if (failed.length > 0) return judged(summarizeRuns(failed));
  if (quarantined !== undefined && !runs.some(({ outcome }) => outcome !== "running" && isEnd(outcome)))
    return judged(quarantinedFields(quarantined));
  return last === undefined ? running("in the queue") : judgeAttempt({ ...last, runs });
}

/** A handled replay replaces earlier failures of its lane, also of removed triggers. */
function replacedSteps(messages: Journey["messages"]): ReadonlySet<string> {
  const replayed = messages.findLastIndex(
    ({ isReplay, attempts }) =>
      isReplay &&
      attempts.some(({ outcome, triggerLane }) => outcome === "handled" && triggerLane === undefined),
  );
  const replaced = new Set<string>();
  const kept = new Set<string>();
  for (const [index, { attempts }] of messages.entries()) {
    for (const { runs, triggerLane } of attempts) {
      const steps = index < replayed && triggerLane === undefined ? replaced : kept;
      for (const { step } of runs) steps.add(step);
    }
  }
  return replaced.difference(kept);
}

export function judgeAttempt({ outcome, why, ended, runs }: KeptAttempt): Judgement {
  if (outcome === "running") return running("being handled");
  if (outcome !== "handled") return judged({ outcome, why });
  return judged(summarizeRuns(runs, ended));
}

/** Judges a run. It may lack an end: at a LOG_LEVEL that omits it, or after a crash. */
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

export const unknown = (why: string): Judgement => ({ verdict: "unknown", title: "not known", why });
const running = (why: string): Judgement => ({ verdict: "running", title: "running", why });

/**
 * Returns the last run of each step. A later success replaces a failure; completed steps stay. Flows that
 * need no wake-up write no line.
 */
export function lastRuns(attempts: readonly KeptAttempt[]): ReadonlyMap<string, KeptRun> {
  const inOrder = attempts.toSorted((one, other) => one.atMs - other.atMs);
  const last = new Map<string, KeptRun>();
  for (const [index, { runs, triggerLane }] of inOrder.entries()) {
    const isHandled = inOrder
      .slice(index + 1)
      .some((later) => later.outcome === "handled" && later.triggerLane === triggerLane);
    for (const run of runs) {
      const before = last.get(run.step);
      const woke = [...new Set([...(before?.woke ?? []), ...run.woke])];
      const isOver = isHandled && handlerOf(run) === flowsStep;
      const isWoken = woke.length > 0 && (isOver || run.outcome !== "failed");
      if (isOver && !isWoken) continue;
      last.set(run.step, {
        ...run,
        woke,
        ...laterOutcome(before, run),
        ...(isWoken && outcomeFields("woke-flow", { flows: woke })),
      });
    }
  }
  return last;
}

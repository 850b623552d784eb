import { isHeldBack } from "../../../lib/effects/effect.ts";
import {
  effectOutcomeText,
  nothingRanText,
  passReasonText,
  wokeText,
} from "../../../lib/handle/outcome-texts.ts";
import type { JourneyVerdict, TriggerRunView } from "../api/journeys.ts";
import type { Journey, KeptAttempt, KeptCall, KeptMessage, KeptRun } from "./journey.ts";
import type { JourneyStore } from "./journey-store.ts";
import { handlerOf } from "./note-attempt-line.ts";

export interface Judgement {
  readonly verdict: JourneyVerdict;
  readonly why: string;
}

/** Judges a delivery by what happened to its event, independent of the receiver's response. */
export function judgeJourney(journey: Journey, store: Pick<JourneyStore, "messages" | "calls">): Judgement {
  const messages = [...journey.messageIds].flatMap((id) => store.messages.get(id) ?? []);
  if (messages.length > 0) return judgeMessages(journey, messages, store);
  if (journey.quarantined !== undefined) {
    return {
      verdict: "failed",
      why: `quarantined: ${journey.quarantined.problems || journey.quarantined.reason}`,
    };
  }
  const last = journey.tries.at(-1);
  if (journey.state === "pending") {
    const why = last === undefined ? "on its way" : `${told(last)}; the platform will retry`;
    return { verdict: last === undefined ? "running" : "waiting", why };
  }
  if (journey.state === "lost") return { verdict: "failed", why: last === undefined ? "lost" : told(last) };
  if (journey.receptions.some(({ sent }) => sent.some(({ isRepeated }) => isRepeated))) {
    return { verdict: "nothing", why: "the queue already has this event" };
  }
  if (journey.isOld) return { verdict: "unknown", why: "delivered before this start" };
  if (journey.receptions.length > 0) return { verdict: "nothing", why: "answered, but not sent to a queue" };
  return { verdict: "done", why: "delivered elsewhere" };
}

function told({
  status,
  error,
}: {
  readonly status: number | undefined;
  readonly error: string | undefined;
}) {
  return error ?? (status === undefined ? "no answer" : `answered ${status}`);
}

function judgeMessages(
  journey: Journey,
  messages: readonly KeptMessage[],
  store: Pick<JourneyStore, "calls">,
): Judgement {
  const attempts = messages.flatMap((message) => message.attempts);
  const runs = [...lastRuns(attempts).values()];
  const failed = runs.find(
    ({ outcome, failure }) => outcome === "failed" && !isWaitedFor(failure?.kind, failure),
  );
  const last = messages.at(-1);
  const lastAttempt = last?.attempts.at(-1);
  if (failed?.failure !== undefined) {
    return { verdict: "failed", why: `${handlerOf(failed)}: ${failed.failure.cause}` };
  }
  if (last?.buried !== undefined) return { verdict: "failed", why: `buried: ${last.buried.cause}` };
  if (journey.quarantined !== undefined && !runs.some(({ outcome }) => outcome === "ended")) {
    return {
      verdict: "failed",
      why: `quarantined: ${journey.quarantined.problems || journey.quarantined.reason}`,
    };
  }
  if (lastAttempt === undefined) return { verdict: "running", why: "in the queue" };
  switch (lastAttempt.outcome) {
    case "running":
      return { verdict: "running", why: "being handled" };
    case "waits":
    case "died":
    case "behind":
      return { verdict: "waiting", why: lastAttempt.why || "waits" };
  }
  return judgeRuns(runs, lastAttempt, store);
}

function judgeRuns(
  runs: readonly KeptRun[],
  { isDetailed, ranBefore }: Pick<KeptAttempt, "isDetailed" | "ranBefore">,
  store: Pick<JourneyStore, "calls">,
): Judgement {
  const said = runs.map((run) => {
    // The event is handled: some flows' failed wake-ups no longer matter.
    const outcome = run.woke.length > 0 ? "woke" : outcomeOf(run, store);
    return { handler: handlerOf(run), outcome, why: whyOf(run, outcome, isDetailed), run };
  });
  const paused = said.find(({ outcome }) => outcome === "paused" || outcome === "beside");
  if (paused !== undefined) return { verdict: "waiting", why: `${paused.handler}: ${paused.why}` };
  const acted = said.filter(({ outcome }) => outcome === "acted" || outcome === "woke");
  if (acted.length > 0) {
    const why = acted
      .map(({ outcome, handler, why: woke }) => (outcome === "woke" ? woke : handler))
      .join(", ");
    return { verdict: "done", why };
  }
  if (!isDetailed) return { verdict: "unknown", why: untold };
  for (const left of ["heldBack", "passedOver", "already"] as const) {
    const first = said.find(({ outcome }) => outcome === left);
    if (first !== undefined) return { verdict: "nothing", why: `${first.handler}: ${first.why}` };
  }
  const shown = said.filter(({ run }) => run.isShadow).map(({ handler }) => handler);
  if (shown.length > 0) return { verdict: "nothing", why: `only shown: ${shown.join(", ")}` };
  return { verdict: "nothing", why: runs.length === 0 ? nothingRanText(ranBefore) : "no trigger acted" };
}

/** Shown if DEBUG lines are missing. */
export const untold = "triggers are not logged at this LOG_LEVEL";

/** Outages only, not a trigger's own errors. */
function isWaitedFor(kind: string | undefined, failure: KeptRun["failure"]): boolean {
  return failure?.isFinal !== true && (kind === "ill" || kind === "later");
}

/** A later success replaces a failure. A woken flow no longer waits, so later attempts do not name it. */
export function lastRuns(attempts: readonly KeptAttempt[]): ReadonlyMap<string, KeptRun> {
  const inOrder = attempts.toSorted((one, other) => one.atMs - other.atMs);
  const last = new Map<string, KeptRun>();
  for (const run of inOrder.flatMap(({ runs }) => runs)) {
    const woke = [...new Set([...(last.get(run.step)?.woke ?? []), ...run.woke])];
    last.set(run.step, { ...run, woke });
  }
  return last;
}

export function outcomeOf(
  { outcome, effects, woke, calls }: KeptRun,
  store: { readonly calls: ReadonlyMap<number, Pick<KeptCall, "method">> },
): TriggerRunView["outcome"] {
  if (woke.length > 0 && outcome !== "failed") return "woke";
  if (outcome !== "ended") return outcome;
  const hasWritten = calls.some((id) => (store.calls.get(id)?.method ?? "GET") !== "GET");
  if (hasWritten || effects.some(({ how }) => how === "now")) return "acted";
  if (effects.some(({ how }) => isHeldBack(how))) return "heldBack";
  return effects.some(({ how }) => how === "earlier" || how === "found") ? "already" : "nothing";
}

export function whyOf(
  { why, failure, effects, woke }: KeptRun,
  outcome: TriggerRunView["outcome"],
  isDetailed: boolean,
): string {
  switch (outcome) {
    case "acted":
      return "";
    case "woke":
      return wokeText(woke);
    case "heldBack":
      return effectOutcomeText(effects.find(({ how }) => isHeldBack(how))?.how ?? "");
    case "already":
      return effects.some(({ how }) => how === "found")
        ? "its effects had already happened on the platform"
        : "its effects were done before";
    case "nothing":
      return isDetailed ? "it ran and did nothing" : untold;
    case "off":
      return "not turned on for this stage: config/triggers.yml";
    case "paused":
      return "its trigger is paused; the event waits beside its lane";
    case "beside":
      return `${[why, failure?.cause ?? ""].filter((text) => text !== "").join(": ")}; the event waits beside its lane`;
    case "failed":
      return failure?.cause ?? "";
    case "cut":
      return "the process ended during it";
    case "passedOver":
      return passReasonText(why);
    case "running":
    case "misfit":
      return why;
  }
}

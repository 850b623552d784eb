import type { JourneyVerdict, TriggerRunView } from "../api/journeys.ts";
import type { Journey, KeptAttempt, KeptCall, KeptMessage, KeptRun } from "./journey.ts";
import type { JourneyStore } from "./journey-store.ts";
import { handlerOf } from "./note-attempt-line.ts";

export interface Judgement {
  readonly verdict: JourneyVerdict;
  /** In a few words. */
  readonly why: string;
}

/** Says what became of a delivery, whatever the platform was answered (pure). */
export function judgeJourney(journey: Journey, store: Pick<JourneyStore, "messages" | "calls">): Judgement {
  const messages = [...journey.messageIds].flatMap((id) => store.messages.get(id) ?? []);
  if (messages.length > 0) return judgeMessages(journey, messages, store);
  if (journey.quarantined !== undefined) {
    return {
      verdict: "failed",
      why: `put into quarantine: ${journey.quarantined.problems || journey.quarantined.reason}`,
    };
  }
  const last = journey.tries.at(-1);
  if (journey.state === "pending") {
    const why = last === undefined ? "on its way" : `${told(last)}; the platform tries again`;
    return { verdict: last === undefined ? "running" : "waiting", why };
  }
  if (journey.state === "lost") return { verdict: "failed", why: last === undefined ? "lost" : told(last) };
  if (journey.receptions.some(({ sent }) => sent.some(({ isRepeated }) => isRepeated))) {
    return { verdict: "nothing", why: "the queue has this fact already" };
  }
  if (journey.isOld) return { verdict: "unknown", why: "delivered before this start" };
  if (journey.receptions.length > 0) return { verdict: "nothing", why: "answered, and put onto no queue" };
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
      why: `put into quarantine: ${journey.quarantined.problems || journey.quarantined.reason}`,
    };
  }
  switch (lastAttempt?.outcome) {
    case undefined:
      return { verdict: "running", why: "in the queue" };
    case "running":
      return { verdict: "running", why: "being handled" };
    case "waits":
    case "died":
    case "behind":
      return { verdict: "waiting", why: lastAttempt.why || "waits" };
  }
  const acted = runs.filter((run) => outcomeOf(run, store) === "acted");
  if (acted.length > 0) return { verdict: "done", why: acted.map(handlerOf).join(", ") };
  if (lastAttempt?.isDetailed === false) return { verdict: "unknown", why: untold };
  const already = runs.filter((run) => outcomeOf(run, store) === "already");
  if (already.length > 0) return { verdict: "nothing", why: "everything was done before" };
  const shown = runs.filter(({ isShadow }) => isShadow);
  if (shown.length > 0) return { verdict: "nothing", why: `only shown: ${shown.map(handlerOf).join(", ")}` };
  return { verdict: "nothing", why: runs.length === 0 ? "no trigger wants it" : "no trigger acted" };
}

/** Said of what lines of the level DEBUG would tell. */
export const untold = "what triggers did is not told at this LOG_LEVEL";

/** An illness of the world is waited for; what is the trigger's own is not. */
function isWaitedFor(kind: string | undefined, failure: KeptRun["failure"]): boolean {
  return failure?.isFinal !== true && (kind === "ill" || kind === "later");
}

/** Gives each step's newest run: an attempt that went well takes the failure before it back. */
function lastRuns(attempts: readonly KeptAttempt[]): ReadonlyMap<string, KeptRun> {
  const inOrder = attempts.toSorted((one, other) => one.atMs - other.atMs);
  return new Map(inOrder.flatMap(({ runs }) => runs.map((run) => [run.step, run] as const)));
}

/** Says what a trigger did (pure). */
export function outcomeOf(
  { outcome, effects, calls }: KeptRun,
  store: { readonly calls: ReadonlyMap<number, Pick<KeptCall, "method">> },
): TriggerRunView["outcome"] {
  if (outcome !== "ended") return outcome;
  const hasWritten = calls.some((id) => (store.calls.get(id)?.method ?? "GET") !== "GET");
  if (hasWritten || effects.some(({ how }) => how === "now")) return "acted";
  return effects.some(({ how }) => how === "earlier" || how === "found") ? "already" : "nothing";
}

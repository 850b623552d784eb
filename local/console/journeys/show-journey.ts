import { isRecord, parseJson } from "../../../lib/base/json.ts";
import {
  effectText,
  isEnd,
  laterOutcome,
  type OutcomeFields,
  outcomeFields,
  outcomes,
  summarize,
} from "../../../lib/effects/outcomes.ts";
import { flowsStep } from "../../../lib/flows/wake-flows.ts";
import { laneNameOf } from "../../../lib/queue/lanes/lane-record.ts";
import type {
  DeliveryTry,
  Handling,
  HandlingAttempt,
  JourneyCall,
  JourneyDetail,
  JourneyLink,
  JourneyPlace,
  JourneyRow,
  Judgement,
  Reception,
  TriggerRunView,
} from "../api/journeys.ts";
import {
  foundFor,
  handlerOf,
  isOfEvents,
  isQuarantined,
  type Journey,
  type KeptAttempt,
  type KeptCall,
  type KeptMessage,
  type KeptReception,
  type KeptRun,
  runsOf,
  type SetAsideNow,
} from "./journey.ts";
import type { JourneyStore } from "./journey-store.ts";

interface ShowOptions {
  readonly store: JourneyStore;
  /** The delivery's body as it was sent; undefined if it is not kept. */
  readonly body: string | undefined;
  readonly place: JourneyPlace | undefined;
  /** Undefined if bodies are no longer kept. */
  readonly bodiesOf: (callId: number) => Pick<JourneyCall, "sent" | "answer"> | undefined;
}

export function showJourney(journey: Journey, options: ShowOptions): JourneyDetail {
  const { facts, origin, causeRequestId, tries, nextTryMs, receptions, messages, quarantined } = journey;
  const { appId: _, trigger: _trigger, deliveryKey, ...fact } = facts;
  const { body, place, store } = options;
  const content = body === undefined ? body : (parseJson(body) ?? body);
  const setAside = store.setAside();
  const context = { ...options, journey, content, setAside };
  return {
    row: showRow(journey, setAside),
    ...{ origin, tries, nextTryMs, place },
    fact: { ...fact, deliveryKey, body: content },
    cause:
      causeRequestId === undefined
        ? undefined
        : linksTo([store.ofCall(causeRequestId) ?? []].flat(), setAside)[0],
    received: receptions.map((reception) => showReception(reception, context)),
    handling: messages.map((message) => showHandling(message, context)),
    sameFact: linksTo(
      store
        .ofEvent(deliveryKey)
        .filter((other) => other !== journey)
        .slice(-20),
      setAside,
    ),
    can: {
      sendAgain: body !== undefined && origin.kind !== "queue",
      handleAgain: messages.length > 0 || quarantined !== undefined,
    },
  };
}

interface Context extends ShowOptions {
  readonly journey: Journey;
  readonly content: unknown;
  readonly setAside: SetAsideNow;
}

function linksTo(journeys: readonly Journey[], setAside: SetAsideNow): readonly JourneyLink[] {
  return journeys.map((journey) => {
    return { id: journey.id, trigger: journey.facts.trigger, ...judgeJourney(journey, setAside) };
  });
}

function showReception({ answer, sent, ...times }: KeptReception, { journey }: Context): Reception {
  const sending = sent.find(({ queue }) => queue === "events" || queue === "quarantine");
  const known = { ...times, queueMessageId: sending?.messageId };
  if (sending === undefined) {
    if (times.status < 300) return { ...known, outcome: "answered", why: "the platform does not keep it" };
    const why = `${refusals[times.status] ?? "refused"}${messageIn(answer.toString("utf8"))}`;
    return { ...known, outcome: "refused", why };
  }
  if (sending.queue === "quarantine") {
    const { cause = "", reason = "it cannot be parsed" } = journey.quarantined ?? {};
    return { ...known, outcome: "quarantined", why: cause || reason };
  }
  return sending.isRepeated
    ? {
        ...{ ...known, outcome: "repeated" },
        why: "the queue received the same event within five minutes, and keeps it once",
      }
    : { ...known, outcome: "stored", why: "verified, and sent to its conversation's lane" };
}

/** Responses of lib/base/http/respond.ts and the gateway. */
const refusals: Readonly<Record<number, string>> = {
  401: "app, username or password is wrong",
  413: "it is too large",
  500: "the receiver failed",
  503: "it could not be stored in time; the platform may retry",
};

function messageIn(answer: string): string {
  const content = parseJson(answer);
  const error = isRecord(content) && isRecord(content.error) ? content.error : {};
  return typeof error.message === "string" ? `: ${error.message}` : "";
}

function showHandling(message: KeptMessage, context: Context): Handling {
  const { id: queueMessageId, groupId, attempts, ...shown } = message;
  return {
    ...{ ...shown, queueMessageId },
    lane: groupId === undefined ? undefined : laneNameOf(groupId),
    attempts: attempts.map((attempt) => showAttempt(attempt, context)),
  };
}

function showAttempt(attempt: KeptAttempt, context: Context): HandlingAttempt {
  const { number, requestId, atMs, endedMs, runs } = attempt;
  const hasNotRun = ({ outcome }: KeptRun) => Number(outcome === "off" || outcome === "condition");
  const inOrder = runs.toSorted((one, other) => hasNotRun(one) - hasNotRun(other));
  return {
    ...{ number, requestId, atMs, ...judgeAttempt(attempt) },
    durationMs: durationOf(atMs, endedMs),
    runs: inOrder.map((run) => showRun(run, attempt, context)),
  };
}

function showRun(run: KeptRun, attempt: KeptAttempt, context: Context): TriggerRunView {
  const { step, span, endedMs, misfit, effects, ...shown } = run;
  const { content, journey, store } = context;
  const { appId, trigger } = journey.facts;
  return {
    ...{ ...shown, ...judgeRun(run, attempt), handler: handlerOf(run) },
    trigger: step.includes(" ") ? step.slice(0, step.indexOf(" ")) : trigger,
    durationMs: durationOf(run.atMs, endedMs),
    misfit: misfit && { ...misfit, found: foundFor(misfit.condition, content, appId) },
    effects: effects.map((effect) => ({ ...effect, text: effectText(effect.how) })),
    calls: store.callsOf(span).map((call) => showCall(call, context)),
  };
}

function durationOf(fromMs: number, toMs: number | undefined): number | undefined {
  return toMs === undefined ? undefined : Math.max(0, toMs - fromMs);
}

function showCall({ span: _, ...call }: KeptCall, { store, bodiesOf, setAside }: Context): JourneyCall {
  const { sent, answer } = bodiesOf(call.callId) ?? { sent: undefined, answer: undefined };
  return { ...call, sent, answer, caused: linksTo(store.of("request", call.requestId), setAside) };
}

export function showRow(journey: Journey, setAside: SetAsideNow): JourneyRow {
  const { id, number, atMs, origin, tries, messages } = journey;
  const { appId, trigger, sender: actor, receiver, conversation = receiver, text } = journey.facts;
  const endedMs = Math.max(...messages.flatMap(({ attempts }) => attempts.map((one) => one.endedMs ?? 0)));
  const made = runsOf(journey).flatMap(({ effects }) => effects.flatMap((effect) => effect.made ?? []));
  return {
    ...{ id, number, atMs, ...judgeJourney(journey, setAside), appId, trigger, from: origin.kind },
    ...{ actor, conversation, text, tries: tries.length, status: tries.at(-1)?.status },
    tookMs: endedMs > 0 ? Math.max(0, endedMs - atMs) : undefined,
    made: [...new Set(made)],
  };
}

/** Judges a delivery by what happened to its event, independent of the receiver's response. */
export function judgeJourney(journey: Journey, setAside: SetAsideNow): Judgement {
  const judgement = judgeKept(journey);
  return judgement.verdict === "failed" && isDropped(journey, setAside)
    ? { verdict: "nothing", title: "dropped", why: `It was deleted for good. Before: ${judgement.why}` }
    : judgement;
}

/** Whether it was set aside, and is no longer there although it was not replayed. */
function isDropped(journey: Journey, { deadLetters, quarantine }: SetAsideNow): boolean {
  const { messages, quarantined, facts } = journey;
  if (messages.at(-1)?.buried !== undefined) return !deadLetters.has(facts.deliveryKey ?? "");
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
    return { verdict: "waiting", title, why: `${told(last)}; the platform will retry` };
  }
  if (receptions.some(({ sent }) => sent.some(({ queue }) => isOfEvents(queue))))
    return { verdict: "nothing", title: "repeated", why: "the queue already has this event" };
  if (state === "lost") {
    const why = last === undefined ? "lost" : told(last);
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

function told({ status, error }: DeliveryTry): string {
  return error?.replace(/\.$/, "") ?? (status === undefined ? "no answer" : `answered ${status}`);
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

function judgeAttempt({ outcome, why, ended, runs }: KeptAttempt): Judgement {
  if (outcome === "running") return running("being handled");
  if (outcome !== "handled") return judged({ outcome, why });
  return judged(summarizeRuns(runs, ended));
}

/** Without an end at a LOG_LEVEL that does not log it, or because the process ended. */
function judgeRun({ outcome, why }: KeptRun, attempt: KeptAttempt): Judgement {
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

const unknown = (why: string): Judgement => ({ verdict: "unknown", title: "not known", why });
const running = (why: string): Judgement => ({ verdict: "running", title: "running", why });

/**
 * A later success replaces a failure, but what was done stays done. Flows that need not be woken write no
 * line: what its lane has handled no longer waits for them.
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
        ...{ ...run, woke, ...laterOutcome(before, run) },
        ...(isWoken && outcomeFields("woke-flow", { flows: woke })),
      });
    }
  }
  return last;
}

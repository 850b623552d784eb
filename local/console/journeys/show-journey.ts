import { isRecord, parseJson } from "../../../lib/base/json.ts";
import { effectText } from "../../../lib/effects/outcomes.ts";
import { traceIdOf } from "../../../lib/handle/traceparent.ts";
import { laneNameOf } from "../../../lib/queue/lanes/lane-record.ts";
import type {
  Handling,
  HandlingAttempt,
  JourneyCall,
  JourneyDetail,
  JourneyLink,
  JourneyPlace,
  Reception,
  TriggerRunView,
} from "../api/journeys.ts";
import { foundFor } from "./found-for.ts";
import type { Journey, KeptAttempt, KeptCall, KeptMessage, KeptReception, KeptRun } from "./journey.ts";
import type { JourneyStore } from "./journey-store.ts";
import { judgeAttempt, judgeJourney, judgeRun } from "./judge-journey.ts";
import { showRow } from "./list-journeys.ts";
import { handlerOf } from "./note-attempt-line.ts";

export interface ShowOptions {
  /** The delivery's body as it was sent; undefined if it is no longer kept. */
  readonly body: string | undefined;
  readonly place: JourneyPlace | undefined;
  /** Undefined if bodies are no longer kept. */
  readonly bodiesOf: (callId: number) => Pick<JourneyCall, "sent" | "answer"> | undefined;
  readonly redact: <T>(value: T) => T;
}

export function showJourney(
  journey: Journey,
  store: JourneyStore,
  { body, place, bodiesOf, redact }: ShowOptions,
): JourneyDetail {
  const { facts, origin, causeRequestId, tries, nextTryMs, receptions } = journey;
  const { deliveryKey, messageId, sender, receiver, conversation, text } = facts;
  const content = body === undefined ? undefined : (parseJson(body) ?? body);
  const traceId = deliveryKey === undefined ? undefined : traceIdOf(deliveryKey);
  const messages = [...journey.messageIds].flatMap((id) => store.messages.get(id) ?? []);
  const causing = causeRequestId === undefined ? undefined : store.calls.get(causeRequestId)?.journeyId;
  return redact({
    row: showRow(journey, store),
    ...{ origin, causeRequestId, tries, nextTryMs, place },
    fact: { deliveryKey, messageId, sender, receiver, conversation, text, traceId, body: content },
    cause: linkTo(causing, store),
    received: receptions.map((reception) => showReception(journey, reception, store)),
    handling: messages.map((message) => showHandling(message, { content, journey, store, bodiesOf })),
    looseCalls:
      traceId === undefined
        ? []
        : store.looseCallsOf(traceId).map((call) => showCall(call, { store, bodiesOf })),
    sameFact: (deliveryKey === undefined ? [] : store.ofFact(deliveryKey))
      .filter((other) => other !== journey)
      .slice(-20)
      .flatMap(({ id }) => linkTo(id, store) ?? []),
    can: {
      sendAgain: body !== undefined && origin.kind !== "queue",
      handleAgain: messages.length > 0 || journey.quarantined !== undefined,
    },
  });
}

function linkTo(id: string | undefined, store: JourneyStore): JourneyLink | undefined {
  const journey = id === undefined ? undefined : store.journeys.get(id);
  if (journey === undefined) return undefined;
  return { id: journey.id, trigger: journey.facts.trigger, ...judgeJourney(journey, store) };
}

function showReception(journey: Journey, { exchange, sent }: KeptReception, store: JourneyStore): Reception {
  const { atMs, durationMs, status, invocation: requestId, answer } = exchange;
  const times = { atMs, durationMs, status, requestId };
  const [sending] = sent.filter(({ queue }) => queue === "events" || queue === "quarantine");
  const nothing = { queueMessageId: sending?.messageId, insteadOf: undefined };
  if (sending === undefined) {
    const said = messageIn(answer.toString("utf8"));
    if (status < 300)
      return { ...times, ...nothing, outcome: "answered", why: "the platform does not keep it" };
    return { ...times, ...nothing, outcome: "refused", why: `${refusals[status] ?? "refused"}${said}` };
  }
  if (sending.queue === "quarantine") {
    const why = journey.quarantined?.problems || journey.quarantined?.reason || "it cannot be parsed";
    return { ...times, ...nothing, outcome: "quarantined", why };
  }
  if (!sending.isRepeated) {
    return { ...times, ...nothing, outcome: "stored", why: "verified, and sent to its conversation's lane" };
  }
  const why = "the queue received the same event within five minutes, and keeps it once";
  const insteadOf = linkTo(store.messages.get(sending.messageId)?.journeyId, store);
  return { ...times, queueMessageId: sending.messageId, insteadOf, outcome: "repeated", why };
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

interface Context {
  readonly content: unknown;
  readonly journey: Journey;
  readonly store: JourneyStore;
  readonly bodiesOf: ShowOptions["bodiesOf"];
}

function showHandling(message: KeptMessage, context: Context): Handling {
  const { id, queue, groupId, sentAtMs, isReplay, attempts, buried } = message;
  return {
    ...{ queueMessageId: id, queue, sentAtMs, isReplay, buried },
    lane: groupId === undefined ? undefined : laneNameOf(groupId),
    attempts: attempts.map((attempt) => showAttempt(attempt, context)),
  };
}

function showAttempt(attempt: KeptAttempt, context: Context): HandlingAttempt {
  const { number, requestId, atMs, endedMs, waitedMs, runs, notes } = attempt;
  return {
    ...{ number, requestId, atMs, waitedMs, notes, ...judgeAttempt(attempt) },
    durationMs: endedMs === undefined ? undefined : Math.max(0, endedMs - atMs),
    runs: runs.toSorted(byWeight).map((run) => showRun(run, attempt, context)),
  };
}

function byWeight(one: KeptRun, other: KeptRun): number {
  return Number(hasNotRun(one)) - Number(hasNotRun(other));
}

function hasNotRun({ outcome }: KeptRun): boolean {
  return outcome === "off" || outcome === "condition";
}

function showRun(
  run: KeptRun,
  attempt: KeptAttempt,
  { content, journey, store, bodiesOf }: Context,
): TriggerRunView {
  const { step, atMs, endedMs, outcome, isShadow, misfit, failure, effects, woke, calls, notes } = run;
  return {
    trigger: step.includes(" ") ? step.slice(0, step.indexOf(" ")) : journey.facts.trigger,
    handler: handlerOf(run),
    durationMs: endedMs === undefined ? undefined : Math.max(0, endedMs - atMs),
    ...{ atMs, outcome, isShadow, failure, woke, notes, ...judgeRun(run, attempt) },
    misfit: misfit && { ...misfit, found: foundFor(misfit.condition, content, journey.facts.appId) },
    effects: effects.map((effect) => ({ ...effect, text: effectText(effect.how) })),
    calls: calls
      .flatMap((id) => store.calls.get(id) ?? [])
      .map((call) => showCall(call, { store, bodiesOf })),
  };
}

function showCall(call: KeptCall, { store, bodiesOf }: Pick<Context, "store" | "bodiesOf">): JourneyCall {
  const { traceId: _, journeyId: _journey, ...shown } = call;
  const { sent, answer } = bodiesOf(call.callId) ?? { sent: undefined, answer: undefined };
  const caused = store.causedBy(call.requestId).flatMap(({ id }) => linkTo(id, store) ?? []);
  return { ...shown, sent, answer, caused };
}

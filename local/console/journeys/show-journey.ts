import { parseJson } from "../../../lib/base/json.ts";
import { effectText } from "../../../lib/effects/outcomes.ts";
import { laneNameOf } from "../../../lib/queue/lanes/lane-record.ts";
import type {
  Handling,
  HandlingAttempt,
  JourneyCall,
  JourneyDetail,
  JourneyLink,
  JourneyPlace,
  JourneyRow,
  Reception,
  TriggerRunView,
} from "../api/journeys.ts";
import { textAt } from "../read-value.ts";
import {
  foundFor,
  handlerOf,
  type Journey,
  type KeptAttempt,
  type KeptCall,
  type KeptMessage,
  type KeptReception,
  type KeptRun,
  type SetAsideNow,
} from "./journey.ts";
import type { JourneyStore } from "./journey-store.ts";
import { judgeAttempt, judgeJourney, judgeRun } from "./judge-journey.ts";

interface ShowOptions {
  readonly store: JourneyStore;
  /** Sent body; undefined once evicted. */
  readonly body: string | undefined;
  readonly place: JourneyPlace | undefined;
  /** Undefined once bodies are evicted. */
  readonly bodiesOf: (callId: number) => Pick<JourneyCall, "sent" | "answer"> | undefined;
}

export function showJourney(journey: Journey, options: ShowOptions): JourneyDetail {
  const { facts, origin, causeRequestId, tries, nextTryMs, receptions, messages, quarantined } = journey;
  const { appId: _, trigger: _trigger, deliveryKey, ...event } = facts;
  const { body, place, store } = options;
  const content = body === undefined ? body : (parseJson(body) ?? body);
  const setAside = store.setAside();
  const context = { ...options, journey, content, setAside };
  const cause = causeRequestId === undefined ? undefined : store.ofCall(causeRequestId);
  const others = store.ofEvent(deliveryKey).filter((other) => other !== journey);
  return {
    row: showRow(journey, setAside),
    origin,
    tries,
    nextTryMs,
    place,
    event: { ...event, deliveryKey, body: content },
    cause: cause && linkTo(cause, setAside),
    received: receptions.map((reception) => showReception(reception, context)),
    handling: messages.map((message) => showHandling(message, context)),
    sameEvent: others.slice(-20).map((other) => linkTo(other, setAside)),
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

function linkTo(journey: Journey, setAside: SetAsideNow): JourneyLink {
  return { id: journey.id, trigger: journey.facts.trigger, ...judgeJourney(journey, setAside) };
}

function showReception({ answer, sent, ...times }: KeptReception, { journey }: Context): Reception {
  const sending = sent.find(({ queue }) => queue === "events" || queue === "quarantine");
  const known = { ...times, queueMessageId: sending?.messageId };
  if (sending === undefined) {
    if (times.status < 300) return { ...known, outcome: "answered", why: "the platform does not keep it" };
    const refusal = refusals[times.status] ?? "refused";
    const message = textAt(parseJson(answer.toString("utf8")), "error.message");
    return { ...known, outcome: "refused", why: message === "" ? refusal : `${refusal}: ${message}` };
  }
  if (sending.queue === "quarantine") {
    const { cause = "", reason = "it cannot be parsed" } = journey.quarantined ?? {};
    return { ...known, outcome: "quarantined", why: cause || reason };
  }
  return sending.isRepeated
    ? {
        ...known,
        outcome: "repeated",
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

function showHandling(message: KeptMessage, context: Context): Handling {
  const { id: queueMessageId, groupId, attempts, ...shown } = message;
  return {
    ...shown,
    queueMessageId,
    lane: groupId === undefined ? undefined : laneNameOf(groupId),
    attempts: attempts.map((attempt) => showAttempt(attempt, context)),
  };
}

function showAttempt(attempt: KeptAttempt, context: Context): HandlingAttempt {
  const { number, requestId, atMs, endedMs, runs } = attempt;
  const hasNotRun = ({ outcome }: KeptRun) => Number(outcome === "off" || outcome === "condition");
  const inOrder = runs.toSorted((one, other) => hasNotRun(one) - hasNotRun(other));
  return {
    number,
    requestId,
    atMs,
    ...judgeAttempt(attempt),
    durationMs: durationOf(atMs, endedMs),
    runs: inOrder.map((run) => showRun(run, attempt, context)),
  };
}

function showRun(run: KeptRun, attempt: KeptAttempt, context: Context): TriggerRunView {
  const { step, span, endedMs, misfit, effects, ...shown } = run;
  const { content, journey, store } = context;
  const { appId, trigger } = journey.facts;
  return {
    ...shown,
    ...judgeRun(run, attempt),
    handler: handlerOf(run),
    trigger: step.includes(" ") ? step.slice(0, step.indexOf(" ")) : trigger,
    durationMs: durationOf(run.atMs, endedMs),
    misfit: misfit && { ...misfit, found: foundFor(misfit.condition, content, appId) },
    effects: effects.map((effect) => ({ ...effect, text: effectText(effect.how) })),
    calls: store.callsOf(span).map((call) => showCall(call, context)),
  };
}

function durationOf(fromMs: number, toMs: number | undefined) {
  return toMs === undefined ? undefined : Math.max(0, toMs - fromMs);
}

function showCall({ span: _, ...call }: KeptCall, { store, bodiesOf, setAside }: Context): JourneyCall {
  const { sent, answer } = bodiesOf(call.callId) ?? { sent: undefined, answer: undefined };
  const caused = store.of("request", call.requestId).map((journey) => linkTo(journey, setAside));
  return { ...call, sent, answer, caused };
}

export function showRow(journey: Journey, setAside: SetAsideNow): JourneyRow {
  const { id, atMs, messages } = journey;
  const { appId, trigger, sender: actor, receiver, conversation = receiver, text } = journey.facts;
  const endedMs = Math.max(...messages.flatMap(({ attempts }) => attempts.map((one) => one.endedMs ?? 0)));
  return {
    id,
    atMs,
    ...judgeJourney(journey, setAside),
    appId,
    trigger,
    actor,
    conversation,
    text,
    tookMs: endedMs > 0 ? Math.max(0, endedMs - atMs) : undefined,
  };
}

import { tryEach } from "../base/batching.ts";
import type { Log } from "../base/log.ts";
import type { AppEvent } from "../events/app-event.ts";
import { UnknownPatternError } from "../events/conditions/patterns.ts";
import { seenIn } from "../events/conditions/seen.ts";
import { whyNot, whyNotFor } from "../events/conditions/where.ts";
import type { HeardMessage } from "../events/marks/loop-guard.ts";
import { receiptForFlows } from "../events/occurrence.ts";
import { type CallDurable, completeCallback } from "./durable-api.ts";
import { checkpointBytes, maxValueBytes, readConditions, toFlowText } from "./flow.ts";
import type { FlowMarks, KeptEvent, Listening } from "./flow-marks.ts";
import type { FlowWaits } from "./flow-waits.ts";
import { keysIn } from "./wait-keys.ts";
import type { OpenWait } from "./wait-memory.ts";

export type FlowWaker = ReturnType<typeof createFlowWaker>;

export const flowsStep = "(flows)";

export interface WakeContext {
  readonly appId: string;
  readonly occurrenceKey: () => Promise<string>;
  readonly receivedAt: number;
  /** Orders events received in the same millisecond, as text. */
  readonly order?: string;
  /** Returns whether an earlier event still waits, which may start a flow. */
  readonly mayStartLate: () => Promise<boolean>;
  /** No flow is woken later. */
  readonly deadlineMs: number;
}

export interface WakeServices {
  readonly marks: FlowMarks;
  readonly waits: FlowWaits;
  readonly callDurable: CallDurable;
  readonly isOwn: (appId: string, message: HeardMessage) => Promise<boolean>;
  readonly hasMessageTrigger: boolean;
  readonly log: Log;
  readonly now: () => number;
}

/** A callback refused as invalid may be new for that long. Later its flow has ended. */
export const settlesMs = 60_000;
/** An event handled later had to wait, and earlier ones may still wait. */
const lateMs = 10_000;

export function createFlowWaker(listed: ReadonlySet<string>, services: WakeServices) {
  const { marks, waits, hasMessageTrigger, log, now } = services;
  return {
    isListed: (trigger: string) => listed.has(trigger),
    /**
     * Wakes the flows that wait for the event, and stores it for those that may ask for it. Repeatable: a
     * flow receives it once.
     * @throws AwsCallError
     * @param onWoken called with the id of each flow that receives the event
     * @returns false if the time was up first: a repetition continues with the rest
     */
    wake: async (event: AppEvent, of: WakeContext, onWoken?: (flowId: string) => void) => {
      const { appId, occurrenceKey, deadlineMs } = of;
      const { trigger } = event;
      const receivedAt = receiptForFlows(event.head, of.receivedAt);
      const early = hasMessageTrigger ? earlyMessageOf(event, receivedAt) : undefined;
      const listening = await marks.listening(appId, trigger);
      const isLate = now() - of.receivedAt > lateMs || (await of.mayStartLate());
      const isKept = listening.isOpen || isLate;
      const keys = keysIn(seenIn(event));
      const find = (known: Listening) =>
        waits.find({
          appId,
          trigger,
          keys,
          listening: known,
          mayFit: (wait) => mayAnswer(wait, event, receivedAt),
        });
      let open = isKept ? [] : await find(listening);
      if (!isKept && early === undefined && open.length === 0) return true;

      const text = writeEvent(event);
      if (text === undefined) {
        log.warn("an event is too large for flows", { appId, trigger });
        return true;
      }
      const kept = { key: await occurrenceKey(), receivedAt, text, order: of.order };
      // A flow writes its question, then reads the stored events; here the order is reversed, or one would be
      // missed.
      if (early !== undefined) await marks.keepEarly(appId, trigger, early, kept, isLate);
      if (isKept || open.length > 0) {
        await marks.keep(appId, trigger, kept, isLate);
      }
      open = await find(await marks.listening(appId, trigger));
      let isTimeUp = false;
      const deliver = async (wait: OpenWait) => {
        const nowMs = now();
        isTimeUp ||= nowMs >= deadlineMs;
        const isHeard = !isTimeUp && (await isAnsweredBy(wait, event, kept, services));
        if (isHeard && (await deliverEvent(wait, kept, services, nowMs < of.receivedAt + settlesMs)))
          onWoken?.(wait.flowId);
      };
      const wanted = open.filter((wait) => wait.trigger === trigger);
      await tryEach(wanted, wokenAtOnce, deliver);
      return !isTimeUp;
    },
  };
}

/** Undefined if too large or nested too deeply. */
function writeEvent(event: AppEvent) {
  try {
    const text = toFlowText(event);
    return checkpointBytes(text) <= maxValueBytes - 2_000 ? text : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const wokenAtOnce = 20;

function mayAnswer(wait: OpenWait, event: AppEvent, receivedAt: number) {
  if (!isInTime(wait, event, receivedAt)) return false;
  try {
    return whyNot(event, readConditions(wait.where)) === undefined;
  } catch {
    return true;
  }
}

/** Events about the message that started a flow may have been received before it. */
function isInTime({ sinceMs, untilMs, early }: OpenWait, event: AppEvent, receivedAt: number) {
  if (receivedAt > untilMs) return false;
  return receivedAt >= sinceMs || (early !== undefined && earlyMessageOf(event, receivedAt) === early);
}

/**
 * Invalid conditions do not match.
 * @throws what `isOwn` throws
 */
export async function isAnsweredBy(
  wait: OpenWait,
  event: AppEvent,
  { key, receivedAt }: KeptEvent,
  { isOwn, log }: Pick<WakeServices, "isOwn" | "log">,
): Promise<boolean> {
  const { appId, trigger, flowId, knownKeys, where } = wait;
  if (!isInTime(wait, event, receivedAt) || knownKeys.includes(key)) return false;
  try {
    const conditions = readConditions(where);
    return (await whyNotFor(event, conditions, (message) => isOwn(appId, message))) === undefined;
  } catch (error) {
    if (!(error instanceof UnknownPatternError)) throw error;
    log.error("a flow waits for a text pattern, but no flow deployed here uses textPattern", {
      appId,
      trigger,
      flowId,
    });
    return false;
  }
}

/**
 * Does nothing if the flow received another event or timed out. A repetition wakes only the flow that
 * received this event.
 * @returns whether the flow receives this event
 */
export async function deliverEvent(
  wait: OpenWait,
  event: KeptEvent,
  { marks, waits, callDurable }: Pick<WakeServices, "marks" | "waits" | "callDurable">,
  mayBeNew: boolean,
): Promise<boolean> {
  const outcome = await waits.decide(wait.callbackId, { kind: "event", event });
  const isDelivered = outcome.kind === "event" && outcome.event.key === event.key;
  if (isDelivered && wait.listens)
    await marks.beginBriefly(wait.appId, wait.listens, wait.flowId, wait.callbackId);
  // The process that stored the outcome may have crashed.
  if (outcome.kind === "event") await completeCallback(callDurable, wait.callbackId, mayBeNew);
  await waits.close(wait);
  return isDelivered;
}

/** The platform retries for 40 s: a message is received within this time, or never. */
export const latestReceiptMs = 2 * 60_000;

/**
 * Returns the message of an event that may be received before it: a reaction, which lacks the message's time,
 * or an event about a message sent less than two minutes before.
 */
function earlyMessageOf(event: AppEvent, receivedAt: number) {
  if ("reaction" in event) return event.reaction.messageId;
  if (!("message" in event) || event.trigger === "message_sent") return undefined;
  const { id, sentAt } = event.message;
  return sentAt === undefined || receivedAt - sentAt.getTime() < latestReceiptMs ? id : undefined;
}

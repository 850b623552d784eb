import type { HeardMessage } from "../effects/loop-guard.ts";
import type { Log } from "../log.ts";
import { sideBySide } from "../side-by-side.ts";
import type { AppEvent } from "../triggers/app-event.ts";
import { UnknownPatternError } from "../triggers/patterns.ts";
import { whyNotFor } from "../triggers/where.ts";
import { type CallDurable, completeCallback } from "./durable-api.ts";
import type { FlowMarks, KeptEvent } from "./flow-marks.ts";
import { checkpointBytes, maxValueBytes, toFlowText } from "./flow-value.ts";
import type { FlowWaits, OpenWait } from "./flow-waits.ts";
import { readConditions } from "./flow-where.ts";

/** An event's way to the flows that wait for it. */
export interface FlowWaker {
  /** Tells whether any flow of this app's code waits for events of a name; no table is asked. */
  readonly isListed: (trigger: string) => boolean;
  /**
   * Wakes the flows that wait for the event, and keeps it for those that may ask for it. May be repeated: a flow is given
   * it once. @throws AwsCallError when Lambda or the flows table cannot be reached
   */
  readonly wake: (event: AppEvent, of: EventFacts) => Promise<void>;
}

export interface EventFacts {
  readonly appId: string;
  /** Names the fact for good. */
  readonly factKey: () => Promise<string>;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

export interface WakeServices {
  readonly marks: FlowMarks;
  readonly waits: FlowWaits;
  readonly callDurable: CallDurable;
  /** Tells whether a message of an app is ours. */
  readonly isOwn: (appId: string, message: HeardMessage) => Promise<boolean>;
  readonly log: Log;
}

/** Builds it for the events that the app's flows list. */
export function createFlowWaker(listed: ReadonlySet<string>, services: WakeServices): FlowWaker {
  const { marks, waits, log } = services;
  return {
    isListed: (trigger) => listed.has(trigger),
    wake: async (event, { appId, factKey, receivedAt }) => {
      const { trigger } = event;
      if (!(await marks.isWatched(appId, trigger))) return;
      const text = writeEvent(event);
      if (text === undefined) {
        log.warn("an event is too large for flows", { appId, trigger });
        return;
      }
      const kept = { key: await factKey(), receivedAt, text };
      // A flow writes its question down and then looks at what was kept; here it is the other way round, so that one of
      // the two sees the other.
      await marks.keep(appId, trigger, kept);
      const open = await waits.list(appId, trigger);
      const bring = async (wait: OpenWait) => {
        if (await isFor(wait, event, kept, services)) await giveEvent(wait, kept, services);
      };
      await forEach(open, bring);
    },
  };
}

/** Gives the event as text; undefined for one that is too large, or nested too deeply to be written. */
function writeEvent(event: AppEvent): string | undefined {
  try {
    const text = toFlowText(event);
    // What was decided holds the event, and some facts about it.
    return checkpointBytes(text) <= maxValueBytes - 2_000 ? text : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** So many flows are woken at once: an event has 30 s, and each flow takes three requests. */
const wokenAtOnce = 20;

/** One flow that cannot be woken keeps no other from it. @throws what the first one threw, when all had their turn */
async function forEach(waits: readonly OpenWait[], bring: (wait: OpenWait) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  await sideBySide(waits, wokenAtOnce, (wait) =>
    bring(wait).catch((error: unknown) => void failures.push(error)),
  );
  if (failures.length > 0) throw failures[0];
}

/**
 * Tells whether a question is for an event. What cannot be found out here, as a pattern of code that is gone, is not.
 * @throws what `isOwn` throws
 */
export async function isFor(
  wait: OpenWait,
  event: AppEvent,
  { key, receivedAt }: KeptEvent,
  { isOwn, log }: Pick<WakeServices, "isOwn" | "log">,
): Promise<boolean> {
  const { appId, trigger, flowId, sinceMs, untilMs, knownKeys, where } = wait;
  if (receivedAt < sinceMs || receivedAt > untilMs || knownKeys.includes(key)) return false;
  try {
    const conditions = readConditions(where);
    return (await whyNotFor(event, conditions, (message) => isOwn(appId, message))) === undefined;
  } catch (error) {
    if (!(error instanceof UnknownPatternError)) throw error;
    log.error("a flow waits for a pattern that nothing here finds", { appId, trigger, flowId });
    return false;
  }
}

/**
 * Gives a flow the event that it asked for, unless it was given another or its time is up: then gives nothing. Whoever
 * repeats it after a lost answer wakes the flow that was given this event, and no other.
 */
export async function giveEvent(
  wait: OpenWait,
  event: KeptEvent,
  { waits, callDurable }: Pick<WakeServices, "waits" | "callDurable">,
): Promise<void> {
  const outcome = await waits.decide(wait.callbackId, { kind: "event", event });
  // Another event decided it: whoever brought that one may have died before waking the flow.
  if (outcome.kind === "event") await completeCallback(callDurable, wait.callbackId);
  await waits.close(wait);
}

import { parseJson } from "../../../lib/base/json.ts";
import { outcomeFields, outcomes } from "../../../lib/effects/outcomes.ts";
import { type Lane, laneOf } from "../../../lib/queue/lanes/lane-record.ts";
import { createLaneStore, type ParkedLane } from "../../../lib/queue/lanes/lane-store.ts";
import { parkedOutcome } from "../../../lib/queue/lanes/parked-outcome.ts";
import { factsOf } from "../../../lib/queue/message-facts.ts";
import type { Cloud } from "../../cloud/start-cloud.ts";
import type { JourneyPlace } from "../api/journeys.ts";
import type { ConsoleOperator } from "../operate.ts";
import { handlerOf, type Journey, type KeptAttempt, type KeptMessage, type KeptRun } from "./journey.ts";
import { lastRuns, quarantinedFields } from "./judge-journey.ts";

/**
 * Read-only.
 * @throws AwsCallError if the table does not answer
 */
export async function findPlace(
  { messages, facts, quarantined }: Journey,
  { receiveAll }: Pick<Cloud, "receiveAll">,
  operator: ConsoleOperator,
): Promise<JourneyPlace | undefined> {
  const last = messages.at(-1);
  if (last?.buried !== undefined) {
    const isThere = receiveAll("DeadLetterQueue").some(
      ({ body }) => factsOf(parseJson(body))?.deliveryKey === facts.deliveryKey,
    );
    if (isThere) return { kind: "dead-letter", ...outcomeFields("dead-lettered", last.buried) };
  }
  if (quarantined !== undefined && isQuarantined({ messages, quarantined })) {
    const isThere = receiveAll("QuarantineQueue").some(
      ({ messageId }) => messageId === quarantined.messageId,
    );
    return isThere ? { kind: "quarantine", ...quarantinedFields(quarantined) } : undefined;
  }
  if (last === undefined) return undefined;
  if (last.attempts.length === 0 && last.buried === undefined) {
    const queued = receiveAll("EventsQueue").find(({ messageId }) => messageId === last.id);
    if (queued === undefined) return undefined;
    const isTaken = queued.state === "inFlight";
    return { kind: "queue", why: isTaken ? "The consumer handles it." : "It waits in the queue." };
  }
  const [holding] = await findLanes(last, operator);
  return holding && { kind: "lane", ...parkedOutcome(holding.parked, holding) };
}

/** Returns true if the receiver or the consumer quarantined it, and nothing happened since. */
export function isQuarantined({ quarantined, messages }: Pick<Journey, "quarantined" | "messages">): boolean {
  const last = messages.at(-1);
  return quarantined !== undefined && (!last || last.attempts.at(-1)?.outcome === "quarantined");
}

interface HoldingLane {
  readonly lane: Lane;
  /** Undefined for the conversation's own lane. */
  readonly trigger: string | undefined;
  readonly parked: ParkedLane;
  /** Counts from 0. */
  readonly place: number;
  /** At most `mostLooked` are counted. */
  readonly length: number;
}

const mostLooked = 200;

/**
 * The conversation's, and those of triggers that wait or failed (lib/queue/lanes/side-lane.ts). Read-only.
 * @throws AwsCallError
 */
export async function findLanes(
  { id, queue, groupId, attempts }: KeptMessage,
  { tableOf, services }: ConsoleOperator,
): Promise<readonly HoldingLane[]> {
  const waiting = [...lastRuns(attempts).values()].filter(
    (run) => isWaiting(run) || (run.outcome === "failed" && run.failure?.isFinal !== true),
  );
  const last = attempts.at(-1);
  // A completely handled message waits no longer.
  const own = last !== undefined && isWaiting(last) ? [undefined] : [];
  const triggers = [...own, ...new Set(waiting.map(handlerOf))];
  if (groupId === undefined || triggers.length === 0) return [];
  const store = createLaneStore(tableOf("LanesTable", "item"), services.now);
  const lanes = triggers.map((trigger) => {
    return { trigger, lane: laneOf(queue === "calls" ? "calls" : "events", groupId, trigger) };
  });
  const known = await store.find(lanes.map(({ lane }) => lane.id));
  const found = lanes.map(async (one): Promise<readonly HoldingLane[]> => {
    const parked = known.get(one.lane.id);
    if (parked === undefined) return [];
    const records = await store.first(one.lane.id, mostLooked);
    const place = records.findIndex(({ messageId }) => messageId === id);
    return place < 0 ? [] : [{ ...one, parked, place, length: records.length }];
  });
  return (await Promise.all(found)).flat();
}

function isWaiting({ outcome }: KeptAttempt | KeptRun): boolean {
  return outcome !== "running" && outcome !== "handled" && outcomes[outcome].kind === "waiting";
}

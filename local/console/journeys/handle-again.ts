import { parseJson } from "../../../lib/base/json.ts";
import { outcomeFields, outcomes } from "../../../lib/effects/outcomes.ts";
import { identify } from "../../../lib/events/identity.ts";
import { deadLetters } from "../../../lib/queue/dead-letter.ts";
import { toQueueMessage } from "../../../lib/queue/enqueue.ts";
import { type Lane, laneOf } from "../../../lib/queue/lanes/lane-record.ts";
import { createLaneStore, LaneLostError, type ParkedLane } from "../../../lib/queue/lanes/lane-store.ts";
import { readOutageRoom } from "../../../lib/queue/lanes/outage-room.ts";
import { parkedOutcome } from "../../../lib/queue/lanes/parked-outcome.ts";
import { createTicketSenders } from "../../../lib/queue/lanes/ticket.ts";
import type { OperatorServices } from "../../../lib/queue/operator-services.ts";
import { quarantinedDeliveries } from "../../../lib/queue/quarantined-delivery.ts";
import { maxAgeMs } from "../../../lib/queue/read-queued-event.ts";
import { passedOverReason } from "../../../lib/queue/send-dead-letter.ts";
import type { SetAside } from "../../../lib/queue/set-aside.ts";
import type { JourneyPlace } from "../api/journeys.ts";
import { type ConsoleOperator, refuseWhenBusy } from "../operate.ts";
import { type QueueReader, ticketIn } from "../queues/look-at-queue.ts";
import { WrongInputError } from "../read-input.ts";
import {
  handlerOf,
  isQuarantined,
  type Journey,
  type KeptAttempt,
  type KeptMessage,
  type KeptRun,
} from "./journey.ts";
import type { JourneyStore } from "./journey-store.ts";
import { lastRuns, quarantinedFields } from "./judge-journey.ts";

/** After a longer attempt, the log may lack its end. */
const longestAttemptMs = 60_000;

export const handledNow = "It is being handled now.";

/** Repeatable: `effects` are not repeated. */
export async function handleAgain(
  journey: Journey,
  body: string | undefined,
  { reader, store }: { readonly reader: QueueReader; readonly store: JourneyStore },
  operator: ConsoleOperator,
): Promise<string> {
  const { facts, atMs, messages } = journey;
  const { services } = operator;
  if (services.now() - atMs > maxAgeMs) {
    throw new WrongInputError(
      "It was received more than 30 days ago. Its effects are no longer recorded and could be repeated.",
      409,
    );
  }
  const last = messages.at(-1);
  const { deliveryKey } = facts;
  // Each trigger that fails, or skips an event that became too old, has its own dead letter.
  const found = deadLettersOf(journey, reader);
  if (found.length > 0) return await replayDeadLetters(found, services);
  if (isQuarantined(journey) && deliveryKey !== undefined) {
    const order = { selection: { deliveryKey } };
    const { replayed, selected } = await quarantinedDeliveries.replay(order, services).catch(refuseWhenBusy);
    if (replayed > 0) return "The quarantined delivery was replayed.";
    if (selected > 0) throw new WrongInputError("It is in quarantine and still cannot be parsed.", 409);
  } else if (last !== undefined && last.deadLettered === undefined) {
    // A second attempt would run beside the first.
    if (isHandledNow(last, services.now())) return handledNow;
    const woken = await wakeLanes(facts.appId, last, store, operator);
    if (woken !== undefined) return woken;
  }
  // The page may be outdated.
  if (deliveryKey !== undefined && reader.look("events", { deliveryKey }).found.length > 0) return handledNow;
  await putAgain(journey, body, operator);
  return "The event was sent to the queue again.";
}

function deadLettersOf(
  { facts: { deliveryKey } }: Pick<Journey, "facts">,
  reader: QueueReader,
): readonly SetAside[] {
  if (deliveryKey === undefined) return [];
  return reader.look("dead-letters", { deliveryKey }).found.map(({ facts }) => facts);
}

async function replayDeadLetters(found: readonly SetAside[], services: OperatorServices) {
  const ids = new Set(found.map(({ id }) => id));
  const ignoresAge = found.every(({ reason }) => reason === passedOverReason);
  const order = { selection: { ids }, ignoresAge, includesOff: true };
  const report = await deadLetters.replay(order, services).catch(refuseWhenBusy);
  if (report.replayed > 0) return "The dead letter was replayed.";
  const { failure, tooOld, unreadable } = report;
  const unseen = "another reader has it, or it is gone";
  const why = tooOld > 0 ? "received more than 30 days ago" : unreadable > 0 ? "it cannot be parsed" : unseen;
  throw new WrongInputError(failure ?? `The dead letter was not replayed: ${why}.`, 409);
}

function isHandledNow({ attempts }: KeptMessage, nowMs: number) {
  const { atMs = 0, outcome } = attempts.at(-1) ?? {};
  return outcome === "running" && nowMs - atMs < longestAttemptMs;
}

async function wakeLanes(
  appId: string,
  message: KeptMessage,
  store: JourneyStore,
  operator: ConsoleOperator,
): Promise<string | undefined> {
  const { now, token, callAws, queueUrls } = operator.services;
  const holding = await findLanes(message, operator);
  const awake = holding.filter(
    ({ parked: { heldBy } }) => heldBy === undefined || readOutageRoom(heldBy) !== undefined,
  );
  if (holding.length === 0) return undefined;
  if (awake.length === 0)
    throw new WrongInputError("Its app or trigger is paused. It waits until the pause ends.", 409);
  const isResting = ({ firstId }: HoldingLane) => {
    const first = store.findMessage(firstId)?.message;
    return first === undefined || !isHandledNow(first, now());
  };
  const resting = awake.filter(isResting);
  if (resting.length === 0) return handledNow;
  const lanes = createLaneStore(operator.tableOf("LanesTable", "item"), now);
  let [woken, running] = [0, 0];
  for (const { lane } of resting) {
    const owner = token();
    if ((await lanes.take(lane.id, owner)) === undefined) continue; // parked no longer
    const lost = await lanes.update(lane.id, owner, { wakeAt: now() }).catch(whenLost);
    if (lost === null) {
      running += 1;
      continue;
    }
    woken += 1;
    // A second ticket of the lane is delivered after the first.
    const tickets = operator.hasten("ParkedLanesQueue", (body) => ticketIn(body)?.lane.id === lane.id);
    if (tickets === 0)
      await createTicketSenders(callAws, queueUrls.parkedLanes, token).sendTicket({ appId, lane });
  }
  if (woken > 0) return "Its conversation was woken and is retried now.";
  return running > 0 ? handledNow : undefined;
}

/** The consumer took the lane meanwhile. */
function whenLost(error: unknown): null {
  if (error instanceof LaneLostError) return null;
  throw error;
}

async function putAgain(
  { facts: { appId }, atMs }: Journey,
  body: string | undefined,
  { services: { callAws, queueUrls, now, token } }: ConsoleOperator,
) {
  const identity = body === undefined ? undefined : identify(parseJson(body), appId);
  if (body === undefined || identity === undefined)
    throw new WrongInputError("The delivery is no longer kept, or is not an event.", 409);
  const replay = {
    deduplicationId: token(),
    attributes: { ReplayedAt: { DataType: "Number", StringValue: String(now()) } },
  };
  const delivery = { appId, bytes: Buffer.from(body), text: body, receivedAt: atMs, replay };
  await callAws({
    service: "sqs",
    target: "AmazonSQS.SendMessage",
    input: { QueueUrl: queueUrls.events, ...toQueueMessage(delivery, identity) },
  });
}

export async function findPlace(
  { messages, facts, quarantined }: Journey,
  reader: QueueReader,
  operator: ConsoleOperator,
): Promise<JourneyPlace | undefined> {
  const last = messages.at(-1);
  const [letter] = deadLettersOf({ facts }, reader);
  if (letter !== undefined) return { kind: "dead-letter", ...outcomeFields("dead-lettered", letter) };
  if (quarantined !== undefined && isQuarantined({ messages, quarantined })) {
    const { messageId: id = "" } = quarantined;
    const isThere = reader.look("quarantine", { id }).found.length > 0;
    return isThere ? { kind: "quarantine", ...quarantinedFields(quarantined) } : undefined;
  }
  if (last === undefined) return undefined;
  if (last.attempts.length === 0 && last.deadLettered === undefined) {
    const [queued] = reader.look("events", { id: last.id }).found;
    if (queued === undefined) return undefined;
    const isTaken = queued.message.state === "inFlight";
    return { kind: "queue", why: isTaken ? "The consumer handles it." : "It waits in the queue." };
  }
  const [holding] = await findLanes(last, operator);
  const nowMs = operator.services.now();
  return holding && { kind: "lane", ...parkedOutcome(holding.parked, { ...holding, nowMs }) };
}

interface HoldingLane {
  readonly lane: Lane;
  /** Undefined for the conversation's own lane. */
  readonly trigger: string | undefined;
  readonly parked: ParkedLane;
  /** Counts from 0. */
  readonly place: number;
  /** The message at place 0. */
  readonly firstId: string;
  /** At most `mostLooked`. */
  readonly length: number;
}

const mostLooked = 200;

/** Finds the lanes of the conversation and triggers (lib/queue/lanes/trigger-lanes.ts). */
async function findLanes(
  { id, queue, groupId, attempts }: KeptMessage,
  { tableOf, services }: ConsoleOperator,
): Promise<readonly HoldingLane[]> {
  const waiting = [...lastRuns(attempts).values()].filter(
    (run) => isWaiting(run) || (run.outcome === "failed" && run.failure?.isFinal !== true),
  );
  const last = attempts.at(-1);
  // A completely handled message no longer waits.
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
    const [{ messageId: firstId } = { messageId: "" }] = records;
    return place < 0 ? [] : [{ ...one, parked, place, firstId, length: records.length }];
  });
  return (await Promise.all(found)).flat();
}

function isWaiting({ outcome }: KeptAttempt | KeptRun) {
  return outcome !== "running" && outcome !== "handled" && outcomes[outcome].kind === "waiting";
}

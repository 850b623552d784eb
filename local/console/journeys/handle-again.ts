import { parseJson } from "../../../lib/base/json.ts";
import { identify } from "../../../lib/events/identity.ts";
import { deadLetters } from "../../../lib/queue/dead-letter.ts";
import { toQueueMessage } from "../../../lib/queue/enqueue.ts";
import { createLaneStore } from "../../../lib/queue/lanes/lane-store.ts";
import { readOutageRoom } from "../../../lib/queue/lanes/outage-room.ts";
import { createTicketSenders } from "../../../lib/queue/lanes/ticket.ts";
import { oldestMs } from "../../../lib/queue/message-facts.ts";
import { quarantinedDeliveries } from "../../../lib/queue/quarantined-delivery.ts";
import { QueueBusyError } from "../../../lib/queue/wait-for-others.ts";
import type { ConsoleOperator } from "../operate.ts";
import { findLanes } from "./find-lanes.ts";
import type { Journey, KeptMessage } from "./journey.ts";
import type { JourneyStore } from "./journey-store.ts";

export class CannotHandleAgainError extends Error {
  override readonly name = "CannotHandleAgainError";
}

/**
 * Replays a dead letter or a quarantined delivery, wakes a parked conversation, or sends the message to the
 * queue again. Repeatable: `effects` are not repeated.
 * @throws CannotHandleAgainError, AwsCallError
 */
export async function handleAgain(
  journey: Journey,
  body: string | undefined,
  { store, operator }: { store: JourneyStore; operator: ConsoleOperator },
): Promise<string> {
  const { deliveryKey } = journey.facts;
  if (operator.services.now() - journey.atMs > oldestMs) {
    throw new CannotHandleAgainError(
      "It was received more than 30 days ago. Its effects are no longer recorded and could be repeated.",
    );
  }
  const messages = [...journey.messageIds].flatMap((id) => store.messages.get(id) ?? []);
  const last = messages.at(-1);
  if (last?.buried !== undefined && deliveryKey !== undefined) {
    const { replayed, failure } = await deadLetters
      .replay({ selection: { deliveryKey } }, operator.services)
      .catch(refuseWhenInHand);
    if (replayed > 0) return "The dead letter was replayed.";
    if (failure !== undefined) throw new CannotHandleAgainError(failure);
  } else if (isQuarantined(journey, last) && deliveryKey !== undefined) {
    const { replayed, selected } = await quarantinedDeliveries
      .replay({ selection: { deliveryKey } }, operator.services)
      .catch(refuseWhenInHand);
    if (replayed > 0) return "The quarantined delivery was replayed.";
    if (selected > 0) throw new CannotHandleAgainError("It is in quarantine and still cannot be parsed.");
  } else if (last !== undefined && (await wakeLanes(journey, last, operator))) {
    return "Its conversation was woken and is retried now.";
  }
  await putAgain(journey, body, operator);
  return "The event was sent to the queue again.";
}

function refuseWhenInHand(error: unknown): never {
  if (!(error instanceof QueueBusyError)) throw error;
  throw new CannotHandleAgainError(`Nothing was changed. ${error.message}`);
}

/** Returns true if the receiver or the consumer quarantined it, and nothing happened since. */
export function isQuarantined({ quarantined }: Journey, last: KeptMessage | undefined): boolean {
  const outcome = last?.attempts.at(-1)?.outcome;
  return quarantined !== undefined && (last === undefined || outcome === "quarantined");
}

/** False if no parked lane holds the message. */
async function wakeLanes(
  { facts: { appId } }: Journey,
  message: KeptMessage,
  operator: ConsoleOperator,
): Promise<boolean> {
  const { services, tableOf } = operator;
  const { now, token, callAws, queueUrls } = services;
  const holding = await findLanes(message, operator);
  const awake = holding.filter(
    ({ parked: { heldBy } }) => heldBy === undefined || readOutageRoom(heldBy) !== undefined,
  );
  if (holding.length > 0 && awake.length === 0) {
    throw new CannotHandleAgainError("Its app or trigger is paused. It waits until the pause ends.");
  }
  for (const { lane, parked } of awake) {
    if (parked.wakeAt > now()) {
      const lanes = createLaneStore(tableOf("LanesTable", "item"), now);
      const owner = token();
      await lanes.take(lane.id, owner);
      await lanes.update(lane.id, owner, { wakeAt: now() });
    }
    await createTicketSenders(callAws, queueUrls.parkedLanes, token).sendTicket({ appId, lane });
  }
  return awake.length > 0;
}

async function putAgain(
  { facts: { appId }, atMs }: Journey,
  body: string | undefined,
  { services: { callAws, queueUrls, now, token } }: ConsoleOperator,
): Promise<void> {
  const identity = body === undefined ? undefined : identify(parseJson(body), appId);
  if (body === undefined || identity === undefined) {
    throw new CannotHandleAgainError("The delivery is no longer kept, or is not an event.");
  }
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

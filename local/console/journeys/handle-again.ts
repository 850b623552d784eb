import { parseJson } from "../../../lib/base/json.ts";
import { identify } from "../../../lib/events/identity.ts";
import { deadLetters } from "../../../lib/queue/dead-letter.ts";
import { toQueueMessage } from "../../../lib/queue/enqueue.ts";
import { createLaneStore } from "../../../lib/queue/lanes/lane-store.ts";
import { readOutageRoom } from "../../../lib/queue/lanes/outage-room.ts";
import { createTicketSenders } from "../../../lib/queue/lanes/ticket.ts";
import { oldestMs } from "../../../lib/queue/message-facts.ts";
import { quarantinedDeliveries } from "../../../lib/queue/quarantined-delivery.ts";
import { type ConsoleOperator, refuseWhenBusy } from "../operate.ts";
import { WrongInputError } from "../read-input.ts";
import { findLanes, isQuarantined } from "./find-place.ts";
import type { Journey, KeptMessage } from "./journey.ts";

/**
 * Replays a dead letter or a quarantined delivery, wakes a parked conversation, or sends the message to the
 * queue again. Repeatable: `effects` are not repeated.
 * @throws WrongInputError, AwsCallError
 */
export async function handleAgain(
  journey: Journey,
  body: string | undefined,
  operator: ConsoleOperator,
): Promise<string> {
  const { facts, atMs, messages } = journey;
  const { services } = operator;
  if (services.now() - atMs > oldestMs) {
    throw new WrongInputError(
      "It was received more than 30 days ago. Its effects are no longer recorded and could be repeated.",
      409,
    );
  }
  const last = messages.at(-1);
  const order = facts.deliveryKey !== undefined && { selection: { deliveryKey: facts.deliveryKey } };
  if (last?.buried !== undefined && order) {
    const { replayed, failure } = await deadLetters.replay(order, services).catch(refuseWhenBusy);
    if (replayed > 0) return "The dead letter was replayed.";
    if (failure !== undefined) throw new WrongInputError(failure, 409);
  } else if (isQuarantined(journey) && order) {
    const { replayed, selected } = await quarantinedDeliveries.replay(order, services).catch(refuseWhenBusy);
    if (replayed > 0) return "The quarantined delivery was replayed.";
    if (selected > 0) throw new WrongInputError("It is in quarantine and still cannot be parsed.", 409);
  } else if (last !== undefined && (await wakeLanes(facts.appId, last, operator))) {
    return "Its conversation was woken and is retried now.";
  }
  await putAgain(journey, body, operator);
  return "The event was sent to the queue again.";
}

/** False if no parked lane holds the message. */
async function wakeLanes(appId: string, message: KeptMessage, operator: ConsoleOperator): Promise<boolean> {
  const { now, token, callAws, queueUrls } = operator.services;
  const holding = await findLanes(message, operator);
  const awake = holding.filter(
    ({ parked: { heldBy } }) => heldBy === undefined || readOutageRoom(heldBy) !== undefined,
  );
  if (holding.length > 0 && awake.length === 0)
    throw new WrongInputError("Its app or trigger is paused. It waits until the pause ends.", 409);
  for (const { lane, parked } of awake) {
    if (parked.wakeAt > now()) {
      const lanes = createLaneStore(operator.tableOf("LanesTable", "item"), now);
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

import { type DropOptions, type DropReport, dropSetAside } from "./drop-set-aside.ts";
import { createEnqueue } from "./enqueue.ts";
import type { HeldMessage } from "./held-queue.ts";
import { type Found, type LookOptions, lookThrough } from "./look-through.ts";
import { type OperatorServices, openForOperator, withPatience } from "./operator-services.ts";
import { type QuarantinedDelivery, readQuarantined } from "./quarantined-delivery.ts";
import type { ReplayReport } from "./replay-report.ts";
import { type Comeback, type ReplayOptions, replaySetAside } from "./replay-set-aside.ts";
import type { Selection, SetAside } from "./set-aside.ts";

/**
 * Lists what is in quarantine. Changes nothing; while it runs, nobody else sees the messages.
 * @throws AwsCallError when the queue gives no answer
 */
export async function listQuarantined(
  selection: Selection,
  services: OperatorServices,
  options?: LookOptions,
): Promise<Found<SetAside>> {
  const queue = await openForOperator("quarantine", services);
  return lookThrough(queue, readFacts, selection, options);
}

/**
 * Finds one delivery in quarantine, with what the platform sent, which may hold what people wrote. Undefined when it is not
 * there, or in somebody else's hands. Changes nothing.
 * @throws AwsCallError when the queue gives no answer
 */
export async function showQuarantined(
  id: string,
  services: OperatorServices,
  options?: LookOptions,
): Promise<QuarantinedDelivery | undefined> {
  let shown: QuarantinedDelivery | undefined;
  const read = (message: HeldMessage) => {
    const delivery = readQuarantined(message);
    if (message.id === id) shown = delivery;
    return factsAlone(delivery);
  };
  await lookThrough(await openForOperator("quarantine", services), read, { id }, options);
  return shown;
}

/**
 * Brings deliveries out of quarantine that can be understood by now: each is identified as the receiver does it, and stored
 * as a new event with its original time of receipt, in order of receipt within its lane. The others stay and are counted.
 * Not kept is the order with what was handled meanwhile; the report's note says so to whoever starts it.
 * @throws AwsCallError when the queue cannot be looked through, QueueBusyError when somebody else has messages of it; a
 * failure to send ends the run and is told in the report. May be repeated in every case, also after its process died.
 */
export async function replayQuarantined(
  options: ReplayOptions,
  services: OperatorServices,
): Promise<ReplayReport> {
  const queue = await openForOperator("quarantine", services);
  const kind = {
    read: readQuarantined,
    prepare: (_: HeldMessage, delivery: QuarantinedDelivery) => prepareDelivery(delivery, services),
  };
  return replaySetAside(queue, kind, options, services);
}

/**
 * Deletes deliveries in quarantine for good. Rehearse first, and pass what the rehearsal picked, so that nothing goes that
 * came meanwhile.
 * @throws AwsCallError when the queue cannot be looked through; a failure to delete ends the run and is told in the
 * report. May be repeated in every case, also after its process died.
 */
export async function dropQuarantined(options: DropOptions, services: OperatorServices): Promise<DropReport> {
  const queue = await openForOperator("quarantine", services);
  return dropSetAside(queue, { read: readFacts, mayHideOthers: () => false }, options, services);
}

function prepareDelivery(
  { appId, bytes, identity, receivedAt }: QuarantinedDelivery,
  { callAws, queueUrls }: OperatorServices,
): Comeback | undefined {
  if (identity === undefined || bytes === undefined || receivedAt === undefined) return undefined;
  const enqueue = createEnqueue(withPatience(callAws), queueUrls.events);
  return {
    lane: identity.lane,
    mayHideOthers: false,
    send: (replay) => enqueue({ appId, bytes, receivedAt, replay }, identity),
  };
}

function readFacts(message: HeldMessage): SetAside {
  return factsAlone(readQuarantined(message));
}

/** Bytes and texts of many deliveries would not fit into memory. */
function factsAlone({
  id,
  appId,
  trigger,
  reason,
  cause,
  deliveryKey,
  receivedAt,
  setAsideAt,
}: QuarantinedDelivery): SetAside {
  return { id, appId, trigger, reason, cause, deliveryKey, receivedAt, setAsideAt };
}

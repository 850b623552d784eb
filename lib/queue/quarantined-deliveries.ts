import { type DropOptions, type DropReport, dropSetAside } from "./drop-set-aside.ts";
import { createEnqueue } from "./enqueue.ts";
import type { HeldMessage } from "./held-queue.ts";
import { type Found, type LookOptions, lookThrough } from "./look-through.ts";
import { type OperatorServices, openForOperator, withOperatorTimeouts } from "./operator-services.ts";
import { type QuarantinedDelivery, readQuarantined } from "./quarantined-delivery.ts";
import type { ReplayReport } from "./replay-report.ts";
import { type ReplayItem, type ReplayOptions, replaySetAside } from "./replay-set-aside.ts";
import type { Selection, SetAside } from "./set-aside.ts";

/**
 * Changes nothing, but hides the messages from other readers meanwhile.
 * @throws AwsCallError
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
 * With the platform's payload, which may contain users' texts. Changes nothing.
 * @returns undefined if absent or hidden by another reader
 * @throws AwsCallError
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
 * Replays what can be parsed by now: identified as by the receiver, stored with its original receipt, in
 * order of receipt within its lane. The rest stays and is counted. The order relative to events handled
 * meanwhile is lost; the report's note says so. Errors and repetition: as `replayDeadLetters`.
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

/** As `dropDeadLetters`: rehearse first and pass the rehearsal's ids. */
export async function dropQuarantined(options: DropOptions, services: OperatorServices): Promise<DropReport> {
  const queue = await openForOperator("quarantine", services);
  return dropSetAside(queue, { read: readFacts, mayHideOthers: () => false }, options, services);
}

function prepareDelivery(
  { appId, bytes, identity, receivedAt }: QuarantinedDelivery,
  { callAws, queueUrls }: OperatorServices,
): ReplayItem | undefined {
  if (identity === undefined || bytes === undefined || receivedAt === undefined) return undefined;
  const enqueue = createEnqueue(withOperatorTimeouts(callAws), queueUrls.events);
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

import { createTable } from "../../lib/aws/create-table.ts";
import { parseJson } from "../../lib/base/json.ts";
import { listDeadLetters } from "../../lib/queue/dead-letters.ts";
import { createLaneStore, type ParkedLane } from "../../lib/queue/lanes/lane-store.ts";
import { readOutageRoom } from "../../lib/queue/lanes/outage-room.ts";
import { factsOf } from "../../lib/queue/message-facts.ts";
import type { OperatorServices } from "../../lib/queue/operator-services.ts";
import { listQuarantined } from "../../lib/queue/quarantined-deliveries.ts";
import { readQueueCounts } from "../repair/queue-depth.ts";
import type { Target } from "../target/target.ts";
import type { TraceStep } from "./trace-lines.ts";

/** Where an unhandled event is. */
export interface FoundPlace {
  readonly verdict: "dead" | "quarantined" | "parked";
  readonly step: TraceStep;
}

export interface PlaceServices {
  readonly operator: OperatorServices;
  readonly target: Target;
  readonly signal: AbortSignal;
}

/**
 * Looks where events wait: dead letters, quarantine, the table of parked lanes. Changes nothing.
 * @throws AwsCallError
 */
export async function findEvent(
  { deliveryKey, laneId }: { readonly deliveryKey: string; readonly laneId: string | undefined },
  { operator, target, signal }: PlaceServices,
): Promise<FoundPlace | undefined> {
  const { queueUrls, callAws } = operator;
  // Receiving hides the messages for a moment: skip an empty queue.
  const isEmpty = async (url: string) => {
    const { waiting, taken } = await readQueueCounts(callAws, url);
    return waiting + taken === 0;
  };
  if (!(await isEmpty(queueUrls.deadLetters))) {
    const [letter] = (await listDeadLetters({ deliveryKey }, operator, { signal })).found;
    if (letter !== undefined) {
      const what = `is there with the id ${letter.id}: ${letter.reason}; ${letter.cause}`;
      const step = { atMs: letter.setAsideAt, place: "dead letters", what, from: "DeadLetterQueue" };
      return { verdict: "dead", step };
    }
  }
  if (!(await isEmpty(queueUrls.quarantine))) {
    const [delivery] = (await listQuarantined({ deliveryKey }, operator, { signal })).found;
    if (delivery !== undefined) {
      const what = `is there with the id ${delivery.id}: ${delivery.reason}; ${delivery.cause}`;
      const step = { atMs: delivery.setAsideAt, place: "quarantine", what, from: "QuarantineQueue" };
      return { verdict: "quarantined", step };
    }
  }
  return laneId === undefined ? undefined : await findParked(deliveryKey, laneId, operator, target);
}

/** A longer lane is reported as "more". */
const mostLooked = 200;

async function findParked(
  deliveryKey: string,
  laneId: string,
  { callAws, now }: OperatorServices,
  { stack }: Target,
): Promise<FoundPlace | undefined> {
  const tableName = (await stack()).physicalId("LanesTable");
  const store = createLaneStore(createTable({ callAws, tableName, sortKey: "item" }), now);
  const parked = (await store.find([laneId])).get(laneId);
  if (parked === undefined) return undefined;
  const records = await store.first(laneId, mostLooked);
  const place = records.findIndex(
    ({ messageBody }) => factsOf(parseJson(messageBody))?.deliveryKey === deliveryKey,
  );
  if (place < 0) return undefined;
  const what = `waits as number ${place + 1} of ${records.length} of its conversation; ${describeWait(parked)}`;
  return {
    verdict: "parked",
    step: { atMs: parked.since ?? now(), place: "parked", what, from: "LanesTable" },
  };
}

function describeWait({ wakeAt, heldBy, head }: ParkedLane): string {
  const cause = head?.progress.cause;
  const outage = readOutageRoom(heldBy ?? "");
  const next =
    outage !== undefined
      ? `tried after the next answer of ${outage.destination}, at least every 30 minutes`
      : wakeAt > 0
        ? `tried next at ${new Date(wakeAt).toISOString()}`
        : "tried when its turn comes";
  return cause === undefined || cause === "" ? next : `${next}; ${cause}`;
}

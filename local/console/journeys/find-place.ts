import { factsOf } from "../../../lib/event-queue/message-facts.ts";
import { parseJson } from "../../../lib/json.ts";
import { laneOf } from "../../../lib/lanes/lane-record.ts";
import { createLaneStore } from "../../../lib/lanes/lane-store.ts";
import type { Cloud } from "../../cloud/start-cloud.ts";
import type { JourneyPlace } from "../api/journeys.ts";
import type { ConsoleOperator } from "../operate.ts";
import { isBeside, isQuarantined } from "./handle-again.ts";
import type { Journey } from "./journey.ts";
import type { JourneyStore } from "./journey-store.ts";

/** More of one conversation are told as more. */
const mostLooked = 200;

/** Looks where a journey's event is now. Changes nothing. @throws AwsCallError when the table cannot be asked */
export async function findPlace(
  journey: Journey,
  {
    store,
    cloud,
    operator,
  }: { store: JourneyStore; cloud: Pick<Cloud, "receiveAll">; operator: ConsoleOperator },
): Promise<JourneyPlace | undefined> {
  const messages = [...journey.messageIds].flatMap((id) => store.messages.get(id) ?? []);
  const { deliveryKey } = journey.facts;
  const last = messages.at(-1);
  if (last?.buried !== undefined) {
    const letter = cloud
      .receiveAll("DeadLetterQueue")
      .find(({ body }) => factsOf(parseJson(body))?.deliveryKey === deliveryKey);
    if (letter !== undefined) {
      return { kind: "dead-letter", what: `is a dead letter: ${last.buried.cause}`, untilMs: undefined };
    }
  }
  if (isQuarantined(journey, last)) {
    const isThere = cloud
      .receiveAll("QuarantineQueue")
      .some(({ messageId }) => messageId === journey.quarantined?.messageId);
    return isThere ? { kind: "quarantine", what: "is in quarantine", untilMs: undefined } : undefined;
  }
  if (last !== undefined && last.attempts.length === 0 && last.buried === undefined) {
    const queued = cloud.receiveAll("EventsQueue").find(({ messageId }) => messageId === last.id);
    if (queued === undefined) return undefined;
    const what = queued.state === "inFlight" ? "is in the consumer's hands" : "waits in the queue";
    return { kind: "queue", what, untilMs: undefined };
  }
  if (last?.groupId === undefined || !isBeside(last)) return undefined;
  const lanes = createLaneStore(operator.tableOf("LanesTable", "item"), operator.services.now);
  const { id } = laneOf(last.queue === "calls" ? "calls" : "events", last.groupId);
  const parked = (await lanes.find([id])).get(id);
  if (parked === undefined) return undefined;
  const records = await lanes.first(id, mostLooked);
  const place = records.findIndex(({ messageId }) => messageId === last.id);
  if (place < 0) return undefined;
  const turn = place === 0 ? "is the next one" : `is number ${place + 1} of ${records.length}`;
  const held = parked.heldBy === undefined ? "" : ", and somebody paused it";
  const untilMs = parked.wakeAt > 0 ? parked.wakeAt : undefined;
  return { kind: "lane", what: `waits in its parked conversation, where it ${turn}${held}`, untilMs };
}

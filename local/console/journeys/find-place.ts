import { parseJson } from "../../../lib/base/json.ts";
import { readOutageRoom } from "../../../lib/queue/lanes/outage-room.ts";
import { factsOf } from "../../../lib/queue/message-facts.ts";
import type { Cloud } from "../../cloud/start-cloud.ts";
import type { JourneyPlace } from "../api/journeys.ts";
import type { ConsoleOperator } from "../operate.ts";
import { findLanes } from "./find-lanes.ts";
import { isQuarantined } from "./handle-again.ts";
import type { Journey } from "./journey.ts";
import type { JourneyStore } from "./journey-store.ts";

/**
 * Read-only.
 * @throws AwsCallError if the table does not answer
 */
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
    const what = queued.state === "inFlight" ? "is being handled by the consumer" : "waits in the queue";
    return { kind: "queue", what, untilMs: undefined };
  }
  const [holding] = last === undefined ? [] : await findLanes(last, operator);
  if (holding === undefined) return undefined;
  const { trigger, parked, place, length } = holding;
  const where = trigger === undefined ? "in its parked conversation" : `for the trigger ${trigger}`;
  const turn = place === 0 ? "is next" : `is number ${place + 1} of ${length}`;
  const outage = readOutageRoom(parked.heldBy ?? "");
  const waited = outage === undefined ? "it is paused" : `it waits until ${outage.destination} answers`;
  const held = parked.heldBy === undefined ? "" : `, and ${waited}`;
  const untilMs = parked.wakeAt > 0 && outage === undefined ? parked.wakeAt : undefined;
  return { kind: "lane", what: `waits ${where}, where it ${turn}${held}`, untilMs };
}

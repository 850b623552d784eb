import { parseJson } from "../../../lib/base/json.ts";
import { outcomeFields } from "../../../lib/effects/outcomes.ts";
import { parkedOutcome } from "../../../lib/queue/lanes/parked-outcome.ts";
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
    if (letter !== undefined) return { kind: "dead-letter", ...outcomeFields("dead-lettered", last.buried) };
  }
  if (isQuarantined(journey, last)) {
    const isThere = cloud
      .receiveAll("QuarantineQueue")
      .some(({ messageId }) => messageId === journey.quarantined?.messageId);
    const { problems: cause } = journey.quarantined ?? {};
    return isThere ? { kind: "quarantine", ...outcomeFields("quarantined", { cause }) } : undefined;
  }
  if (last !== undefined && last.attempts.length === 0 && last.buried === undefined) {
    const queued = cloud.receiveAll("EventsQueue").find(({ messageId }) => messageId === last.id);
    if (queued === undefined) return undefined;
    const isTaken = queued.state === "inFlight";
    return { kind: "queue", why: isTaken ? "The consumer handles it." : "It waits in the queue." };
  }
  const [holding] = last === undefined ? [] : await findLanes(last, operator);
  if (holding === undefined) return undefined;
  return { kind: "lane", ...parkedOutcome(holding.parked, holding) };
}

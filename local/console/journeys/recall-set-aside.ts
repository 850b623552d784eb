import { parseJson } from "../../../lib/base/json.ts";
import { factsOf } from "../../../lib/queue/message-facts.ts";
import { readQuarantined } from "../../../lib/queue/quarantined-delivery.ts";
import { deadLetterAttributes } from "../../../lib/queue/send-dead-letter.ts";
import type { Cloud } from "../../cloud/start-cloud.ts";
import type { JourneyStore } from "./journey-store.ts";
import { wordsOf } from "./new-journey.ts";

type KeptQueues = Pick<Cloud, "receiveAll">;

/** Marks the deliveries from before this start that are still in a dead-letter queue or in quarantine. */
export function recallSetAside(store: JourneyStore, cloud: KeptQueues): void {
  for (const { messageId, body, attributes, groupId, sentAtMs } of cloud.receiveAll("DeadLetterQueue")) {
    const { deliveryKey } = factsOf(parseJson(body)) ?? {};
    const journey = deliveryKey === undefined ? undefined : store.ofFact(deliveryKey).at(-1);
    if (journey === undefined) continue;
    const textOf = (name: keyof typeof deadLetterAttributes) =>
      attributes[deadLetterAttributes[name]]?.StringValue ?? "";
    const [reason, cause] = [textOf("reason") || "moved", textOf("cause")];
    store.addMessage({
      ...{ id: messageId, queue: "events", journeyId: journey.id, sentAtMs: undefined, groupId },
      ...{ isReplay: false, attempts: [], buried: { atMs: sentAtMs, reason, cause } },
    });
    journey.words += wordsOf(["buried", reason, cause]);
  }
  for (const { messageId: id, body, sentAtMs } of cloud.receiveAll("QuarantineQueue")) {
    const held = { id, body, attributes: {}, group: "", sequence: "", sentAt: sentAtMs };
    const { deliveryKey, reason, cause } = readQuarantined({ ...held, receiptHandle: "", heldUntil: 0 });
    const journey = deliveryKey === undefined ? undefined : store.ofFact(deliveryKey).at(-1);
    if (journey === undefined) continue;
    journey.quarantined = { atMs: sentAtMs, reason, problems: cause, messageId: id };
    journey.words += wordsOf(["quarantine", reason, cause]);
  }
}

import { basicAuthorization } from "../../../lib/base/http/basic-authorization.ts";
import { webhookUrlOf } from "../../../lib/receive/webhook-url.ts";
import type { World } from "../../stack/world.ts";
import type { Journey } from "./journey.ts";
import type { KeptJournal } from "./keep-journal.ts";

export class CannotSendAgainError extends Error {
  override readonly name = "CannotSendAgainError";
}

/**
 * Unchanged: from the platform to the same webhook, or from the console to the receiver. Returns the new
 * journey's id, if it has one yet. Each repetition is another delivery.
 * @throws CannotSendAgainError
 */
export async function sendAgain(
  { id, origin, facts: { appId } }: Journey,
  body: string | undefined,
  { world, journal }: { world: World; journal: Pick<KeptJournal, "noteRepetition"> },
): Promise<{ readonly id: string | undefined; readonly message: string }> {
  if (origin.kind === "platform") {
    const deliveryId = world.platform.services.outbox.repeat(origin.deliveryId);
    if (deliveryId === undefined) {
      throw new CannotSendAgainError(
        `The platform did not send delivery ${origin.deliveryId} again. Either a fault drops deliveries, or the delivery no longer exists.`,
      );
    }
    journal.noteRepetition(id, deliveryId);
    return { id: `d${deliveryId}`, message: "The platform sends it again." };
  }
  if (origin.kind === "queue" || body === undefined) {
    throw new CannotSendAgainError("It was not delivered by a request. Use “Handle again” instead.");
  }
  const { username, password } = world.webhook;
  const response = await fetch(webhookUrlOf(world.cloud.httpUrl, appId), {
    method: "POST",
    headers: { "content-type": "application/json", authorization: basicAuthorization(username, password) },
    body,
  });
  await response.arrayBuffer();
  return { id: undefined, message: `The receiver answered ${response.status}.` };
}

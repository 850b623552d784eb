import { basicAuthorization } from "../../../lib/base/http/basic-authorization.ts";
import { webhookUrlOf } from "../../../lib/receive/webhook-url.ts";
import type { World } from "../../stack/world.ts";
import { WrongInputError } from "../read-input.ts";
import type { Journey } from "./journey.ts";

/**
 * Unchanged: from the platform to the same webhook, or from the console to the receiver. Returns the new
 * journey's id, if it has one yet. Each repetition is another delivery.
 * @throws WrongInputError
 */
export async function sendAgain(
  { origin, facts: { appId } }: Journey,
  body: string | undefined,
  { platform, webhook, cloud }: World,
): Promise<{ readonly id: string | undefined; readonly message: string }> {
  if (origin.kind === "platform") {
    const deliveryId = platform.services.outbox.repeat(origin.deliveryId);
    if (deliveryId === undefined) {
      throw new WrongInputError(
        `The platform did not send delivery ${origin.deliveryId} again. Either a fault drops deliveries, or the delivery no longer exists.`,
        409,
      );
    }
    return { id: `d${deliveryId}`, message: "The platform sends it again." };
  }
  if (origin.kind === "queue" || body === undefined)
    throw new WrongInputError("It was not delivered by a request. Use “Handle again” instead.", 409);
  const authorization = basicAuthorization(webhook.username, webhook.password);
  const headers = { "content-type": "application/json", authorization };
  const response = await fetch(webhookUrlOf(cloud.httpUrl, appId), { method: "POST", headers, body });
  await response.arrayBuffer();
  return { id: undefined, message: `The receiver answered ${response.status}.` };
}

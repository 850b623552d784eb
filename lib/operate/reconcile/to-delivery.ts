import { type Identity, identify } from "../../events/identity.ts";
import { isReported, reconcileWebhook } from "../../handle/reported-message.ts";
import type { Delivery } from "../../queue/enqueue.ts";

/** What is handed over for a message, in the form of a webhook's delivery. */
export interface MadeDelivery {
  readonly delivery: Delivery;
  readonly identity: Identity;
}

/**
 * Returns the `message_sent` delivery for a message, with its current content. Undefined if the webhook would
 * not have reported it, or if it was deleted: it is not answered anymore.
 * @see docs/internals/platform/events.md#envelope
 */
export function toDelivery(
  app: { readonly appId: string; readonly region: string },
  message: unknown,
  receivedAt: number,
): MadeDelivery | undefined {
  const { appId, region } = app;
  if (!isReported(message) || message.deletedAt) return undefined;
  const body = { trigger: "message_sent", data: { message }, appId, region, webhook: reconcileWebhook };
  const identity = identify(body, appId);
  if (identity === undefined) return undefined;
  const text = JSON.stringify(body);
  return { delivery: { appId, bytes: Buffer.from(text), text, receivedAt }, identity };
}

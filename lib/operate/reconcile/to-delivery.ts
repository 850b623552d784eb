import { type Identity, identify } from "../../events/identity.ts";
import { isReported, reconcileWebhook } from "../../handle/reported-message.ts";
import type { Delivery } from "../../queue/enqueue.ts";

/** In the form of a webhook's delivery. */
export interface MadeDelivery {
  readonly delivery: Delivery;
  readonly identity: Identity;
}

/**
 * With the current content. Undefined if the webhook would not have reported the message, or if it was
 * deleted.
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

import type { Happenings } from "../services/happenings.ts";
import type { Services } from "../services/services.ts";
import type { App } from "../store/apps.ts";
import { emitMessageSent } from "./message-events.ts";
import { emitDecision } from "./moderation-events.ts";

/**
 * Tells the webhooks of a stored message: that it was sent, and what the engine decided. Live, a blocked message has
 * moderation_engine_blocked instead of message_sent; an approved one has both.
 * @see docs/platform/events.md#moderation-events, docs/platform/events.md#failed-engines
 */
export function emitStoredMessage(
  services: Services,
  app: App,
  { message, verdict }: Happenings["messageStored"],
): void {
  const isBlocked = verdict?.outcome === "disapproved";
  if (!isBlocked || services.switches.blockedMessageEvents === "besidesSent") {
    emitMessageSent(services, app, message);
  }
  if (verdict !== undefined) emitDecision(services, app, message, verdict);
}

import type { Services } from "../services/services.ts";
import type { App } from "../store/apps.ts";
import type { Message } from "../store/messages.ts";

/**
 * Emits that a message was pinned (it carries `pinnedBy`, `pinnedAt`) or unpinned (`unpinnedBy`, `unpinnedAt`).
 * @see docs/platform/events.md#pinned-messages (seen live)
 */
export function emitPinEvent(
  services: Services,
  app: App,
  trigger: "message_pinned" | "message_unpinned",
  message: Message & { unpinnedBy?: string; unpinnedAt?: number },
): void {
  services.outbox.emit(app, trigger, { message });
}

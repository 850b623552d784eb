import { nowSeconds, type Services } from "../services/services.ts";
import type { App } from "../store/apps.ts";
import type { Message } from "../store/messages.ts";
import type { Verdict } from "../store/verdict.ts";
import { showInWebhook } from "./message-marks.ts";

/**
 * Emits what the engine decided of a message.
 * @see docs/platform/events.md#moderation-events, docs/platform/events.md#failed-engines
 */
export function emitDecision(services: Services, app: App, message: Message, verdict: Verdict): void {
  const isBlocked = verdict.outcome === "disapproved";
  services.outbox.emit(app, isBlocked ? "moderation_engine_blocked" : "moderation_engine_approved", {
    message: showInWebhook(message, services.switches),
    ...(verdict.entries.length === 0 ? {} : { moderation: verdict.entries }),
  });
  if (verdict.failures.length > 0) emitEngineFailed(services, app, message, verdict);
}

function emitEngineFailed(services: Services, app: App, message: Message, verdict: Verdict): void {
  const { id, conversationId, sender, receiverType, receiver, category, type, sentAt } = message;
  services.outbox.emit(app, "moderation_engine_failed", {
    resource: { id, conversationId, sender, receiverType, receiver, category, type, sentAt },
    contentType: verdict.contentType,
    outcome: verdict.outcome,
    completedAt: nowSeconds(services),
    failures: verdict.failures,
  });
}

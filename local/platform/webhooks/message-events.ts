import { isJsonObject, type JsonObject } from "../json.ts";
import type { Happenings } from "../services/happenings.ts";
import { type AppServices, nowSeconds } from "../services/services.ts";
import type { Switches } from "../services/switches.ts";
import type { Message, Verdict } from "../store/messages.ts";

/**
 * Emits message_sent, and user_mentioned when the text mentions somebody.
 * @see docs/platform/events.md#what-fires-message_sent
 */
function emitMessageSent(services: AppServices, message: Message): void {
  const shown = showInWebhook(message, services.switches);
  services.emit("message_sent", { message: shown });
  const { mentions } = message.data;
  if (!isJsonObject(mentions)) return;
  const times = services.switches.userMentionedEvents === "perMessage" ? 1 : Object.keys(mentions).length;
  for (let time = 0; time < times; time += 1) services.emit("user_mentioned", { message: shown });
}

/**
 * Emits message_edited or message_deleted in the form the switch names: `changed` alone (seen live) or the action
 * message around it (documented). @see docs/platform/events.md#edited-and-deleted-messages
 */
export function emitMessageChanged(services: AppServices, change: MessageChange): void {
  const trigger = change.action === "edited" ? "message_edited" : "message_deleted";
  const shown = showInWebhook(change.changed, services.switches);
  const message = services.switches.editedAndDeletedForm === "live" ? shown : documentedForm(change, shown);
  services.records.emit(() => ({
    type: "message",
    appId: services.appId,
    action: change.action,
    message: change.changed,
  }));
  services.emit(trigger, { message });
}

/** An edit or deletion, with the message after it and the action message that records it. */
export type MessageChange = { action: "edited" | "deleted"; changed: Message; actionMessage: Message };

// The printed samples have `by` and `on` but no `for`, and of a deleted message only what identifies it.
function documentedForm({ action, changed, actionMessage }: MessageChange, shown: JsonObject): JsonObject {
  const { entities } = actionMessage.data;
  if (!isJsonObject(entities)) return actionMessage;
  const { id, conversationId, deletedAt, deletedBy } = changed;
  const on = action === "edited" ? shown : { id, conversationId, deletedAt, deletedBy };
  return {
    ...actionMessage,
    data: { ...actionMessage.data, entities: { by: entities.by, on: { entity: on, entityType: "message" } } },
  };
}

/** Gives a message as webhooks carry it: without tags and metadata where the switch says so. */
function showInWebhook(
  message: Message,
  { messageMarksInWebhooks }: Pick<Switches, "messageMarksInWebhooks">,
): JsonObject {
  if (messageMarksInWebhooks === "kept") return message;
  const { tags: _tags, ...rest } = message;
  const { metadata: _metadata, ...data } = message.data;
  return { ...rest, data };
}

/**
 * Emits what the engine decided of a message.
 * @see docs/platform/events.md#moderation-events, docs/platform/events.md#failed-engines
 */
export function emitDecision(services: AppServices, message: Message, verdict: Verdict): void {
  const isBlocked = verdict.outcome === "disapproved";
  services.emit(isBlocked ? "moderation_engine_blocked" : "moderation_engine_approved", {
    message: showInWebhook(message, services.switches),
    ...(verdict.entries.length === 0 ? {} : { moderation: verdict.entries }),
  });
  if (verdict.failures.length > 0) emitEngineFailed(services, message, verdict);
}

function emitEngineFailed(services: AppServices, message: Message, verdict: Verdict): void {
  const { id, conversationId, sender, receiverType, receiver, category, type, sentAt } = message;
  services.emit("moderation_engine_failed", {
    resource: { id, conversationId, sender, receiverType, receiver, category, type, sentAt },
    contentType: verdict.contentType,
    outcome: verdict.outcome,
    completedAt: nowSeconds(services),
    failures: verdict.failures,
  });
}

/**
 * Tells the webhooks of a stored message: that it was sent, and what the engine decided. Live, a blocked message has
 * moderation_engine_blocked instead of message_sent; an approved one has both.
 * @see docs/platform/events.md#moderation-events, docs/platform/events.md#failed-engines
 */
export function emitStoredMessage(
  services: AppServices,
  { message, verdict }: Happenings["messageStored"],
): void {
  const isBlocked = verdict?.outcome === "disapproved";
  if (!isBlocked || services.switches.blockedMessageEvents === "besidesSent") {
    emitMessageSent(services, message);
  }
  if (verdict !== undefined) emitDecision(services, message, verdict);
}

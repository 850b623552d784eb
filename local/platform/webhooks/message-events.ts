import { isJsonObject, type JsonObject } from "../json.ts";
import type { Services } from "../services/services.ts";
import type { App } from "../store/apps.ts";
import type { Message } from "../store/messages.ts";
import { showInWebhook } from "./message-marks.ts";

/**
 * Emits message_sent, and user_mentioned when the text mentions somebody.
 * @see docs/platform/events.md#what-fires-message_sent
 */
export function emitMessageSent(services: Services, app: App, message: Message): void {
  const shown = showInWebhook(message, services.switches);
  services.outbox.emit(app, "message_sent", { message: shown });
  const { mentions } = message.data;
  if (!isJsonObject(mentions)) return;
  const times = services.switches.userMentionedEvents === "perMessage" ? 1 : Object.keys(mentions).length;
  for (let time = 0; time < times; time += 1) services.outbox.emit(app, "user_mentioned", { message: shown });
}

/**
 * Emits message_edited or message_deleted in the form the switch names: `changed` alone (seen live) or the action
 * message around it (documented). @see docs/platform/events.md#edited-and-deleted-messages
 */
export function emitMessageChanged(services: Services, app: App, change: MessageChange): void {
  const trigger = change.action === "edited" ? "message_edited" : "message_deleted";
  const shown = showInWebhook(change.changed, services.switches);
  const message = services.switches.editedAndDeletedForm === "live" ? shown : documentedForm(change, shown);
  services.records.emit(() => ({
    type: "message",
    appId: app.appId,
    action: change.action,
    message: change.changed,
  }));
  services.outbox.emit(app, trigger, { message });
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

import { isJsonObject, type JsonObject, omit, pick } from "../json.ts";
import { type AppServices, nowSeconds, type Occurrences } from "../services/services.ts";
import type { Switches } from "../services/switches.ts";
import { countOnlineMembers, type Group } from "../store/groups.ts";
import type { Message, Verdict } from "../store/messages.ts";
import { isBlockedBy, systemUser, type User } from "../store/users.ts";
import { showGroup, showUser } from "../wire/show.ts";

/** @see docs/internals/platform/events.md#what-fires-message_sent */
function emitMessageSent(services: AppServices, message: Message) {
  const { statusInMessageSent: status } = services.switches;
  const isPending = status === "pending" && message.data.moderation !== undefined;
  const asSent = isPending ? { ...message, data: { ...message.data, moderation: { status } } } : message;
  const shown = showInWebhook(asSent, services.switches);
  services.emit("message_sent", { message: shown });
  const { mentions } = message.data;
  if (!isJsonObject(mentions)) return;
  const times = services.switches.userMentionedEvents === "perMessage" ? 1 : Object.keys(mentions).length;
  for (let time = 0; time < times; time += 1) services.emit("user_mentioned", { message: shown });
}

/**
 * Sends, by switch, `changed` alone (live) or the action message around it.
 * @see docs/internals/platform/events.md#edited-and-deleted-messages
 */
export function emitMessageChanged(services: AppServices, change: MessageChange): void {
  const trigger = change.action === "edited" ? "message_edited" : "message_deleted";
  const { changed } = change;
  const data = change.action === "edited" ? changed.data : omit(changed.data, ...contents);
  const shown = showInWebhook({ ...changed, data }, services.switches);
  const message = services.switches.editedAndDeletedForm === "live" ? shown : documentedForm(change, shown);
  services.records.emit(() => ({
    type: "message",
    appId: services.appId,
    action: change.action,
    message: change.changed,
  }));
  services.emit(trigger, { message });
}

const contents = ["text", "attachments", "customData"];

type MessageChange = { action: "edited" | "deleted"; changed: Message; actionMessage: Message };

// Samples have no `for`, and of a deleted message only identifying fields.
function documentedForm({ action, changed, actionMessage }: MessageChange, shown: JsonObject) {
  const { entities } = actionMessage.data;
  if (!isJsonObject(entities)) return actionMessage;
  const { id, conversationId, deletedAt, deletedBy } = changed;
  const on = action === "edited" ? shown : { id, conversationId, deletedAt, deletedBy };
  return {
    ...actionMessage,
    data: { ...actionMessage.data, entities: { by: entities.by, on: { entity: on, entityType: "message" } } },
  };
}

function showInWebhook(
  message: Message,
  { messageMarksInWebhooks }: Pick<Switches, "messageMarksInWebhooks">,
) {
  if (messageMarksInWebhooks === "kept") return message;
  return { ...omit(message, "tags"), data: omit(message.data, "metadata") };
}

/** @see docs/internals/platform/events.md#failed-engines */
export function emitDecision(services: AppServices, message: Message, verdict: Verdict): void {
  const isBlocked = verdict.outcome === "disapproved";
  services.emit(isBlocked ? "moderation_engine_blocked" : "moderation_engine_approved", {
    message: showInWebhook(message, services.switches),
    ...(verdict.entries.length !== 0 && { moderation: verdict.entries }),
  });
  if (verdict.failures.length > 0) emitEngineFailed(services, message, verdict);
}

function emitEngineFailed(services: AppServices, message: Message, verdict: Verdict) {
  services.emit("moderation_engine_failed", {
    resource: pick(
      message,
      "id",
      "conversationId",
      "sender",
      "receiverType",
      "receiver",
      "category",
      "type",
      "sentAt",
    ),
    contentType: verdict.contentType,
    outcome: verdict.outcome,
    completedAt: nowSeconds(services),
    failures: verdict.failures,
  });
}

/**
 * A blocked message has, live, moderation_engine_blocked instead of message_sent.
 * @see docs/internals/platform/events.md#moderation-events
 */
export function emitStoredMessage(
  services: AppServices,
  { message, verdict, isClient }: Occurrences["messageStored"],
): void {
  const isBlocked = verdict?.outcome === "disapproved";
  const { clientMessageEvents, agenticMessageEvents } = services.switches;
  const isSilent =
    (isClient === true && clientMessageEvents === "none") ||
    (message.category === "agentic" && agenticMessageEvents === "none");
  if (!isSilent && (!isBlocked || services.switches.blockedMessageEvents === "besidesSent")) {
    emitMessageSent(services, message);
  }
  if (verdict !== undefined) emitDecision(services, message, verdict);
}

type GroupEvent = {
  trigger: string;
  group: Group;
  membership?: { scope: string; joinedAt: number };
  members?: readonly User[];
  memberFields?: JsonObject;
  groupFields?: JsonObject;
  by?: User;
};

/**
 * Without onBehalfOf, `by` is the system user (assumed).
 * @see docs/internals/platform/events.md#group-events
 */
export function emitGroupEvent(services: AppServices, event: GroupEvent): void {
  const data: JsonObject = {
    group: {
      ...showGroup(event.group, event.membership, false),
      // All samples but group_created's have it.
      ...(event.trigger !== "group_created" && {
        onlineMembersCount: countOnlineMembers(services, event.group.guid),
      }),
      ...event.groupFields,
    },
  };
  const viewer = event.by?.uid === systemUser.uid ? undefined : event.by;
  if (event.members !== undefined) {
    data.members = Object.fromEntries(
      event.members.map((user) => [user.uid, { ...showUser(user, viewer?.uid), ...event.memberFields }]),
    );
  }
  if (event.by !== undefined) data.by = showUser(event.by);
  services.emit(event.trigger, data);
}

/** `at` is in unix seconds. */
type Receipt = { action: "delivered" | "read"; message: Message; at: number };

/** @see docs/internals/platform/events.md#users-in-events @see docs/internals/platform/events.md#receipts */
export function emitReceipt(services: AppServices, receipt: Receipt & { user: User }): void {
  const { action, message, user } = receipt;
  const trigger = action === "read" ? "message_read_receipt" : "message_delivery_receipt";
  services.emit(trigger, {
    ...common(receipt, user.uid),
    receiver: message.receiverType === "group" ? message.receiver : message.sender,
    body: {
      action,
      messageId: message.id,
      user: {
        ...showUser(user),
        hasBlockedMe: isBlockedBy(services, user.uid, message.sender),
        blockedByMe: isBlockedBy(services, message.sender, user.uid),
        deactivatedAt: user.deactivatedAt ?? 0,
      },
      timestamp: receipt.at,
    },
  });
}

/** @see docs/internals/platform/events.md#receipts-of-all */
export function emitReceiptToAll(services: AppServices, receipt: Receipt): void {
  const isRead = receipt.action === "read";
  services.emit(isRead ? "message_read_by_all" : "message_delivered_to_all", {
    ...common(receipt, systemUser.uid),
    receiver: receipt.message.receiver,
    body: {
      messageId: receipt.message.id,
      timestamp: receipt.at,
      action: isRead ? "readByAll" : "deliveredToAll",
      user: { ...pick(systemUser, "uid", "name", "role", "status"), avatar: "" },
    },
  });
}

function common({ message }: Receipt, sender: string) {
  return { receiverType: message.receiverType, type: "receipts", sender, messageSender: message.sender };
}

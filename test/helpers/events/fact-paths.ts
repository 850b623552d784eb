/**
 * The fields that identify the occurrence, by family and trigger: paths below `data`, `*` for any name or
 * place in a list, `**` for everything below. Of alternatives, the first in a sample. All other fields are a
 * snapshot.
 */
export const factPaths: Readonly<Record<string, readonly string[]>> = {
  "webhook message_sent": ["message.id"],
  "webhook user_mentioned": ["message.id", "message.editedAt"],
  "webhook message_edited": [
    "message.id",
    "message.data.entities.on.entity.id",
    "message.data.entities.on.entity.editedAt|message.editedAt|message.updatedAt",
    ...contentOf("message.data.entities.on.entity"),
    ...contentOf("message"),
  ],
  "webhook message_deleted": [
    "message.data.entities.on.entity.id|message.id",
    "message.data.entities.on.entity.deletedAt|message.deletedAt",
  ],
  "webhook message_pinned": ["message.id", "message.pinnedAt", "message.pinnedBy"],
  "webhook message_unpinned": ["message.id", "message.unpinnedAt", "message.unpinnedBy"],
  "webhook moderation_engine_approved": ["message.id", "message.editedAt", ...contentOf("message")],
  "webhook moderation_engine_blocked": ["message.id", "message.editedAt", ...contentOf("message")],
  "webhook moderation_manual_approved": ["message.id", "message.editedAt", ...contentOf("message")],
  "webhook moderation_engine_failed": [
    "resource.id",
    "contentType",
    "completedAt",
    "outcome",
    "failures.*.category",
    "failures.*.context.rule.id",
  ],
  "webhook message_reaction_added": reaction(),
  "webhook message_reaction_removed": reaction(),
  "webhook message_delivery_receipt": receipt(),
  "webhook message_read_receipt": receipt(),
  "webhook message_delivered_to_all": receipt(),
  "webhook message_read_by_all": receipt(),
  "webhook user_blocked": ["by.uid"],
  "webhook user_unblocked": ["by.uid"],
  "webhook user_connection_status_changed": [
    "user.uid",
    "timestamp",
    "status",
    "currentConnection.action",
    "currentConnection.platform",
    "currentConnection.connectedAt",
  ],
  "webhook group_created": ["group.guid", "group.createdAt"],
  "webhook group_deleted": ["group.guid", "group.createdAt"],
  "webhook group_updated": [
    "group.guid",
    "group.updatedAt",
    "group.updatedBy",
    "group.name",
    "group.type",
    "group.description",
    "group.icon",
    "group.owner",
    "group.tags.*",
    "group.metadata.**",
  ],
  "webhook group_owner_transferred": [
    "group.guid",
    "group.updatedAt",
    "group.updatedBy",
    "group.owner",
    "group.oldOwner",
  ],
  "webhook group_member_added": ["group.guid", "by.uid", "members.*.scope"],
  "webhook group_member_joined": ["group.guid", "group.updatedAt"],
  "webhook group_member_left": ["group.guid", "group.updatedAt"],
  "webhook group_member_kicked": ["group.guid", "group.updatedAt", "by.uid"],
  "webhook group_member_banned": ["group.guid", "group.updatedAt", "by.uid"],
  "webhook group_member_unbanned": ["group.guid", "group.updatedAt", "by.uid"],
  "webhook group_member_scope_changed": [
    "group.guid",
    "group.updatedAt",
    "by.uid",
    "members.*.scope",
    "members.*.oldScope",
  ],
  "webhook call_initiated": ["call.id", "call.sentAt"],
  "webhook call_busy": ["call.id", "call.sentAt"],
  "webhook call_cancelled": ["call.id", "call.sentAt"],
  "webhook call_rejected": ["call.id", "call.sentAt"],
  "webhook call_unanswered": ["call.id", "call.sentAt"],
  "webhook call_started": ["sessionId", "created_at"],
  "webhook meeting_started": ["sessionId", "created_at"],
  "webhook call_participant_joined": ["sessionId", "occupant.joined_at", ...person()],
  "webhook meeting_participant_joined": ["sessionId", "occupant.joined_at", ...person()],
  "webhook call_participant_left": ["sessionId", "occupant.left_at", "occupant.joined_at", ...person()],
  "webhook meeting_participant_left": ["sessionId", "occupant.left_at", "occupant.joined_at", ...person()],
  "webhook call_ended": ["sessionId", "destroyed_at"],
  "webhook meeting_ended": ["sessionId", "destroyed_at"],
  "webhook recording_generated": ["sessionId", "startTime"],
  "webhook transcription_generated": ["sessionId", "tid"],
  "webhook after_campaign_completed": ["campaignId", "completedAt|updatedAt"],
  "webhook after_campaign_failed": ["campaignId", "completedAt|updatedAt"],
  "webhook after_notification_created": ["notificationId", "createdAt"],
  "webhook after_feed_item_sent": ["id", "sentAt"],
  "webhook after_feed_item_delivered": ["id", "deliveredAt"],
  "webhook after_feed_item_read": ["id", "readAt"],
  "webhook after_feed_item_interacted": ["id", "interactedAt|engagedAt", "topic"],
  "webhook after_push_notification_sent": ["pushNotificationId", "sentAt|failedAt"],
  "webhook after_push_notification_delivered": ["pushNotificationId", "deliveredAt"],
  "webhook after_push_notification_clicked": ["pushNotificationId", "clickedAt"],
  "legacy after_message": ["id"],
  "legacy message_delivery_receipt": ["messageId", "receiptSender", "receiptType", "readAt|deliveredAt"],
  "legacy message_read_receipt": ["messageId", "receiptSender", "receiptType", "readAt|deliveredAt"],
  "legacy after_connection_status_changed": [
    "user.uid",
    "event.at",
    "event.type",
    "event.event_for.session_id",
  ],
  "bot after_message": ["id"],
  "notification push-notification-payload-generated": [
    "to.uid",
    "notificationDetails.tag",
    "notificationDetails.sentAt",
    "notificationDetails.type",
    "notificationDetails.callAction",
    "notificationDetails.sessionId",
    "notificationDetails.sender",
    "notificationDetails.conversationId",
    "notificationDetails.body",
  ],
  "notification email-notification-payload-generated": collected(),
  "notification sms-notification-payload-generated": collected(),
  "extension email-extension": ["*.id"],
};

/** Fields that the samples lack; added to those of the trigger. */
export const furtherFields: Readonly<Record<string, object>> = {
  "webhook user_mentioned": { message: { editedAt: 5 } },
  "webhook message_edited": { message: writtenMessage() },
  "webhook message_edited, action": { message: { data: { entities: { on: { entity: writtenMessage() } } } } },
  "webhook moderation_engine_approved": { message: { editedAt: 5, ...writtenMessage() } },
  "webhook moderation_engine_blocked": { message: { editedAt: 5, ...writtenMessage() } },
  "webhook moderation_manual_approved": { message: { editedAt: 5, ...writtenMessage() } },
  "webhook group_updated": {
    group: {
      description: "Up and down",
      icon: "https://media-us.cometchat.io/app/media/hikers.png",
      tags: ["outdoors"],
      metadata: { season: { from: 4 } },
    },
  },
  "webhook group_member_added": { members: { "cometchat-uid-2": { scope: "admin" } } },
  "webhook group_member_kicked": { members: { "cometchat-uid-2": { scope: "participant" } } },
  "webhook group_member_joined": { members: { "cometchat-uid-2": { scope: "participant" } } },
  "webhook after_feed_item_interacted": { topic: "opened" },
};

function contentOf(message: string): string[] {
  return [
    `${message}.data.text`,
    `${message}.data.url`,
    `${message}.data.customData.**`,
    `${message}.data.attachments.*.name`,
    `${message}.data.attachments.*.url`,
    `${message}.data.metadata.mood`,
    `${message}.tags.*`,
  ];
}

function writtenMessage(): object {
  const url = "https://media-us.cometchat.io/app/media/map.png";
  return {
    tags: ["plans"],
    data: {
      text: "See you at nine",
      url,
      customData: { place: { lat: 46 } },
      attachments: [{ name: "map.png", url, size: "350.2" }],
      metadata: { mood: "merry", "@injected": { extensions: { "link-preview": { links: ["x"] } } } },
    },
  };
}

function receipt(): string[] {
  return ["body.messageId", "body.user.uid|sender", "body.action", "body.timestamp"];
}

function reaction(): string[] {
  return ["reaction.id", "reaction.reactedAt", "reaction.uid", "reaction.reaction"];
}

/** The name replaces a missing uid only. */
function person(): string[] {
  return ["occupant.uid|occupant.name"];
}

function collected(): string[] {
  return [
    "to.uid",
    "groupDetails.guid",
    "senderDetails.uid",
    "messages.*.sender.uid",
    "messages.*.message",
    "messages.*.messageObject.id",
  ];
}

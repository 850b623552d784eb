import type { Generation } from "../store/webhooks.ts";

/** @returns undefined if the engine has no such trigger */
export function describeTrigger(generation: Generation, trigger: string): string | undefined {
  const table = generation === 2 ? currentTriggers : legacyTriggers;
  return Object.hasOwn(table, trigger) ? table[trigger] : undefined;
}

/** The management table lacks the last ones. @see docs/internals/platform/events.md#triggers */
export const currentTriggers: Record<string, string> = {
  message_sent: "A message was stored.",
  message_edited: "A message was edited.",
  message_deleted: "A message was deleted.",
  message_delivery_receipt: "A message was delivered.",
  message_read_receipt: "A message was read.",
  message_reaction_added: "A reaction was added.",
  message_reaction_removed: "A reaction was removed.",
  user_blocked: "A user blocked users.",
  user_unblocked: "A user unblocked users.",
  user_connection_status_changed: "A user connected or disconnected.",
  group_created: "A group was created.",
  group_updated: "A group was changed.",
  group_deleted: "A group was deleted.",
  group_owner_transferred: "A group got another owner.",
  group_member_joined: "A user joined a group.",
  group_member_left: "A user left a group.",
  group_member_added: "A user was added to a group.",
  group_member_kicked: "A user was removed from a group.",
  group_member_banned: "A user was banned from a group.",
  group_member_unbanned: "A ban was lifted.",
  group_member_scope_changed: "The scope of a member changed.",
  call_initiated: "A call was placed.",
  call_started: "The first participant joined a call.",
  call_participant_joined: "A participant joined a call.",
  call_participant_left: "A participant left a call.",
  call_ended: "A call ended.",
  recording_generated: "A recording is ready.",
  transcription_generated: "A transcript is ready.",
  meeting_started: "The first participant joined a meeting.",
  meeting_participant_joined: "A participant joined a meeting.",
  meeting_participant_left: "A participant left a meeting.",
  meeting_ended: "A meeting ended.",
  moderation_engine_approved: "The moderation engine let a message pass.",
  moderation_engine_blocked: "The moderation engine blocked a message.",
  moderation_manual_approved: "A moderator approved a blocked message.",
  moderation_engine_failed: "A moderation service gave no usable decision.",
  after_campaign_completed: "A campaign was completed.",
  after_campaign_failed: "A campaign failed.",
  after_notification_created: "A notification was created.",
  after_feed_item_sent: "A feed item was sent.",
  after_feed_item_delivered: "A feed item was delivered.",
  after_feed_item_read: "A feed item was read.",
  after_feed_item_interacted: "A user interacted with a feed item.",
  after_push_notification_sent: "A push notification was sent.",
  after_push_notification_delivered: "A push notification was delivered.",
  after_push_notification_clicked: "A push notification was clicked.",
  user_mentioned: "A message mentions a user.",
  message_pinned: "A message was pinned.",
  message_unpinned: "A message was unpinned.",
  message_delivered_to_all: "Every member received a group message.",
  message_read_by_all: "Every member read a group message.",
  call_busy: "The callee is busy.",
  call_cancelled: "The caller cancelled a call.",
  call_rejected: "The callee rejected a call.",
  call_unanswered: "Nobody answered a call.",
};

/** @see docs/internals/platform/legacy-engine.md#legacy-triggers */
export const legacyTriggers: Record<string, string> = {
  before_message: "A message is about to be stored.",
  after_message: "A message was stored.",
  message_delivery_receipt: "A message was delivered.",
  message_read_receipt: "A message was read.",
  user_connection_status_change: "A user connected or disconnected.",
};

import { lazy } from "../base/lazy.ts";

/**
 * All that a deployed function needs of the catalogue. One text without indents, because every function that
 * handles events bundles it.
 */
export const triggerNames = /* @__PURE__ */ lazy((): ReadonlySet<string> => new Set(names.split(/\s/)));

const names = `message_sent message_edited message_deleted message_delivery_receipt message_read_receipt
message_delivered_to_all message_read_by_all message_reaction_added message_reaction_removed
user_mentioned message_pinned message_unpinned user_blocked user_unblocked user_connection_status_changed
group_created group_updated group_deleted group_owner_transferred group_member_added group_member_joined
group_member_left group_member_kicked group_member_banned group_member_unbanned group_member_scope_changed
call_initiated call_busy call_cancelled call_rejected call_unanswered call_started call_participant_joined
call_participant_left call_ended meeting_started meeting_participant_joined meeting_participant_left
meeting_ended recording_generated transcription_generated moderation_engine_approved
moderation_engine_blocked moderation_manual_approved moderation_engine_failed after_campaign_completed
after_campaign_failed after_notification_created after_feed_item_sent after_feed_item_delivered
after_feed_item_read after_feed_item_interacted after_push_notification_sent
after_push_notification_delivered after_push_notification_clicked before_message after_message
after_connection_status_changed push-notification-payload-generated email-notification-payload-generated
sms-notification-payload-generated email-extension`;

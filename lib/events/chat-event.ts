import type {
  CallBusyEvent,
  CallCancelledEvent,
  CallEndedEvent,
  CallInitiatedEvent,
  CallParticipantJoinedEvent,
  CallParticipantLeftEvent,
  CallRejectedEvent,
  CallStartedEvent,
  CallUnansweredEvent,
  MeetingEndedEvent,
  MeetingParticipantJoinedEvent,
  MeetingParticipantLeftEvent,
  MeetingStartedEvent,
  RecordingGeneratedEvent,
  TranscriptionGeneratedEvent,
} from "./types/call-events.ts";
import type {
  AfterCampaignCompletedEvent,
  AfterCampaignFailedEvent,
  AfterFeedItemDeliveredEvent,
  AfterFeedItemInteractedEvent,
  AfterFeedItemReadEvent,
  AfterFeedItemSentEvent,
  AfterNotificationCreatedEvent,
  AfterPushNotificationClickedEvent,
  AfterPushNotificationDeliveredEvent,
  AfterPushNotificationSentEvent,
} from "./types/campaign-events.ts";
import type {
  AfterConnectionStatusChangedEvent,
  GroupCreatedEvent,
  GroupDeletedEvent,
  GroupMemberAddedEvent,
  GroupMemberBannedEvent,
  GroupMemberJoinedEvent,
  GroupMemberKickedEvent,
  GroupMemberLeftEvent,
  GroupMemberScopeChangedEvent,
  GroupMemberUnbannedEvent,
  GroupOwnerTransferredEvent,
  GroupUpdatedEvent,
  UserBlockedEvent,
  UserConnectionStatusChangedEvent,
  UserUnblockedEvent,
} from "./types/group-events.ts";
import type { UnknownEvent } from "./types/known-event.ts";
import type {
  AfterMessageEvent,
  BeforeMessageEvent,
  BotAfterMessageEvent,
  EmailExtensionEvent,
} from "./types/legacy-events.ts";
import type {
  LegacyMessageDeliveryReceiptEvent,
  LegacyMessageReadReceiptEvent,
  MessageDeletedEvent,
  MessageDeliveredToAllEvent,
  MessageDeliveryReceiptEvent,
  MessageEditedEvent,
  MessagePinnedEvent,
  MessageReactionAddedEvent,
  MessageReactionRemovedEvent,
  MessageReadByAllEvent,
  MessageReadReceiptEvent,
  MessageSentEvent,
  MessageUnpinnedEvent,
  UserMentionedEvent,
} from "./types/message-events.ts";
import type {
  ModerationEngineApprovedEvent,
  ModerationEngineBlockedEvent,
  ModerationEngineFailedEvent,
  ModerationManualApprovedEvent,
} from "./types/moderation-events.ts";
import type {
  EmailNotificationPayloadGeneratedEvent,
  PushNotificationPayloadGeneratedEvent,
  SmsNotificationPayloadGeneratedEvent,
} from "./types/notification-events.ts";

/** Every event of the platform: distinguish by `kind`, `trigger`, `family`. */
export type ChatEvent = CatalogueEvent | UnknownEvent;

/** One whose trigger is in the catalogue. */
export type CatalogueEvent = EventCatalogue[TriggerName];

/** A name in the catalogue. */
export type TriggerName = keyof EventCatalogue;

/**
 * The event of a trigger. Receipts of both engines share a type; `after_message` comes from the legacy engine
 * or a bot.
 */
export type EventOf<Name extends TriggerName> = EventCatalogue[Name];

/** Events by the platform's name. */
export interface EventCatalogue {
  readonly message_sent: MessageSentEvent;
  readonly user_mentioned: UserMentionedEvent;
  readonly message_edited: MessageEditedEvent;
  readonly message_deleted: MessageDeletedEvent;
  readonly message_pinned: MessagePinnedEvent;
  readonly message_unpinned: MessageUnpinnedEvent;
  readonly message_reaction_added: MessageReactionAddedEvent;
  readonly message_reaction_removed: MessageReactionRemovedEvent;
  readonly message_delivery_receipt: MessageDeliveryReceiptEvent | LegacyMessageDeliveryReceiptEvent;
  readonly message_read_receipt: MessageReadReceiptEvent | LegacyMessageReadReceiptEvent;
  readonly message_delivered_to_all: MessageDeliveredToAllEvent;
  readonly message_read_by_all: MessageReadByAllEvent;
  readonly user_blocked: UserBlockedEvent;
  readonly user_unblocked: UserUnblockedEvent;
  readonly user_connection_status_changed: UserConnectionStatusChangedEvent;
  readonly group_created: GroupCreatedEvent;
  readonly group_updated: GroupUpdatedEvent;
  readonly group_deleted: GroupDeletedEvent;
  readonly group_owner_transferred: GroupOwnerTransferredEvent;
  readonly group_member_added: GroupMemberAddedEvent;
  readonly group_member_joined: GroupMemberJoinedEvent;
  readonly group_member_left: GroupMemberLeftEvent;
  readonly group_member_kicked: GroupMemberKickedEvent;
  readonly group_member_banned: GroupMemberBannedEvent;
  readonly group_member_unbanned: GroupMemberUnbannedEvent;
  readonly group_member_scope_changed: GroupMemberScopeChangedEvent;
  readonly call_initiated: CallInitiatedEvent;
  readonly call_busy: CallBusyEvent;
  readonly call_cancelled: CallCancelledEvent;
  readonly call_rejected: CallRejectedEvent;
  readonly call_unanswered: CallUnansweredEvent;
  readonly call_started: CallStartedEvent;
  readonly call_participant_joined: CallParticipantJoinedEvent;
  readonly call_participant_left: CallParticipantLeftEvent;
  readonly call_ended: CallEndedEvent;
  readonly meeting_started: MeetingStartedEvent;
  readonly meeting_participant_joined: MeetingParticipantJoinedEvent;
  readonly meeting_participant_left: MeetingParticipantLeftEvent;
  readonly meeting_ended: MeetingEndedEvent;
  readonly recording_generated: RecordingGeneratedEvent;
  readonly transcription_generated: TranscriptionGeneratedEvent;
  readonly moderation_engine_approved: ModerationEngineApprovedEvent;
  readonly moderation_engine_blocked: ModerationEngineBlockedEvent;
  readonly moderation_manual_approved: ModerationManualApprovedEvent;
  readonly moderation_engine_failed: ModerationEngineFailedEvent;
  readonly after_campaign_completed: AfterCampaignCompletedEvent;
  readonly after_campaign_failed: AfterCampaignFailedEvent;
  readonly after_notification_created: AfterNotificationCreatedEvent;
  readonly after_feed_item_sent: AfterFeedItemSentEvent;
  readonly after_feed_item_delivered: AfterFeedItemDeliveredEvent;
  readonly after_feed_item_read: AfterFeedItemReadEvent;
  readonly after_feed_item_interacted: AfterFeedItemInteractedEvent;
  readonly after_push_notification_sent: AfterPushNotificationSentEvent;
  readonly after_push_notification_delivered: AfterPushNotificationDeliveredEvent;
  readonly after_push_notification_clicked: AfterPushNotificationClickedEvent;
  readonly before_message: BeforeMessageEvent;
  readonly after_message: AfterMessageEvent | BotAfterMessageEvent;
  readonly after_connection_status_changed: AfterConnectionStatusChangedEvent;
  readonly "push-notification-payload-generated": PushNotificationPayloadGeneratedEvent;
  readonly "email-notification-payload-generated": EmailNotificationPayloadGeneratedEvent;
  readonly "sms-notification-payload-generated": SmsNotificationPayloadGeneratedEvent;
  readonly "email-extension": EmailExtensionEvent;
}

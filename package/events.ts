/**
 * Parses the platform's webhooks: `parseEvent` types a delivery by its trigger, `identify` names its
 * occurrence. Every event with a sample: docs/events.md. @module cometchat-functions/events
 */

export { type CatalogueEntry, catalogue } from "../lib/events/catalogue.ts";
export type {
  CatalogueEvent,
  ChatEvent,
  EventCatalogue,
  EventOf,
  TriggerName,
} from "../lib/events/chat-event.ts";
export {
  identifyAny as identify,
  parseAnyEvent as parseEvent,
  suggestForTrigger as suggestTrigger,
} from "../lib/events/checked-parse.ts";
export type { EventFamily, Identity } from "../lib/events/identity.ts";
export type {
  DeliveryContext,
  ParsedEvent,
  RefusedEvent,
  UnderstoodEvent,
} from "../lib/events/parse-event.ts";
export type { Oddity, Problem } from "../lib/events/problems.ts";
export type { TriggerSuggestion } from "../lib/events/suggest-trigger.ts";
export type {
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
  Occupant,
  RecordingGeneratedEvent,
  RingingCall,
  SessionEnd,
  SessionStart,
  SessionVisit,
  TranscriptionGeneratedEvent,
} from "../lib/events/types/call-events.ts";
export type {
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
  Campaign,
  CampaignDelivery,
  CampaignNotification,
  FeedItem,
  PushNotification,
} from "../lib/events/types/campaign-events.ts";
export type {
  AfterConnectionStatusChangedEvent,
  BansOfGroup,
  ConnectionChange,
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
  MembersOfGroup,
  UserBlockedEvent,
  UserConnectionStatusChangedEvent,
  UserUnblockedEvent,
} from "../lib/events/types/group-events.ts";
export type { Conversation, EventHead, KnownEvent, UnknownEvent } from "../lib/events/types/known-event.ts";
export type {
  AfterMessageEvent,
  BeforeMessageEvent,
  BotAfterMessageEvent,
  EmailExtensionEvent,
  Origin,
} from "../lib/events/types/legacy-events.ts";
export type {
  AddressedMessage,
  Attachment,
  CalledFunction,
  ContentElement,
  Message,
  MessageEntities,
  MessageFields,
  ModerationMark,
  ModerationMarkRule,
  OtherEntity,
  PartialMessage,
  ReceivedContent,
  ToolCall,
  UnsentMessage,
  UserEntity,
} from "../lib/events/types/message.ts";
export type {
  GivenReaction,
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
  Receipt,
  UserMentionedEvent,
} from "../lib/events/types/message-events.ts";
export type {
  FailureContext,
  MatchedRule,
  ModerationDecision,
  ModerationEngineApprovedEvent,
  ModerationEngineBlockedEvent,
  ModerationEngineFailedEvent,
  ModerationFailure,
  ModerationManualApprovedEvent,
  NamedRule,
  RuleMatch,
  UncheckedMessage,
} from "../lib/events/types/moderation-events.ts";
export type {
  CollectedMessage,
  CollectedMessages,
  EmailNotificationPayloadGeneratedEvent,
  NotificationRecipient,
  PushNotificationPayloadGeneratedEvent,
  PushPayload,
  SmsNotificationPayloadGeneratedEvent,
} from "../lib/events/types/notification-events.ts";
export type { Group, User } from "../lib/events/types/users-and-groups.ts";

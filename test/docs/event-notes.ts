/** One builder of the test kit, what its event tells of, and where the platform's side of it stands. */
export interface EventNote {
  /** Of `events` in test/helpers/events/events.ts, or of `derivedEvents`. */
  readonly builder: string;
  readonly when: string;
  /** Below docs/platform/. */
  readonly source: string;
}

/** All events, in the order of docs/events.md. */
export const eventNotes: Readonly<Record<string, readonly EventNote[]>> = {
  Messages: [
    note(
      "messageSent",
      "Somebody sent a message, by a client or by REST.",
      "events.md#what-fires-message_sent",
    ),
    note("messageEdited", "A message got a new text or new data.", "events.md#edited-and-deleted-messages"),
    note("messageDeleted", "A message was deleted.", "events.md#edited-and-deleted-messages"),
    note(
      "userMentioned",
      "A message names people. Comes beside `message_sent`, or with an edit.",
      "events.md#mentions",
    ),
    note("messageReactionAdded", "Somebody reacted to a message.", "events.md#reaction-events"),
    note("messageReactionRemoved", "Somebody took a reaction back.", "events.md#reaction-events"),
    note("messagePinned", "A message was pinned in its conversation.", "events.md#pinned-messages"),
    note("messageUnpinned", "A pinned message was unpinned.", "events.md#pinned-messages"),
    note(
      "messageDeliveryReceipt",
      "A client received a message. Clients alone make these.",
      "events.md#receipts",
    ),
    note("messageReadReceipt", "Somebody read a message. Clients alone make these.", "events.md#receipts"),
    note(
      "messageDeliveredToAll",
      "The last member of a group received a message; needs a setting of the app.",
      "events.md#receipts-of-all",
    ),
    note(
      "messageReadByAll",
      "The last member of a group read a message; needs a setting of the app.",
      "events.md#receipts-of-all",
    ),
  ],
  Users: [
    note("userBlocked", "Somebody blocked others.", "events.md#blocks"),
    note("userUnblocked", "Somebody lifted a block.", "events.md#blocks"),
    note(
      "userConnectionStatusChanged",
      "A client of a user connected or disconnected. Many.",
      "events.md#connections",
    ),
  ],
  Groups: [
    note("groupCreated", "A group was made.", "events.md#group-events"),
    note("groupUpdated", "A group's name, type, icon, tags or metadata changed.", "events.md#group-events"),
    note("groupDeleted", "A group was deleted.", "events.md#group-events"),
    note(
      "groupOwnerTransferred",
      "A group has a new owner. By REST without an acting user; else `group_updated`.",
      "events.md#group-events",
    ),
    note("groupMemberAdded", "Somebody added members.", "events.md#group-events"),
    note("groupMemberJoined", "Somebody joined. Clients only.", "events.md#group-events"),
    note("groupMemberLeft", "Somebody left. Clients only.", "events.md#group-events"),
    note("groupMemberKicked", "Somebody was removed and may come back.", "events.md#group-events"),
    note("groupMemberBanned", "Somebody was banned.", "events.md#bans-on-behalf-of-a-user"),
    note("groupMemberUnbanned", "Somebody's ban was lifted.", "events.md#bans-on-behalf-of-a-user"),
    note(
      "groupMemberScopeChanged",
      "A member became admin, moderator or participant.",
      "events.md#group-events",
    ),
  ],
  "Calls that ring": [
    note("callInitiated", "Somebody calls.", "events.md#call-signalling"),
    note("callBusy", "The callee was in a call. Between two people only.", "events.md#call-signalling"),
    note("callCancelled", "The caller gave up.", "events.md#call-signalling"),
    note("callRejected", "The callee declined.", "events.md#call-signalling"),
    note("callUnanswered", "It rang until the end.", "events.md#call-signalling"),
  ],
  "Sessions of calls and meetings": [
    note("callStarted", "The session of a call opened.", "events.md#call-sessions"),
    note("callParticipantJoined", "Somebody came into a call.", "events.md#call-sessions"),
    note("callParticipantLeft", "Somebody left a call.", "events.md#call-sessions"),
    note("callEnded", "The session of a call is over.", "events.md#call-sessions"),
    note("meetingStarted", "A session without ringing opened.", "events.md#call-sessions"),
    note("meetingParticipantJoined", "Somebody came into a meeting.", "events.md#call-sessions"),
    note("meetingParticipantLeft", "Somebody left a meeting.", "events.md#call-sessions"),
    note("meetingEnded", "A meeting is over.", "events.md#call-sessions"),
    note("recordingGenerated", "A recording can be fetched.", "events.md#recordings-and-transcripts"),
    note("transcriptionGenerated", "A transcript can be fetched.", "events.md#recordings-and-transcripts"),
  ],
  Moderation: [
    note("moderationEngineApproved", "The engine let a message through.", "events.md#moderation-events"),
    note(
      "moderationEngineBlocked",
      "The engine blocked a message; comes instead of `message_sent`.",
      "events.md#moderation-events",
    ),
    note(
      "moderationManualApproved",
      "A moderator approved a message that was blocked.",
      "events.md#moderation-events",
    ),
    note(
      "moderationEngineFailed",
      "An engine gave no answer; comes beside the decision.",
      "events.md#failed-engines",
    ),
  ],
  Campaigns: [
    note("campaignCompleted", "A campaign is through.", "events.md#campaign-events"),
    note("campaignFailed", "A campaign failed.", "events.md#campaign-events"),
    note("notificationCreated", "A campaign made a notification for somebody.", "events.md#campaign-events"),
    note("feedItemSent", "A feed item was sent.", "events.md#feed-items-live"),
    note("feedItemDelivered", "A feed item arrived.", "events.md#feed-items-live"),
    note("feedItemRead", "A feed item was read.", "events.md#feed-items-live"),
    note("feedItemInteracted", "Somebody used a feed item.", "events.md#feed-items-live"),
    note("pushNotificationSent", "A push was tried.", "events.md#campaign-events"),
    note("pushNotificationDelivered", "A client received a push.", "events.md#campaign-events"),
    note("pushNotificationClicked", "Somebody clicked a push.", "events.md#campaign-events"),
  ],
  "Legacy engine": [
    note(
      "beforeMessage",
      "A message is about to be stored, and the platform waits for an answer; no trigger gets it.",
      "legacy-engine.md#before-a-message",
    ),
    note(
      "afterMessage",
      "A message was sent, in the words of the legacy engine.",
      "legacy-engine.md#legacy-triggers",
    ),
    note("legacyMessageDeliveryReceipt", "A client received a message.", "legacy-engine.md#legacy-receipts"),
    note("legacyMessageReadReceipt", "Somebody read a message.", "legacy-engine.md#legacy-receipts"),
    note(
      "afterConnectionStatusChanged",
      "A client of a user connected or disconnected.",
      "legacy-engine.md#legacy-connections",
    ),
  ],
  "Bots, providers and extensions": [
    note("botMessage", "A bot of yours got a message.", "other-calls.md#bots"),
    note("pushNotificationPayload", "A push is to be sent by a provider of yours.", "other-calls.md#push"),
    note(
      "emailNotificationPayload",
      "An e-mail is to be sent by a provider of yours.",
      "other-calls.md#e-mail-and-sms",
    ),
    note(
      "smsNotificationPayload",
      "An SMS is to be sent by a provider of yours.",
      "other-calls.md#e-mail-and-sms",
    ),
    note(
      "emailExtension",
      "The e-mail extension tells of unread messages.",
      "other-calls.md#legacy-extensions",
    ),
  ],
  "Derived events": [
    note(
      "callMissed",
      "A call rang and nobody took it: made of `call_unanswered`, `call_cancelled`, `call_busy`.",
      "events.md#call-signalling",
    ),
    note(
      "callSummary",
      "A call or meeting is over: who was there, when, how long. 90 seconds after the end.",
      "events.md#call-sessions",
    ),
  ],
};

function note(builder: string, when: string, source: string): EventNote {
  return { builder, when, source };
}

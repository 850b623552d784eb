const message =
  "id text sender receiver guid category type sentAt parentId tags metadata attachments customData";
const change = `${message} by at form`;
const judged = `${message} ruleId ruleName`;
const receipt = "messageId reader author guid at";
const reaction = "id messageId reaction uid reactedAt";
const group = "guid name owner by at";
const members = `${group} uids`;
const call = "id sessionId caller callee guid type at form";
const session = "sessionId at";
const occupant = "sessionId uid name joinedAt leftAt";
const ended = "sessionId createdAt destroyedAt occupants";
const campaign = "campaignId at";
const sent = "id receiver campaignId at";
const notification = "to from text guid";

/** The options of each builder, by its name. */
export const namesOfFacts: Readonly<Record<string, string>> = {
  ...{
    messageSent: message,
    userMentioned: `${message} uids`,
    messageEdited: change,
    messageDeleted: change,
  },
  ...{ messagePinned: change, messageUnpinned: change },
  ...{ messageDeliveryReceipt: receipt, messageReadReceipt: receipt },
  ...{ messageDeliveredToAll: receipt, messageReadByAll: receipt },
  ...{ messageReactionAdded: reaction, messageReactionRemoved: reaction },
  ...{ userBlocked: "by uids", userUnblocked: "by uids" },
  userConnectionStatusChanged: "uid status platform atMs",
  ...{ groupCreated: group, groupUpdated: group, groupDeleted: group },
  groupOwnerTransferred: `${group} oldOwner`,
  ...{ groupMemberAdded: members, groupMemberJoined: members, groupMemberLeft: members },
  ...{ groupMemberKicked: members, groupMemberBanned: members, groupMemberUnbanned: members },
  groupMemberScopeChanged: `${members} scope oldScope`,
  ...{ callInitiated: call, callBusy: call, callCancelled: call, callRejected: call, callUnanswered: call },
  ...{ callStarted: session, meetingStarted: session, callEnded: ended, meetingEnded: ended },
  ...{ callParticipantJoined: occupant, callParticipantLeft: occupant },
  ...{ meetingParticipantJoined: occupant, meetingParticipantLeft: occupant },
  recordingGenerated: `${session} url durationSeconds`,
  transcriptionGenerated: `${session} tid url endTime`,
  ...{ moderationEngineApproved: message, moderationEngineBlocked: judged, moderationManualApproved: judged },
  moderationEngineFailed: `${message} contentType outcome failure completedAt`,
  ...{ campaignCompleted: campaign, campaignFailed: campaign },
  notificationCreated: `${campaign} notificationId`,
  ...{ feedItemSent: sent, feedItemDelivered: sent, feedItemRead: sent, feedItemInteracted: `${sent} topic` },
  ...{ pushNotificationSent: sent, pushNotificationDelivered: sent, pushNotificationClicked: sent },
  ...{ beforeMessage: message, afterMessage: message, botMessage: `${message} bot` },
  ...{ legacyMessageDeliveryReceipt: receipt, legacyMessageReadReceipt: receipt },
  afterConnectionStatusChanged: "uid status atMs",
  pushNotificationPayload: `${notification} messageId atMs`,
  ...{ emailNotificationPayload: notification, smsNotificationPayload: notification },
  emailExtension: "to messages",
  callMissed: "sessionId callId reason type caller callee calleeType missedAt",
  callSummary:
    "sessionId sessionKind type caller callee participants startedAt endedAt durationMs isEndReported",
};

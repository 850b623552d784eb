const message =
  "id text sender receiver guid category type sentAt parentId tags metadata attachments customData content";
const group = "guid name owner by at";
const session = "sessionId at";
const campaign = "campaignId at";
const sent = "id receiver campaignId at";
const notification = "to from text guid";

const table: readonly (readonly [builders: string, options: string])[] = [
  ["messageSent moderationEngineApproved beforeMessage afterMessage", message],
  ["userMentioned", `${message} uids`],
  ["messageEdited messageDeleted messagePinned messageUnpinned", `${message} by at form`],
  [
    "messageDeliveryReceipt messageReadReceipt messageDeliveredToAll messageReadByAll legacyMessageDeliveryReceipt legacyMessageReadReceipt",
    "messageId reader author guid at",
  ],
  ["messageReactionAdded messageReactionRemoved", "id messageId reaction uid reactedAt"],
  ["userBlocked userUnblocked", "by uids"],
  ["userConnectionStatusChanged", "uid status platform atMs"],
  ["groupCreated groupUpdated groupDeleted", group],
  ["groupOwnerTransferred", `${group} oldOwner`],
  [
    "groupMemberAdded groupMemberJoined groupMemberLeft groupMemberKicked groupMemberBanned groupMemberUnbanned",
    `${group} uids`,
  ],
  ["groupMemberScopeChanged", `${group} uids scope oldScope`],
  [
    "callInitiated callBusy callCancelled callRejected callUnanswered",
    "id sessionId caller callee guid type at form",
  ],
  ["callStarted meetingStarted", session],
  [
    "callParticipantJoined callParticipantLeft meetingParticipantJoined meetingParticipantLeft",
    "sessionId uid name joinedAt leftAt",
  ],
  ["callEnded meetingEnded", "sessionId createdAt destroyedAt occupants"],
  ["recordingGenerated", `${session} url durationSeconds`],
  ["transcriptionGenerated", `${session} tid url endTime`],
  ["moderationEngineBlocked moderationManualApproved", `${message} ruleId ruleName`],
  ["moderationEngineFailed", `${message} contentType outcome failure completedAt`],
  ["campaignCompleted campaignFailed", campaign],
  ["notificationCreated", `${campaign} notificationId`],
  ["feedItemSent feedItemDelivered feedItemRead", sent],
  ["feedItemInteracted", `${sent} topic`],
  ["pushNotificationSent pushNotificationDelivered pushNotificationClicked", sent],
  ["botMessage", `${message} bot`],
  ["afterConnectionStatusChanged", "uid status atMs"],
  ["pushNotificationPayload", `${notification} messageId atMs`],
  ["emailNotificationPayload smsNotificationPayload", notification],
  ["emailExtension", "to messages"],
  ["callMissed", "sessionId callId reason type caller callee calleeType missedAt"],
  [
    "callSummary",
    "sessionId sessionKind type caller callee participants startedAt endedAt durationMs isEndReported",
  ],
];

/** The options of each builder, by its name. */
export const namesOfFacts: ReadonlyMap<string, readonly string[]> = new Map(
  table.flatMap(([builders, options]) =>
    builders.split(" ").map((builder): [string, string[]] => [builder, options.split(" ")]),
  ),
);

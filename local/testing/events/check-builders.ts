import { isRecord } from "../../../lib/base/json.ts";
import { isValidDate } from "../../../lib/base/realm.ts";
import { recordOf } from "../../../lib/base/record-of.ts";
import { checkPlain, type PlainRule, plainText } from "../../../lib/chat/check-plain.ts";

/** A misspelled option would be ignored, and the test would prove something else. */
export function checkBuilders<Builders extends object>(builders: Builders): Builders {
  return new Proxy(builders, {
    get(target, name) {
      const build: unknown = Reflect.get(target, name);
      if (typeof build !== "function" || typeof name !== "string") return build;
      return new Proxy(build, {
        apply(made, self, args: readonly unknown[]) {
          const [facts = {}, envelope = {}] = args;
          checkFacts(`events.${name}`, name, facts);
          checkPlain(`events.${name}`, "envelope", envelopeRules, envelope);
          return Reflect.apply(made, self, args);
        },
      });
    },
  });
}

function checkFacts(call: string, builder: string, facts: unknown) {
  const names = namesOfFacts.get(builder) ?? [];
  const rules = Object.fromEntries(names.map((name) => [name, ruleOf(call, name)]));
  checkPlain(call, "facts", rules, facts);
}

function ruleOf(call: string, name: string): PlainRule {
  const inner = within[name];
  if (inner === undefined) return others[name] ?? plainText;
  const isFine = (value: unknown) => {
    if (!Array.isArray(value)) return false;
    for (const facts of value) checkFacts(call, inner, facts);
    return true;
  };
  return ["a list of objects", isFine];
}

const within: Readonly<Record<string, string>> = {
  messages: "messageSent",
  occupants: "callParticipantLeft",
};

const isText = (value: unknown) => typeof value === "string";
const isBag = (value: unknown) =>
  isRecord(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value));
const listOf = (isFine: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(isFine);
const rule = (words: string, isFine: PlainRule[1]) => (): PlainRule => [words, isFine];
const bag = rule("an object", isBag);

/** All other options are texts. */
const others: Readonly<Record<string, PlainRule>> = {
  ...recordOf(
    ["sentAt", "at", "atMs", "reactedAt", "joinedAt", "leftAt", "createdAt", "destroyedAt", "completedAt"],
    aNumber,
  ),
  ...recordOf(["durationSeconds", "endTime", "durationMs"], aNumber),
  ...recordOf(["missedAt", "startedAt", "endedAt"], rule("a valid Date", isValidDate)),
  ...recordOf(["tags", "uids"], rule("a list of texts", listOf(isText))),
  ...recordOf(["metadata", "customData", "content"], bag),
  ...recordOf(["attachments"], rule("a list of objects", listOf(isBag))),
  ...recordOf(["participants"], rule("a list of objects", listOf(isRecord))),
  ...recordOf(
    ["form"],
    rule("live or documented", (value) => value === "live" || value === "documented"),
  ),
  ...recordOf(
    ["uid"],
    rule("a text, or null", (value) => value === null || isText(value)),
  ),
  ...recordOf(
    ["isEndReported"],
    rule("true or false", (value) => typeof value === "boolean"),
  ),
};

const envelopeRules = { ...recordOf(["appId", "region", "webhook"], () => plainText), data: bag() };

function aNumber(): PlainRule {
  return ["a number", Number.isFinite];
}

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
const namesOfFacts: ReadonlyMap<string, readonly string[]> = new Map(
  table.flatMap(([builders, options]) =>
    builders.split(" ").map((builder): [string, string[]] => [builder, options.split(" ")]),
  ),
);

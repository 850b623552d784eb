import { describe, expect, it } from "vitest";
import { identify } from "../../../lib/events/identity.ts";
import { events } from "../../../local/testing/events/events.ts";

// The table of effects remembers these names for 35 days: what changes one of them lets effects happen twice
// after the next deployment. `#` stands for a digest of texts.
const names: readonly (readonly [name: keyof typeof events, lane: string, key: string])[] = [
  ["messageSent", "ann_user_bela", "message_sent|1001"],
  ["userMentioned", "ann_user_bela", "user_mentioned|1001|bela|"],
  ["messageEdited", "ann_user_bela", "message_edited|1001||1795176030|#"],
  ["messageDeleted", "ann_user_bela", "message_deleted|1001|1795176030"],
  ["messagePinned", "ann_user_bela", "message_pinned|1001|1795176060|ann"],
  ["messageUnpinned", "ann_user_bela", "message_unpinned|1001|1795176090|ann"],
  ["messageDeliveryReceipt", "ann_user_bela", "message_delivery_receipt|1001|bela|delivered|1795176005"],
  ["messageReadReceipt", "ann_user_bela", "message_read_receipt|1001|bela|read|1795176005"],
  [
    "messageDeliveredToAll",
    "group_chess-club",
    "message_delivered_to_all|1001|app_system|deliveredToAll|1795176005",
  ],
  ["messageReadByAll", "group_chess-club", "message_read_by_all|1001|app_system|readByAll|1795176005"],
  ["messageReactionAdded", "1001", "message_reaction_added|reaction-1|1795176010|bela|♟"],
  ["messageReactionRemoved", "1001", "message_reaction_removed|reaction-1|1795176010|bela|♟"],
  ["userBlocked", "ann", "user_blocked|ann|bela"],
  ["userUnblocked", "ann", "user_unblocked|ann|bela"],
  [
    "userConnectionStatusChanged",
    "ann",
    "user_connection_status_changed|ann|1795176000000|online|connected|javascript|1795176000000",
  ],
  ["groupCreated", "group_chess-club", "group_created|chess-club|1795176000"],
  ["groupUpdated", "group_chess-club", "group_updated|chess-club|1795176000|ann|#"],
  ["groupDeleted", "group_chess-club", "group_deleted|chess-club|1795089600"],
  ["groupOwnerTransferred", "group_chess-club", "group_owner_transferred|chess-club|1795176000|ann|ann|bela"],
  ["groupMemberAdded", "group_chess-club", "group_member_added|chess-club||ann|bela||"],
  ["groupMemberJoined", "group_chess-club", "group_member_joined|chess-club|1795176000||bela"],
  ["groupMemberLeft", "group_chess-club", "group_member_left|chess-club|1795176000||bela"],
  ["groupMemberKicked", "group_chess-club", "group_member_kicked|chess-club|1795176000|ann|bela"],
  ["groupMemberBanned", "group_chess-club", "group_member_banned|chess-club|1795176000|ann|bela"],
  ["groupMemberUnbanned", "group_chess-club", "group_member_unbanned|chess-club|1795176000|ann|bela"],
  [
    "groupMemberScopeChanged",
    "group_chess-club",
    "group_member_scope_changed|chess-club|1795176000|ann|bela|participant|admin",
  ],
  ["callInitiated", "session-1", "call_initiated|2001|1795176000"],
  ["callBusy", "session-1", "call_busy|2001|1795176000"],
  ["callCancelled", "session-1", "call_cancelled|2001|1795176000"],
  ["callRejected", "session-1", "call_rejected|2001|1795176000"],
  ["callUnanswered", "session-1", "call_unanswered|2001|1795176000"],
  ["callStarted", "session-1", "call_started|session-1|1795176000"],
  ["callParticipantJoined", "session-1", "call_participant_joined|session-1|1795176000|ann|ann"],
  ["callParticipantLeft", "session-1", "call_participant_left|session-1|1795176060|1795176000|ann|ann"],
  ["callEnded", "session-1", "call_ended|session-1|1795176060"],
  ["meetingStarted", "session-1", "meeting_started|session-1|1795176000"],
  ["meetingParticipantJoined", "session-1", "meeting_participant_joined|session-1|1795176000|ann|ann"],
  ["meetingParticipantLeft", "session-1", "meeting_participant_left|session-1|1795176060|1795176000|ann|ann"],
  ["meetingEnded", "session-1", "meeting_ended|session-1|1795176060"],
  ["recordingGenerated", "session-1", "recording_generated|session-1|1795176000"],
  ["transcriptionGenerated", "session-1", "transcription_generated|session-1|transcript-1"],
  ["moderationEngineApproved", "ann_user_bela", "moderation_engine_approved|1001||#"],
  ["moderationEngineBlocked", "ann_user_bela", "moderation_engine_blocked|1001||#"],
  ["moderationManualApproved", "ann_user_bela", "moderation_manual_approved|1001||#"],
  ["moderationEngineFailed", "ann_user_bela", "moderation_engine_failed|1001|text|1795176002|approved|#"],
  ["campaignCompleted", "campaign-1", "after_campaign_completed|campaign-1|1795176000"],
  ["campaignFailed", "campaign-1", "after_campaign_failed|campaign-1|1795176000"],
  ["notificationCreated", "notification-1", "after_notification_created|notification-1|1795176000"],
  ["feedItemSent", "feed-item-1", "after_feed_item_sent|feed-item-1|1795176000"],
  ["feedItemDelivered", "feed-item-1", "after_feed_item_delivered|feed-item-1|1795176000"],
  ["feedItemRead", "feed-item-1", "after_feed_item_read|feed-item-1|1795176000"],
  ["feedItemInteracted", "feed-item-1", "after_feed_item_interacted|feed-item-1|1795176000|open-offer"],
  ["pushNotificationSent", "push-1", "after_push_notification_sent|push-1|1795176000"],
  ["pushNotificationDelivered", "push-1", "after_push_notification_delivered|push-1|1795176000"],
  ["pushNotificationClicked", "push-1", "after_push_notification_clicked|push-1|1795176000"],
  ["beforeMessage", "ann_user_bela", "before_message||#"],
  ["afterMessage", "ann_user_bela", "after_message|1001"],
  [
    "legacyMessageDeliveryReceipt",
    "ann_user_bela",
    "message_delivery_receipt|1001|bela|delivered|1795176005",
  ],
  ["legacyMessageReadReceipt", "ann_user_bela", "message_read_receipt|1001|bela|read|1795176005"],
  [
    "afterConnectionStatusChanged",
    "ann",
    "after_connection_status_changed|ann|1795176000000|connected|socket-1",
  ],
  ["botMessage", "ann_user_helper", "after_message|bot|helper|1001"],
  [
    "pushNotificationPayload",
    "bela",
    "push-notification-payload-generated|bela|1001|1795176000000|chat|||ann|ann_user_bela|#",
  ],
  ["emailNotificationPayload", "bela", "email-notification-payload-generated|bela||ann|#"],
  ["smsNotificationPayload", "bela", "sms-notification-payload-generated|bela||ann|#"],
  ["emailExtension", "ann_user_bela", "email-extension|1001"],
];

/** Omits the app and the digests of texts. */
const shorten = (text: string | undefined) => text?.replace(/^app\|/, "").replaceAll(/[0-9a-f]{32}/g, "#");

describe("identify", () => {
  it.each(names)("keeps the key of %s stable, and the lane %s", (name, lane, key) => {
    const identity = identify(events[name](), "app");

    expect(shorten(identity?.lane)).toBe(lane);
    expect(shorten(identity?.key)).toBe(key);
  });

  it("covers every event with a builder", () => {
    expect(names.map(([name]) => name)).toEqual(Object.keys(events));
  });
});

describe("the lane of an event", () => {
  const laneOf = (trigger: string, data: unknown) => shorten(identify({ trigger, data }, "app")?.lane);
  const receipt = { receiverType: "user", receiver: "bob", sender: "ann", messageSender: "bob" };

  it.each([
    ["of its reader and the message's author", receipt, "ann_user_bob"],
    [
      "of reader and receiver, if no author is named",
      { ...receipt, messageSender: undefined },
      "ann_user_bob",
    ],
    [
      "of the fields of the older form",
      { receiverType: "user", receiptReceiver: "cem", receiptSender: "bob" },
      "bob_user_cem",
    ],
    ["of the group", { receiverType: "group", receiver: "hikers" }, "group_hikers"],
    ["of the group, in the older form", { receiverType: "group", receiptReceiver: "hikers" }, "group_hikers"],
  ])("is the conversation of a receipt: %s", (_case, data, lane) => {
    expect(laneOf("message_read_receipt", data)).toBe(lane);
  });

  it.each([
    ["a receipt without a reader", "message_read_receipt", { ...receipt, sender: undefined }],
    ["a receipt without an author", "message_read_receipt", { receiverType: "user", sender: "ann" }],
    ["a receipt of no group", "message_read_receipt", { receiverType: "group", sender: "ann" }],
    ["an event of no group", "group_updated", { group: {} }],
    ["an unknown event", "new_event", { some: "thing" }],
  ])("is the event's own without further fields: %s", (_case, trigger, data) => {
    const identity = identify({ trigger, data }, "app");

    expect(identity?.lane).toBe(`app|${identity?.key.replaceAll(/[\\|]/g, "\\$&")}`);
  });

  it.each([
    ["new_event", { conversationId: "ann_user_bob" }, "ann_user_bob"],
    ["new_event", { message: { conversationId: "ann_user_bob" } }, "ann_user_bob"],
    ["call_initiated", { call: { conversationId: "ann_user_bob" } }, "ann_user_bob"],
  ])("is the conversation if one is named: %s %j", (trigger, data, lane) => {
    expect(laneOf(trigger, data)).toBe(lane);
  });
});

describe("the key of an event", () => {
  const keyOf = (trigger: string, data: unknown, more: object = {}) =>
    identify({ trigger, data, ...more }, "app")?.key;

  it.each<[key: string, trigger: string, data: unknown, more?: object]>([
    ["after_message|1", "after_message", { id: "1" }, { bot: "helper", webhook: "hook" }],
    ["after_message|1", "after_message", { id: "1" }, { bot: "" }],
    ["message_sent|1", "message_sent", { message: { id: "1" } }, { bot: "helper" }],
    ["user_mentioned|1|", "user_mentioned", { message: { id: "1" } }],
    [
      "group_member_scope_changed|g|||ann||",
      "group_member_scope_changed",
      { group: { guid: "g" }, members: { ann: {} } },
    ],
    ["message_edited|1||5|", "message_edited", { message: { id: "1", editedAt: 5 } }],
    ["moderation_engine_failed|1|text|5||", "moderation_engine_failed", failed(undefined)],
    ["group_updated|g|5||#", "group_updated", { group: { guid: "g", updatedAt: 5 } }],
  ])("treats missing fields as empty: %s", (key, trigger, data, more) => {
    expect(shorten(keyOf(trigger, data, more))).toBe(key);
  });

  it("has an empty app if neither the body nor the caller names one", () => {
    expect(identify({ trigger: "message_sent", data: { message: { id: "1" } } })?.key).toBe(
      "|message_sent|1",
    );
  });

  it.each([
    ["a message without an id", "message_deleted", { message: { data: {} } }],
    [
      "a deletion whose inner message has none",
      "message_deleted",
      { message: { data: { action: "deleted" } } },
    ],
    ["a text without messages", "sms-notification-payload-generated", { to: { uid: "ann" }, messages: [] }],
    [
      "a text whose messages are not a list",
      "sms-notification-payload-generated",
      { to: { uid: "ann" }, messages: {} },
    ],
    ["a change of scopes without members", "group_member_scope_changed", { group: { guid: "g" } }],
  ])("is a digest of the body if identifying fields are missing: %s", (_case, trigger, data) => {
    expect(keyOf(trigger, data)).toMatch(/^app\|[\w-]+\|\|[0-9a-f]{32}$/);
    expect(keyOf(trigger, { ...data, more: 1 })).not.toBe(keyOf(trigger, data));
  });

  it("distinguishes the failures of a moderation by rule and kind", () => {
    const keys = [
      [],
      [{ category: "timeout" }],
      [{ category: "timeout", context: { rule: { id: "r" } } }],
      [{ category: "error", context: { rule: { id: "r" } } }],
    ].map((failures) => keyOf("moderation_engine_failed", failed(failures)));

    expect(new Set(keys).size).toBe(4);
  });

  it("ignores a renewed signature, but not another file", () => {
    const edited = (url: unknown) =>
      keyOf("message_edited", { message: { id: "1", editedAt: 5, data: { url } } });

    expect(edited("https://x/a.png?Expires=1&Signature=2&Key-Pair-Id=3&fat=4")).toBe(
      edited("https://x/a.png"),
    );
    expect(edited("https://x/a.png?v=1&Expires=1#top")).toBe(edited("https://x/a.png?v=1#top"));
    expect(edited("https://x/b.png")).not.toBe(edited("https://x/a.png"));
    expect(edited("https://x/a.png?size=1")).not.toBe(edited("https://x/a.png?size=2"));
    expect(edited({ odd: 1 })).not.toBe(edited({ odd: 2 }));
  });
});

function failed(failures: unknown) {
  return { resource: { id: "1" }, contentType: "text", completedAt: 5, failures };
}

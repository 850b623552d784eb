import { describe, expect, it } from "vitest";
import { findGroup, putGroup } from "../../local/platform/store/groups.ts";
import { act, app, chat, chatWith, dataOf, sendText, startPlatform } from "./helpers.ts";

type Refused = readonly [line: string, body?: unknown, as?: string];

const peers = [...["alice", "bob", "support", "helper", "carol"].map((uid) => ({ uid })), { guid: "lobby" }];
const members = "/groups/lobby/members";
const preferences = "/notifications/v1/preferences";
const toBob = { receiver: "bob", receiverType: "user" };

const refused: Readonly<Record<string, readonly Refused[]>> = {
  ERR_BAD_REQUEST: [
    ["POST /roles", { role: "a b", name: "x" }],
    ["POST /roles", { role: "default", name: "x" }],
    ["PUT /roles/default", { unset: ["name"] }],
    ["DELETE /roles/default/permissions/nonsense", {}],
    ["PUT /groups/lobby/scopes/king/permissions", { permissions: {} }],
    ["POST /users", { uid: "a b", name: "x" }],
    ["POST /users", { uid: "x", name: "x".repeat(101) }],
    ["POST /users", { uid: "x", name: "x", metadata: { big: "x".repeat(6_000) } }],
    ["PUT /groups/lobby", { unset: ["name"] }],
    ["PUT /groups/lobby", { metadata: { big: "x".repeat(6_000) } }],
    ["PUT /conversations/pinned", { pinnedConversations: [{}] }],
    ["POST /moderation/rules", { id: "email_filter", name: "x" }],
    ["POST /moderation/rules", { name: "x".repeat(101) }],
    ["POST /moderation/rules", { name: "x", conditions: Array(11).fill({}) }],
    ["GET /moderation/rules?limit=0"],
    ["POST /moderation/keywords", { id: "json", category: "word", searchTerms: "a" }],
    ["POST /moderation/reasons", { id: "spam", name: "Spam" }],
    [`PATCH ${preferences}?uid=bob`, { groupPreferences: { groupMemberLeft: 3 } }],
    [`PATCH ${preferences}?uid=bob`, { oneOnOnePreferences: { groupMessages: 1 } }],
    [`PATCH ${preferences}?uid=bob`, { mutePreferences: { schedule: { someday: {} } } }],
    [`PUT ${preferences}/mute?uid=bob`, { conversations: [{ id: "x", type: "group", until: 1 }] }],
    [`PATCH ${preferences}/timezone?uid=bob`, { timezone: "Mars/Base" }],
    ["PATCH /notifications/v1/contact-details", { email: "nobody" }, "alice"],
    ["PATCH /notifications/v1/contact-details", { phno: "123" }, "alice"],
    ["GET /notifications/v1/logs?affix=up"],
    ["GET /users/alice/friends?perPage=1001"],
    ["POST /users/alice/conversation/read", { messageId: "x" }, "bob"],
  ],
  ERR_ROLE_DELETE_DENIED: [["DELETE /roles/default", {}]],
  ERR_ROLE_NOT_FOUND: [["POST /users", { uid: "x", name: "x", role: "king" }]],
  ERR_UID_ALREADY_EXISTS: [["POST /users", { uid: "ALICE", name: "x" }]],
  ERR_GUID_ALREADY_EXISTS: [["POST /groups", { guid: "lobby", name: "L", type: "public" }]],
  ERR_EMPTY_GROUP_PASS: [["PUT /groups/lobby", { type: "password" }]],
  ERR_UID_NOT_FOUND: [
    ["PUT /groups/lobby", { owner: "nobody" }],
    ["PUT /conversations/pinned", { pinnedConversations: [{ uid: "nobody" }] }],
    ["POST /moderation/messages", { ...toBob, sender: "zoe", data: { text: "hi" } }],
  ],
  ERR_GUID_NOT_FOUND: [["PUT /conversations/pinned", { pinnedConversations: [{ guid: "nowhere" }] }]],
  ERR_SYSTEM_PINNED_CONVERSATIONS_LIMIT_EXCEEDED: [
    ["PUT /conversations/pinned", { pinnedConversations: peers }],
  ],
  ERR_GROUP_NO_MODERATOR_SCOPE: [
    ["PUT /groups/lobby", { name: "Mine" }, "alice"],
    [`PUT ${members}/bob`, { scope: "admin" }, "alice"],
    [`DELETE ${members}/bob`, undefined, "alice"],
    ["POST /groups/lobby/bannedusers/bob", undefined, "alice"],
  ],
  ERR_GROUP_NO_ADMIN_SCOPE: [[`POST ${members}`, { participants: ["carol"] }, "alice"]],
  ERR_GROUP_NO_SELF_ACTION: [
    [`PUT ${members}/support`, { scope: "participant" }, "support"],
    [`DELETE ${members}/support`, undefined, "support"],
  ],
  ERR_SAME_SCOPE: [[`PUT ${members}/bob`, { scope: "participant" }, "support"]],
  ERR_NOT_A_MEMBER: [[`PUT ${members}/carol`, { scope: "admin" }, "support"], [`DELETE ${members}/carol`]],
  ERR_GROUP_NOT_JOINED: [[`DELETE ${members}/bob`, undefined, "carol"]],
  ERR_NOT_A_BANNED_USER: [["DELETE /groups/lobby/bannedusers/bob"]],
  ERR_CONVERSATION_NOT_FOUND: [["GET /conversations/x_user_y", undefined, "bob"]],
  ERR_RULE_NOT_FOUND: [["GET /moderation/rules/none/revisions"]],
  ERR_REASON_NOT_FOUND: [["POST /messages/1/flagged", { id: "none" }, "alice"]],
  ERR_MESSAGE_ID_NOT_FOUND: [
    ["POST /users/alice/conversation/read", { messageId: 999 }, "bob"],
    ["POST /users/alice/conversation/read", { messageId: 2 }, "bob"],
  ],
  ERR_INVALID_MEDIA_MESSAGE: [
    ["POST /messages", { ...toBob, type: "image", data: { attachments: [{ name: "x" }] } }, "alice"],
  ],
  ERR_INVALID_CUSTOM_DATA: [
    [
      "POST /messages",
      { ...toBob, category: "custom", type: "place", data: { customData: "text" } },
      "alice",
    ],
  ],
  ERR_BOT_NOT_FOUND: [["POST /bots/alice/messages", toBob]],
  ERR_NOT_FOUND: [["GET /campaigns/campaigns/none"]],
  ERR_TEMPLATE_NOT_FOUND: [
    ["POST /campaigns/campaigns", { name: "x", templateId: "none", templateVersion: 1 }],
  ],
  ERR_CHANNEL_NOT_FOUND: [["GET /campaigns/channels/none"]],
  ERR_FEED_ITEM_NOT_FOUND: [["POST /campaigns/notification-feed/none/read"]],
  ERR_VALIDATION: [["POST /campaigns/templates", { name: "x", channels: [] }]],
  ERR_CONFLICT: [
    [
      "POST /campaigns/templates",
      { name: "x", channels: [{ channelType: "push" }, { channelType: "push" }] },
    ],
  ],
  ERR_IMPORT_INVALID_GROUP_FORMAT: [["POST /data_import/groups", {}]],
  ERR_IMPORT_INVALID_MEMBER_FORMAT: [["POST /data_import/members", {}]],
  ERR_IMPORT_INVALID_MESSAGE_FORMAT: [["POST /data_import/messages", {}]],
};

describe("refusals", () => {
  it.each(Object.entries(refused))("answer %s", async (code, rows) => {
    await chat("POST /users", { uid: "carol", name: "Carol" });
    await sendText("Hi");
    await sendText("elsewhere", "alice", "support");

    for (const [line, body, as] of rows) {
      const answer = await chatWith(line, { body, ...(as !== undefined && { as }) });
      expect([line, answer.code]).toEqual([line, code]);
    }
  });

  it("ERR_BAD_REQUEST answers bodies nested deeper than the store can read", async () => {
    const text = { ...toBob, category: "message", type: "text" };
    const data = (levels: number) => ({ text: "Hi", metadata: nested(levels) });
    const deepest = await dataOf("POST /messages", "alice", { ...text, tags: ["deep"], data: data(510) });
    const row = { ...text, muid: "m1", sender: "alice", sentAt: deepest.sentAt, data: data(508) };

    const refused = [
      ...(await Promise.all(
        [511, 1_000, 3_000].map((n) => chat("POST /messages", "alice", { ...text, data: data(n) })),
      )),
      await chat("PUT /users/bob", { metadata: nested(512) }),
      await chat("POST /data_import/messages", { messages: { m1: { ...row, data: data(509) } } }),
    ];
    const found = await chat("GET /messages?tags=deep");
    const imported = await chat("POST /data_import/messages", { messages: { m1: row } });
    const purged = await chat(`DELETE /messages/${deepest.id}`, { permanent: true });

    expect(refused.map(({ status, code }) => [status, code])).toEqual(
      refused.map(() => [400, "ERR_BAD_REQUEST"]),
    );
    expect([found, imported, purged].map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(found.data.map(({ id }: { id: string }) => id)).toEqual([deepest.id]);
  });

  it("ERR_NO_VACANCY answers a user who joins a group of 100,000", async () => {
    const platform = await startPlatform();
    const { db } = platform.services;
    const group = findGroup({ db, appId: app.appId }, "lobby");
    if (group !== undefined) putGroup({ db, appId: app.appId }, { ...group, membersCount: 100_000 });
    await chat("POST /users", { uid: "dave", name: "Dave" });

    const refused = await act("/groups/lobby/join", { uid: "dave" });

    expect(refused.code).toBe("ERR_NO_VACANCY");
  });

  it("ERR_CALL_GROUP_ALREADY_LEFT answers a user who leaves a session twice", async () => {
    for (const uid of ["alice", "bob"]) await act("/meetings/standup/join", { uid });
    await act("/calls/standup/leave", { uid: "bob" });

    const refused = await act("/calls/standup/leave", { uid: "bob" });

    expect(refused.code).toBe("ERR_CALL_GROUP_ALREADY_LEFT");
  });
});

function nested(levels: number) {
  return JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`);
}

import type { CometBackend, SendMessageRequest } from "comet-backend";
import { expect } from "vitest";
import type { PeerCall } from "./peer-call.ts";

const text: SendMessageRequest = {
  receiver: "bob",
  receiverType: "user",
  category: "message",
  type: "text",
  data: { text: "Grüße" },
};
const club = { guid: "club", name: "Club", type: "public" } as const;
const refused = (status: number, code: string) => ({ status, error: { code } });
const uids = (...names: string[]) => names.map((uid) => expect.objectContaining({ uid }));
/** A fresh platform numbers messages from 1. */
const firstId = "1";
const sendFirst = (comet: CometBackend) => comet.messages.sendMessage(text, "alice");
const makeClub = (comet: CometBackend) => comet.groups.createGroup(club);

const users: readonly PeerCall<CometBackend>[] = [
  {
    says: "creates a user",
    method: "users.createUser",
    run: (comet) => comet.users.createUser({ uid: "zoe", name: "Zoë", tags: ["new"], withAuthToken: true }),
    answers: { status: 200, data: { uid: "zoe", name: "Zoë", authToken: expect.stringMatching(/^zoe_/) } },
  },
  {
    says: "answers a refusal as a value",
    method: "users.createUser",
    run: (comet) => comet.users.createUser({ uid: "alice", name: "Alice" }),
    answers: refused(400, "ERR_UID_ALREADY_EXISTS"),
  },
  {
    says: "reads a user",
    method: "users.getUser",
    run: (comet) => comet.users.getUser("alice"),
    answers: { status: 200, data: { uid: "alice" } },
  },
  {
    says: "changes a user",
    method: "users.updateUser",
    run: (comet) => comet.users.updateUser("alice", { name: "Alicia" }),
    answers: { status: 200, data: { name: "Alicia" } },
  },
  {
    says: "deletes a user",
    method: "users.deleteUser",
    run: (comet) => comet.users.deleteUser("bob"),
    answers: { status: 200, data: { success: true } },
    leaves: [(comet) => comet.users.getUser("bob"), refused(404, "ERR_UID_NOT_FOUND")],
  },
  {
    says: "lists users",
    method: "users.getUsers",
    run: (comet) => comet.users.getUsers(),
    answers: { data: uids("alice", "bob", "helper", "support") },
  },
  {
    says: "lists two users of a page",
    method: "users.getUsers",
    run: (comet) => comet.users.getUsers({ limit: 2, page: 1 }),
    answers: { data: uids("alice", "bob", "helper", "support"), meta: { pagination: { per_page: 100 } } },
    fails: [
      "It sends `limit`; users are counted by `perPage`, so a page has 100.",
      "docs/internals/platform/answers-and-errors.md#lists-by-page",
    ],
  },
  {
    says: "blocks a user",
    method: "users.blockUser",
    run: (comet) => comet.users.blockUser("alice", ["bob"]),
    answers: { data: { bob: { success: true } } },
  },
  {
    says: "lists whom a user blocks",
    method: "users.listBlockedUsers",
    before: (comet) => comet.users.blockUser("alice", ["bob"]),
    run: (comet) => comet.users.listBlockedUsers("alice"),
    answers: { data: uids("bob") },
  },
  {
    says: "unblocks a user",
    method: "users.unblockUser",
    before: (comet) => comet.users.blockUser("alice", ["bob"]),
    run: (comet) => comet.users.unblockUser("alice", ["bob"]),
    answers: { data: { bob: { success: true } } },
    leaves: [(comet) => comet.users.listBlockedUsers("alice"), { data: [] }],
  },
];

const messages: readonly PeerCall<CometBackend>[] = [
  {
    says: "sends a message on behalf of a user",
    method: "messages.sendMessage",
    run: sendFirst,
    answers: { status: 200, data: { id: firstId, sender: "alice", data: { text: "Grüße" } } },
  },
  {
    says: "lists messages",
    method: "messages.getMessages",
    before: sendFirst,
    run: (comet) => comet.messages.getMessages({ limit: 10 }),
    answers: { data: [expect.objectContaining({ id: firstId })] },
  },
  {
    says: "lists the messages of one user",
    method: "messages.getMessages",
    before: sendFirst,
    run: (comet) => comet.messages.getMessages({ userId: "support" }),
    answers: { data: [expect.objectContaining({ sender: "alice", receiver: "bob" })] },
    fails: [
      "It sends `userId` and `chatId`, which no page has: one user's messages are at `/users/{uid}/messages`, so it lists everybody's.",
      "docs/internals/platform/messages.md#listing-messages",
    ],
  },
  {
    says: "lists the second page of messages",
    method: "messages.getMessages",
    before: sendFirst,
    run: (comet) => comet.messages.getMessages({ limit: 10, page: 2 }),
    answers: { data: [expect.objectContaining({ id: firstId })] },
    fails: [
      "It sends `page`; messages are listed by cursor, so each page is the first.",
      "docs/internals/platform/answers-and-errors.md#lists-by-cursor",
    ],
  },
  {
    says: "edits a message",
    method: "messages.editMessage",
    before: sendFirst,
    run: (comet) => comet.messages.editMessage(firstId, "Grüezi"),
    answers: refused(400, "ERR_BAD_REQUEST"),
    leaves: [(comet) => comet.messages.getMessages({}), { data: [{ data: { text: "Grüße" } }] }],
    fails: [
      "It sends `text`, which belongs into `data`.",
      "docs/internals/platform/messages.md#editing-and-deleting",
    ],
  },
  {
    says: "deletes a message for good",
    method: "messages.deleteMessage",
    before: sendFirst,
    run: (comet) => comet.messages.deleteMessage(firstId, true),
    answers: { status: 200, data: { success: true } },
    leaves: [
      (comet) => comet.messages.getMessages({}),
      { data: [expect.objectContaining({ category: "action" })] },
    ],
  },
];

const groups: readonly PeerCall<CometBackend>[] = [
  {
    says: "creates a group",
    method: "groups.createGroup",
    run: makeClub,
    answers: { status: 200, data: { guid: "club" } },
  },
  {
    says: "creates a group with members",
    method: "groups.createGroup",
    run: (comet) => comet.groups.createGroup({ ...club, members: ["alice"] }),
    answers: refused(400, "ERR_BAD_REQUEST"),
    fails: [
      "It sends the members as a list; they are sorted by scope: `{ participants: [...] }`.",
      "docs/internals/platform/users-and-groups.md#members",
    ],
  },
  {
    says: "reads a group",
    method: "groups.getGroup",
    run: (comet) => comet.groups.getGroup("lobby"),
    answers: { data: { guid: "lobby", membersCount: 3 } },
  },
  {
    says: "changes a group",
    method: "groups.updateGroup",
    run: (comet) => comet.groups.updateGroup("lobby", { name: "Hall" }),
    answers: { data: { name: "Hall" } },
  },
  {
    says: "deletes a group",
    method: "groups.deleteGroup",
    run: (comet) => comet.groups.deleteGroup("lobby"),
    answers: { data: { success: true } },
    leaves: [(comet) => comet.groups.getGroup("lobby"), refused(404, "ERR_GUID_NOT_FOUND")],
  },
  {
    says: "adds members",
    method: "groups.addMembers",
    before: makeClub,
    run: (comet) => comet.groups.addMembers("club", ["alice"]),
    answers: refused(400, "ERR_BAD_REQUEST"),
    leaves: [(comet) => comet.groups.getGroup("club"), { data: { membersCount: 0 } }],
    fails: [
      "It sends `members`; they are added by scope, as `participants`.",
      "docs/internals/platform/users-and-groups.md#members",
    ],
  },
  {
    says: "removes members",
    method: "groups.removeMembers",
    run: (comet) => comet.groups.removeMembers("lobby", ["alice"]),
    answers: refused(404, "ERR_API_NOT_FOUND"),
    leaves: [(comet) => comet.groups.getGroup("lobby"), { data: { membersCount: 3 } }],
    fails: [
      "No operation removes several: one member at a time, by `DELETE /groups/{guid}/members/{uid}`.",
      "docs/internals/platform/users-and-groups.md#members",
    ],
  },
  {
    says: "lists groups",
    method: "groups.getGroups",
    run: (comet) => comet.groups.getGroups(),
    answers: { data: [expect.objectContaining({ guid: "lobby" })] },
  },
  {
    says: "lists one group of a page",
    method: "groups.getGroups",
    before: makeClub,
    run: (comet) => comet.groups.getGroups({ limit: 1, page: 1 }),
    answers: { meta: { pagination: { count: 2, per_page: 100 } } },
    fails: [
      "It sends `limit`; groups are counted by `perPage`, so a page has 100.",
      "docs/internals/platform/answers-and-errors.md#lists-by-page",
    ],
  },
];

const notifications: readonly PeerCall<CometBackend>[] = [
  {
    says: "changes the app's notification settings",
    method: "notifications.updateAppSettings",
    run: (comet) => comet.notifications.updateAppSettings({ preferences: { mute: { dndOverride: true } } }),
    answers: { status: 200, data: { success: true } },
  },
  {
    says: "changes a user's preferences",
    method: "notifications.updateUserPreferences",
    run: (comet) =>
      comet.notifications.updateUserPreferences("alice", { groupPreferences: { groupMessages: 1 } }),
    answers: { status: 200, data: { preferences: { group: { messagesSetting: 1 } } } },
  },
];

/** Every method of comet-backend 1.0.10, with the promises of its README and types. */
export const cometBackendCalls = [...users, ...messages, ...groups, ...notifications];

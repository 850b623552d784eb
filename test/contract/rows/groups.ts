import { expect } from "vitest";
import { after, club, newUser } from "../prepare.ts";
import { find, pluck, type Rows, refused, sent, succeeded } from "../row.ts";

const ofLobby = { uid: "bob" };

export const groupRows: Rows = {
  "create-group": {
    given: { input: club, onBehalfOf: "support" },
    answers: { ...club, owner: "support", membersCount: 1 },
    leaves: [({ chat }) => chat.groups.get("club"), { ...club, owner: "support", membersCount: 1 }],
  },
  "list-groups": {
    given: after(
      ({ chat }) =>
        chat.groups.create({ guid: "elsewhere", name: "Elsewhere", type: "public" }, { onBehalfOf: "bob" }),
      { input: { hasJoined: true }, onBehalfOf: "alice" },
    ),
    answers: [{ guid: "lobby", name: "Lobby", scope: "participant", hasJoined: true }],
  },
  "get-group": {
    given: { onBehalfOf: "support" },
    answers: { guid: "lobby", name: "Lobby", owner: "support", membersCount: 3 },
  },
  "update-group": {
    given: { input: { name: "Hall" }, onBehalfOf: "support" },
    answers: { guid: "lobby", name: "Hall" },
    leaves: [({ chat }) => chat.groups.get("lobby"), { guid: "lobby", name: "Hall" }],
  },
  "delete-group": {
    answers: { ...succeeded, message: expect.stringContaining("lobby") },
    leaves: [({ chat }) => chat.groups.get("lobby"), refused("ERR_GUID_NOT_FOUND")],
  },
  "add-group-members": {
    given: after(({ chat }) => chat.users.create(newUser), {
      input: { admins: ["zoe"], usersToBan: ["bob"] },
    }),
    answers: {
      admins: { zoe: { ...succeeded, data: { receiver: "lobby" } } },
      usersToBan: { bob: succeeded },
    },
    leaves: [({ chat }) => find(chat.members.list("lobby"), "uid", "zoe"), { scope: "admin" }],
  },
  "list-group-members": {
    given: { input: { scopes: ["participant"] } },
    answers: [
      { uid: "alice", scope: "participant" },
      { uid: "bob", scope: "participant" },
    ],
  },
  "change-group-member-scope": {
    given: { path: ofLobby, input: { scope: "moderator" } },
    answers: { guid: "lobby", uid: "bob", scope: "moderator" },
    leaves: [({ chat }) => find(chat.members.list("lobby"), "uid", "bob"), sent],
  },
  "kick-group-member": {
    given: { path: ofLobby },
    answers: { ...succeeded, message: expect.stringMatching(/bob .* lobby/) },
    leaves: [({ chat }) => pluck(chat.members.list("lobby"), "uid"), ["alice", "support"]],
  },
  "ban-group-user": {
    given: { path: ofLobby },
    answers: { ...succeeded, message: expect.stringMatching(/bob .* banned .* lobby/) },
    leaves: [({ chat }) => pluck(chat.bannedUsers.list("lobby"), "uid"), ["bob"]],
  },
  "unban-group-user": {
    given: after(({ chat }) => chat.bannedUsers.ban("lobby", "bob"), { path: ofLobby }),
    answers: { ...succeeded, message: expect.stringMatching(/bob .* unbanned .* lobby/) },
    leaves: [({ chat }) => pluck(chat.bannedUsers.list("lobby"), "uid"), []],
  },
  "list-banned-group-users": {
    given: after(({ chat }) => chat.bannedUsers.ban("lobby", "bob")),
    answers: [{ uid: "bob", name: "Bob Okafor" }],
  },
};

import { expect } from "vitest";
import { after, newKey, newToken, newUser, type Sample, type World, withInput } from "../prepare.ts";
import { find, holding, isListed, pluck, type Rows, refused, sent, succeeded } from "../row.ts";

const profile = { ...newUser, metadata: { note: "👋" }, tags: ["new"] };

const issuedToken = async (world: World): Promise<Sample> => ({ path: (await newToken(world)).path ?? {} });

export const userRows: Rows = {
  "create-apikey": {
    given: { input: { name: "second", scope: "authOnly" } },
    answers: sent,
    leaves: [({ chat }) => find(chat.apiKeys.list(), "name", "second"), { scope: "authOnly" }],
  },
  "list-apikeys": {
    given: newKey,
    answers: holding(
      { name: "Auth Key", scope: "authOnly" },
      { name: "Rest API Key", scope: "fullAccess" },
      { name: "second", scope: "fullAccess" },
    ),
  },
  "get-apikey": {
    given: newKey,
    answers: ({ path }) => ({ apiKey: path("apiKey"), name: "second", scope: "fullAccess" }),
  },
  "update-apikey": {
    given: withInput(newKey, { name: "renamed" }),
    answers: ({ path }) => ({ apiKey: path("apiKey"), name: "renamed", scope: "fullAccess" }),
    leaves: [({ chat }, { path }) => chat.apiKeys.get(path("apiKey")), { name: "renamed" }],
  },
  "delete-apikey": {
    given: newKey,
    answers: ({ path }) => ({ ...succeeded, message: expect.stringContaining(path("apiKey")) }),
    leaves: [({ chat }) => isListed(chat.apiKeys.list(), "name", "second"), "gone"],
  },
  "create-user": {
    given: { input: { ...profile, withAuthToken: true } },
    answers: { ...profile, authToken: expect.stringMatching(/^zoe_/) },
    leaves: [({ chat }) => chat.users.get("zoe"), profile],
  },
  "list-users": {
    given: { input: { searchKey: "bob", perPage: 2 } },
    answers: [{ uid: "bob", name: "Bob Okafor" }],
  },
  "get-user": { answers: { uid: "alice", name: "Alice Nguyen" } },
  "update-user": {
    given: after(({ chat }) => chat.users.update("alice", { avatar: "https://example.com/a.png" }), {
      input: { name: "Alice N.", unset: ["avatar"] },
    }),
    answers: { uid: "alice", name: "Alice N." },
    leaves: [
      async ({ chat }) => {
        const { name, avatar = "none" } = await chat.users.get("alice");
        return { name, avatar };
      },
      { name: "Alice N.", avatar: "none" },
    ],
  },
  "delete-user": {
    given: { path: { uid: "bob" }, input: { permanent: true } },
    answers: { ...succeeded, message: expect.stringContaining("bob") },
    leaves: [({ chat }) => chat.users.get("bob"), refused("ERR_UID_NOT_FOUND")],
  },
  "deactivate-users": {
    given: { input: { uidsToDeactivate: ["bob"] } },
    answers: { deactivatedUids: ["bob"] },
    leaves: [({ chat }) => pluck(chat.users.list(), "uid"), ["alice", "helper", "support"]],
  },
  "reactivate-users": {
    given: after(({ chat }) => chat.users.deactivate({ uidsToDeactivate: ["bob"] }), {
      input: { uidsToActivate: ["bob"] },
    }),
    answers: { nonDeactivatedUids: [] },
    leaves: [({ chat }) => pluck(chat.users.list(), "uid"), ["alice", "bob", "helper", "support"]],
  },
  "create-authtoken": {
    given: { input: { force: true } },
    answers: { uid: "alice", authToken: expect.stringMatching(/^alice_/) },
    leaves: [({ chat }) => pluck(chat.authTokens.list("alice"), "uid"), ["alice"]],
  },
  "list-authtokens": {
    given: issuedToken,
    answers: ({ path }) => [{ uid: "alice", authToken: path("authToken") }],
  },
  "flush-authtokens": {
    given: newToken,
    answers: { ...succeeded, message: expect.stringContaining("alice") },
    leaves: [({ chat }) => pluck(chat.authTokens.list("alice"), "uid"), []],
  },
  "get-authtoken": {
    given: newToken,
    answers: ({ path }) => ({ uid: "alice", authToken: path("authToken") }),
  },
  "update-authtoken": {
    given: async (world) => ({ path: (await newToken(world)).path ?? {}, input: { platform: "ios" } }),
    answers: ({ path }) => ({ uid: "alice", authToken: path("authToken"), platform: "ios" }),
    leaves: [({ chat }) => pluck(chat.authTokens.list("alice"), "platform"), ["ios"]],
  },
  "delete-authtoken": {
    given: newToken,
    answers: { ...succeeded, message: expect.stringContaining("alice") },
    leaves: [({ chat }) => pluck(chat.authTokens.list("alice"), "uid"), []],
  },
  "add-friend": {
    given: { input: { accepted: ["bob"] } },
    answers: { accepted: { bob: succeeded } },
    leaves: [({ chat }) => pluck(chat.friends.list("alice"), "uid"), ["bob"]],
  },
  "list-all-friends": {
    given: after(({ chat }) => chat.friends.add("alice", { accepted: ["bob"] })),
    answers: [{ uid: "bob", name: "Bob Okafor" }],
  },
  "remove-friend": {
    given: after(({ chat }) => chat.friends.add("alice", { accepted: ["bob"] }), {
      input: { friends: ["bob"] },
    }),
    answers: succeeded,
    leaves: [({ chat }) => pluck(chat.friends.list("alice"), "uid"), []],
  },
  "block-users": {
    given: { input: { blockedUids: ["bob"] } },
    answers: { bob: { ...succeeded, message: expect.stringMatching(/alice has blocked .* bob/) } },
    leaves: [({ chat }) => pluck(chat.blockedUsers.list("alice"), "uid"), ["bob"]],
  },
  "unblock-users": {
    given: after(({ chat }) => chat.blockedUsers.block("alice", { blockedUids: ["bob"] }), {
      input: { blockedUids: ["bob"] },
    }),
    answers: { bob: { ...succeeded, message: expect.stringMatching(/alice has unblocked .* bob/) } },
    leaves: [({ chat }) => pluck(chat.blockedUsers.list("alice"), "uid"), []],
  },
  "list-blocked-users": {
    given: after(({ chat }) => chat.blockedUsers.block("alice", { blockedUids: ["bob"] })),
    answers: [{ uid: "bob", name: "Bob Okafor" }],
  },
};

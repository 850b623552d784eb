import { describe, expect, it } from "vitest";
import { watchEvents } from "./events.ts";
import { act, chat, codeOf, dataOf, type Json, sendText, startAt, startPlatform } from "./helpers.ts";

describe("changing a group", () => {
  it("keeps omitted fields, removes unset ones, and reports the acting user", async () => {
    await startAt(1_700_000_000_000);
    const events = await watchEvents("group_updated", "group_owner_transferred");
    await chat("PUT /groups/lobby", { description: "héllo", tags: ["a"] });

    const answer = await dataOf("PUT /groups/lobby", "support", {
      name: "Hall",
      owner: "bob",
      unset: ["description"],
    });

    expect(answer).toMatchObject({
      guid: "lobby",
      name: "Hall",
      owner: "support",
      tags: ["a"],
      updatedBy: "support",
      updatedAt: 1_700_000_000,
      scope: "admin",
      hasJoined: true,
    });
    expect(answer.description).toBeUndefined();
    expect(await events()).toMatchObject([
      ["group_updated", { group: { description: "héllo", updatedBy: "app_system", onlineMembersCount: 0 } }],
      ["group_updated", { group: { name: "Hall", updatedBy: "support" } }],
    ]);
  });

  it("transfers the group only without an acting user", async () => {
    const events = await watchEvents("group_updated", "group_owner_transferred");

    expect((await dataOf("PUT /groups/lobby", { owner: "bob" })).owner).toBe("bob");

    const members = await dataOf("GET /groups/lobby/members?scopes=admin");
    expect(members.map((member: Json) => member.uid)).toEqual(["bob", "support"]);
    expect(await events()).toMatchObject([
      ["group_owner_transferred", { group: { owner: "bob", oldOwner: "support" } }],
    ]);
  });

  it("deletes a group with its members and messages", async () => {
    const events = await watchEvents("group_deleted");
    const { id } = await sendText("Hi", "alice", "lobby");

    expect(await codeOf("DELETE /groups/lobby", "alice")).toBe("ERR_GROUP_NO_ADMIN_SCOPE");
    await chat("DELETE /groups/lobby");

    expect(await codeOf(`GET /messages/${id}`)).toBe("ERR_MESSAGE_ID_NOT_FOUND");
    expect(await events()).toMatchObject([["group_deleted", { group: { guid: "lobby", membersCount: 3 } }]]);
  });

  it("gives nothing of a deleted group to a new group of the same guid", async () => {
    const { services } = await startPlatform();
    const guid = "ended";
    const group = { guid, name: "Group", type: "public", owner: "alice" };
    const until = Date.now() + 60_000;
    const muted = ["group", "oneOnOne"].map((type) => ({ type, id: guid, until }));
    const message = { receiver: guid, receiverType: "group", data: { text: "Hi" } };
    await chat("POST /users", { uid: guid, name: "A user of the same id" });
    const steps: [string, unknown?][] = [
      ["POST /groups", group],
      [`POST /groups/${guid}/members`, { participants: ["bob"], usersToBan: ["support"] }],
      ["POST /messages", message],
      [`PUT /groups/${guid}/scopes/participant/permissions`, { permissions: { sendMessage: "deny" } }],
      ["PUT /notifications/v1/preferences/mute?uid=bob", { conversations: muted }],
      ["PUT /conversations/pinned", { pinnedConversations: [{ guid }] }],
    ];
    for (const [line, body] of steps) expect([line, await codeOf(line, body)]).toEqual([line, undefined]);

    await chat(`DELETE /groups/${guid}`);

    const { db } = services;
    const tables = db.values<string>("SELECT name FROM sqlite_schema WHERE type = 'table'");
    const left = tables.flatMap((table) => {
      const rows = db.rows<object>(`SELECT * FROM ${table}`).map((row) => JSON.stringify(row));
      return rows.some((row) => row.includes(guid)) && table !== "deliveries" ? [table] : [];
    });
    const mutes = (await dataOf("GET /notifications/v1/preferences/mute?uid=bob")).mutedConversations;
    expect([left.toSorted(), mutes]).toEqual([["documents", "users"], [muted[1]]]);
    await chat("POST /groups", group);
    await chat(`POST /groups/${guid}/members`, { participants: ["bob"] });
    expect((await chat("POST /messages", "bob", message)).status).toBe(200);
  });

  it("continues after a time of change", async () => {
    const clock = await startAt(1_700_000_000_000);
    await chat("POST /groups", { guid: "old", name: "Old", type: "public" });
    await clock.advance(10_000);
    await chat("PUT /groups/lobby", { name: "Lobby 2" });

    const after = await chat("GET /groups?affix=append&updatedAt=1700000005");
    const before = await chat("GET /groups?affix=prepend&updatedAt=1700000005");
    const changed = await chat("GET /groups?updatedAt[from]=1");

    const guids = (answer: Json) => answer.body.data.map((group: Json) => group.guid);
    expect([guids(after), guids(before), guids(changed)]).toEqual([["lobby"], ["old"], ["lobby"]]);
    expect(after.body.meta.cursor).toEqual({ updatedAt: 1_700_000_010, affix: "append" });
  });
});

describe("members", () => {
  it("change scope, with an event that contains the old one", async () => {
    const events = await watchEvents("group_member_scope_changed");

    expect(await dataOf("PUT /groups/lobby/members/bob", "support", { scope: "moderator" })).toMatchObject({
      guid: "lobby",
      uid: "bob",
      scope: "moderator",
    });
    expect(await events()).toMatchObject([
      [
        "group_member_scope_changed",
        {
          members: {
            bob: { scope: "moderator", oldScope: "participant", conversationId: "bob_user_support" },
          },
          by: { uid: "support" },
          group: { guid: "lobby", onlineMembersCount: 0 },
        },
      ],
    ]);
  });

  it("are kicked by moderators if participants, and by the owner if admins", async () => {
    await chat("PUT /groups/lobby/members/alice", { scope: "admin" });
    const events = await watchEvents("group_member_kicked");

    expect(await codeOf("DELETE /groups/lobby/members/support", "alice")).toBe("ERR_GROUP_NO_CLEARANCE");
    expect((await dataOf("DELETE /groups/lobby/members/bob", "alice")).message).toBe(
      "The member with bob has been kicked from the Group with lobby.",
    );
    const byOwner = await chat("DELETE /groups/lobby/members/alice", "support");

    expect((await dataOf("GET /groups/lobby")).membersCount).toBe(1);
    expect(byOwner.status).toBe(200);
    expect(await events()).toMatchObject([
      ["group_member_kicked", { group: { membersCount: 2 }, members: { bob: {} }, by: { uid: "alice" } }],
      ["group_member_kicked", { group: { membersCount: 1 }, members: { alice: {} }, by: { uid: "support" } }],
    ]);
  });

  it.each([
    ["moderator", "moderator", "DELETE /groups/lobby/members/bob", "ERR_GROUP_NO_CLEARANCE"],
    ["admin", "admin", "DELETE /groups/lobby/members/bob", "ERR_GROUP_NO_CLEARANCE"],
    ["moderator", "moderator", "POST /groups/lobby/bannedusers/bob", "ERR_GROUP_NO_CLEARANCE"],
    ["moderator", "moderator", "PUT /groups/lobby/members/bob", "ERR_GROUP_NO_SCOPE_CLEARANCE"],
    ["moderator", "participant", "DELETE /groups/lobby/members/bob", undefined],
    ["admin", "moderator", "POST /groups/lobby/bannedusers/bob", undefined],
  ])("are managed only by higher scopes: %s on %s, %s", async (scope, other, line, code) => {
    await chat("PUT /groups/lobby/members/alice", { scope });
    await chat("PUT /groups/lobby/members/bob", { scope: other });

    expect(await codeOf(line, "alice")).toBe(code);
  });

  it("join and leave through clients", async () => {
    await chat("POST /users", { uid: "carol", name: "Carol" });
    const events = await watchEvents("group_member_joined", "group_member_left");

    const { data } = await act("/groups/lobby/join", { uid: "carol" });
    await act("/groups/lobby/leave", { uid: "carol" });

    expect(data).toMatchObject({ category: "action", type: "groupMember", sender: "carol" });
    expect(data.data.action).toBe("joined");
    const seen = await events();
    expect(seen).toMatchObject([
      ["group_member_joined", { group: { membersCount: 4 }, members: { carol: { name: "Carol" } } }],
      ["group_member_left", { group: { membersCount: 3 }, members: { carol: { name: "Carol" } } }],
    ]);
    expect(seen.map(([, data]) => data.by)).toEqual([undefined, undefined]);
  });

  it.each([
    ["ERR_GROUP_JOIN_NOT_ALLOWED", { type: "private" }, undefined],
    ["ERR_EMPTY_GROUP_PASS", { type: "password", password: "open" }, undefined],
    ["ERR_WRONG_GROUP_PASS", { type: "password", password: "open" }, "shut"],
    ["ERR_ALREADY_JOINED", { type: "public", members: { participants: ["alice"] } }, undefined],
    ["ERR_BANNED_GROUPMEMBER", { type: "private", members: { usersToBan: ["alice"] } }, undefined],
  ])("cannot join: %s", async (code, fields, password) => {
    await chat("POST /groups", { guid: "club", name: "Club", ...fields });

    expect((await act("/groups/club/join", { uid: "alice", password })).code).toBe(code);
  });
});

describe("bans", () => {
  it("end the membership and keep the user out until they are lifted", async () => {
    expect((await dataOf("POST /groups/lobby/bannedusers/bob")).message).toBe(
      "The user with uid bob has been banned from the Group with lobby.",
    );
    expect(await codeOf("POST /groups/lobby/bannedusers/bob")).toBe("ERR_ALREADY_BANNED");
    const list = await chat("GET /groups/lobby/bannedusers");
    expect(
      (await dataOf("POST /groups/lobby/members", { participants: ["bob"] })).participants.bob.error.code,
    ).toBe("ERR_BANNED_GROUPMEMBER");
    const lifted = await chat("DELETE /groups/lobby/bannedusers/bob");
    expect(
      (await dataOf("POST /groups/lobby/members", { participants: ["bob"] })).participants.bob.success,
    ).toBe(true);
    expect(list.body).toMatchObject({ data: [{ uid: "bob" }], meta: { pagination: { total: 1 } } });
    expect(lifted.status).toBe(200);
  });

  it.each([
    ["live", "support"],
    ["documented", "bob"],
  ] as const)("have the %s form with the user %s in their events", async (bannedMembersForm, shown) => {
    await startPlatform({ switches: { bannedMembersForm } });
    const events = await watchEvents("group_member_banned", "group_member_unbanned");

    await chat("POST /groups/lobby/bannedusers/bob", "support");
    await chat("DELETE /groups/lobby/bannedusers/bob", "support");

    const seen = await events();
    expect(seen.map(([trigger, data]) => [trigger, Object.keys(data.members)])).toEqual([
      ["group_member_banned", [shown]],
      ["group_member_unbanned", [shown]],
    ]);
  });

  it("name the banned user if the app itself acts", async () => {
    const events = await watchEvents("group_member_banned");

    await chat("POST /groups/lobby/members", { usersToBan: ["bob"] });

    expect(await events()).toMatchObject([
      ["group_member_banned", { members: { bob: { uid: "bob" } }, group: { membersCount: 2 } }],
    ]);
  });
});

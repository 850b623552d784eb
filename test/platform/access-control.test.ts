import { describe, expect, it } from "vitest";
import { act, chat, chatWith, codeOf, dataOf, type Json, sendText } from "./helpers.ts";

describe("roles", () => {
  it("have a lower-cased id, and lose unset fields", async () => {
    await chat("POST /roles", { role: "Manager", name: "Manager", description: "d" });

    const { data } = await chat("PUT /roles/manager", { unset: ["description"] });

    expect([data.role, data.description]).toEqual(["manager", undefined]);
  });

  it("give the users of a deleted role the default one", async () => {
    await chat("POST /roles", { role: "vip", name: "Vip" });
    await chat("PUT /users/bob", { role: "vip" });

    await chat("DELETE /roles/vip");

    expect((await dataOf("GET /users/bob")).role).toBe("default");
    expect(await dataOf("GET /users?role=default")).toHaveLength(4);
  });

  it("are limited to 25 including the default one, in pages", async () => {
    for (let number = 1; number < 25; number += 1) {
      await chat("POST /roles", { role: `r${number}`, name: "R" });
    }

    expect(await codeOf("POST /roles", { role: "r25", name: "R" })).toBe("ERR_PLAN_QUOTA_RESTRICTION");
    const list = await chat("GET /roles?perPage=10&page=3");
    expect(list.data).toHaveLength(5);
    expect(list.body.meta.pagination.total).toBe(25);
  });
});

describe("restricted features", () => {
  it("are restricted one by one, listed and allowed again", async () => {
    const path = "/roles/default/restrictedfeatures";

    const restricted = await dataOf(`POST ${path}`, {
      featuresToRestrict: ["u.listUsers", "getGroup", "u.fly"],
    });
    expect((await dataOf(`GET ${path}`))[0]).toMatchObject({
      title: "List Users",
      key: "u.listUsers",
      path: "/v3/users",
    });
    expect((await dataOf(`DELETE ${path}`, { featuresToAllow: ["u.getGroup"] })).message).toBe(
      "The feature has been allowed successfully.",
    );
    const after = await dataOf(`GET ${path}`);

    expect(restricted["u.listUsers"].message).toBe(
      "The feature u.listUsers has been restricted successfully.",
    );
    expect(restricted["u.fly"].error.code).toBe("ERR_BAD_REQUEST");
    expect(after.map((feature: Json) => feature.key)).toEqual(["u.listUsers"]);
  });

  it("refuse a user of the role, but not the app itself, until all are allowed again", async () => {
    const path = "/roles/default/restrictedfeatures";
    await chat(`POST ${path}`, { featuresToRestrict: ["u.createMessage"] });

    const asUser = await send("alice", { receiver: "bob" });
    const asApp = await send(undefined, { receiver: "bob" });
    await chat(`DELETE ${path}`, { allowAll: true });
    const again = await send("alice", { receiver: "bob" });

    expect(asUser.code).toBe("ERR_PERMISSION_DENIED");
    expect([asApp.status, again.status]).toEqual([200, 200]);
  });
});

describe("permissions", () => {
  it.each([
    ["role", "/roles/default/permissions", 28, "to role default."],
    ["scope", "/groups/lobby/scopes/participant/permissions", 11, "to scope participant on group lobby."],
  ])("of a %s are defined, set, merged and unset", async (_type, path, count, ending) => {
    const list = await chat(`GET ${path}`);
    const set = await dataOf(`PUT ${path}`, {
      permissions: { sendMessage: "deny", editMessage: "allow", fly: "allow" },
    });
    const more = await dataOf(`PUT ${path}`, { permissions: { sendMessage: "maybe" } });
    expect(await dataOf(`DELETE ${path}/sendMessage`)).toEqual({ permissions: { editMessage: "allow" } });

    expect(list.body.meta.pagination.total).toBe(count);
    expect(set.sendMessage.message).toBe(
      `Permission with id sendMessage have been mapped successfully ${ending}`,
    );
    expect(set.fly.success).toBe(false);
    expect(more.sendMessage.success).toBe(false);
    expect(more.permissions).toEqual({ sendMessage: "deny", editMessage: "allow" });
  });

  it.each([
    [{ sendMessage: "deny" }, { receiver: "bob" }],
    [{ "sendMessage.allowedReceiverTypes": ["group"] }, { receiver: "bob" }],
    [{ "sendMessage.allowedReceiverRoles": ["vip"] }, { receiver: "bob" }],
    [{ "sendMessage.allowedMessageTypes": ["image"] }, { receiver: "bob" }],
    [{ "sendMessage.mode": "friends" }, { receiver: "bob" }],
    [
      { "sendMessage.allowedCustomTypes": ["location"] },
      { receiver: "bob", category: "custom", type: "poll", data: { customData: {} } },
    ],
    [
      { "sendMessage.allowedMimeTypes": ["image/png"] },
      { receiver: "bob", type: "file", data: { attachments: [{ url: "u", mimeType: "text/html" }] } },
    ],
  ])("refuse the messages of a role: %j", async (permissions, body) => {
    await chat("PUT /roles/default/permissions", { permissions });

    const asUser = await send("alice", body);
    const asApp = await send(undefined, body);

    expect([asUser.code, asApp.status]).toEqual(["ERR_PERMISSION_DENIED", 200]);
  });

  it("let a role with friendsOnly write only to friends", async () => {
    await chat("PUT /roles/default", { settings: { sendMessagesTo: "friendsOnly" } });

    expect((await send("alice", { receiver: "bob" })).code).toBe("ERR_PERMISSION_DENIED");
  });

  it("refuse actions that a scope may not take in its group", async () => {
    const { id } = await sendText("hi", "alice", "lobby");
    await chat("PUT /groups/lobby/scopes/participant/permissions", {
      permissions: { sendMessage: "deny", editMessage: "deny" },
    });
    await chat("PUT /roles/default/permissions", {
      permissions: { "deleteMessage.denyForScopes": ["participant"] },
    });

    const answers = [
      await send("alice", { receiver: "lobby", receiverType: "group" }),
      await chat(`PUT /messages/${id}`, "alice", { data: { text: "new" } }),
      await chat(`DELETE /messages/${id}`, "alice"),
      await send("support", { receiver: "lobby", receiverType: "group" }),
    ];

    expect(answers.map((answer) => answer.status)).toEqual([403, 403, 403, 200]);
  });

  it("hide groups and messages of kinds that a role may not list", async () => {
    await sendText("hi", "alice", "lobby");
    await chat("PUT /roles/default/permissions", {
      permissions: {
        "listGroups.allowedGroupTypes": ["password"],
        "listMessages.allowedMessageTypes": ["image"],
      },
    });

    const lists = [
      await chat("GET /groups", "alice"),
      await chat("GET /messages", "alice"),
      await chat("GET /groups"),
      await chat("GET /messages"),
    ];

    expect(lists.map((list) => list.data.length)).toEqual([0, 0, 1, 1]);
  });

  it.each([
    [{ initiateCall: "deny" }, "user", "bob", "audio"],
    [{ "initiateCall.mode": "friends" }, "user", "bob", "audio"],
    [{ "initiateCall.allowedReceiverRoles": ["vip"] }, "user", "bob", "video"],
    [{ "initiateCall.allowedType": ["audio"] }, "group", "lobby", "video"],
  ] as const)("refuse calls: %j to a %s", async (permissions, receiverType, receiver, type) => {
    const path = receiverType === "user" ? "/roles/default" : "/groups/lobby/scopes/participant";
    await chat(`PUT ${path}/permissions`, { permissions });

    const refused = await act("/calls", { caller: "alice", receiver, receiverType, type });

    expect(refused.body.error.message).toMatch(/does not have the permission initiateCall/);
  });

  it("refuse groups of a type that a role may not create", async () => {
    await chat("PUT /roles/default/permissions", {
      permissions: { "createGroup.allowedGroupTypes": ["private"] },
    });

    const open = await codeOf("POST /groups", "alice", { guid: "a", name: "A", type: "public" });
    const closed = await chat("POST /groups", "alice", { guid: "b", name: "B", type: "private" });

    expect([open, closed.status]).toEqual(["ERR_PERMISSION_DENIED", 200]);
  });
});

async function send(as: string | undefined, fields: Json) {
  return await chatWith("POST /messages", {
    ...(as === undefined ? {} : { as }),
    body: { receiverType: "user", category: "message", type: "text", data: { text: "x" }, ...fields },
  });
}

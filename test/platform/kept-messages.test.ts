import { describe, expect, it } from "vitest";
import { appRoutes } from "../../local/platform/routes.ts";
import { firstByDay } from "../helpers/by-day.ts";
import { app, chat, codeOf, dataOf, idle, type Json, own, sendText } from "./helpers.ts";
import { withProvider } from "./notifications/helpers.ts";

// Bob writes "secret" to Alice or her group; Alice has a bot's webhook, pushes and e-mails.

const rule = { id: "r", name: "R", conditions: [{ category: "word", value: ["secret"] }] };
const edit = async (id: string) => await chat(`PUT /messages/${id}`, "bob", { data: { text: "secret" } });

/** The input of each message use. */
const use = { data: { text: "r" }, reasonId: "spam", interactions: ["x"] };

/** Each makes a message of Bob's unavailable to Alice, and returns its id. */
const causes: Record<string, (write: (text: string) => Promise<string>) => Promise<string>> = {
  async "hidden by a block"(write) {
    await chat("POST /users/alice/blockedusers", { blockedUids: ["bob"] });
    const id = await write("secret");
    await edit(id);
    await chat("DELETE /users/alice/blockedusers", { blockedUids: ["bob"] });
    return id;
  },
  async "hidden by a block, then approved"(write) {
    await chat("POST /moderation/rules", rule);
    const id = await causes["hidden by a block"]?.(write);
    await chat(`PATCH /moderation/blocked-messages/${id}`, { status: "approved" });
    return id ?? "";
  },
  async "blocked by a rule"(write) {
    await chat("POST /moderation/rules", rule);
    return await write("secret");
  },
  async "blocked when edited"(write) {
    await chat("POST /moderation/rules", rule);
    const id = await write("plain");
    await edit(id);
    return id;
  },
  async "disapproved after a flag"(write) {
    const id = await write("plain");
    await edit(id);
    await quote("bob", id);
    await chat(`POST /messages/${id}/flagged`, "alice", { reasonId: "spam" });
    await chat(`PATCH /moderation/flagged-messages/${id}`, { status: "disapproved" });
    return id;
  },
  async "rejected by a human"(write) {
    const id = await causes["blocked by a rule"]?.(write);
    await chat(`PATCH /moderation/blocked-messages/${id}`, { status: "rejected", reviewed: true });
    return id ?? "";
  },
  async purged(write) {
    const id = await causes["disapproved after a flag"]?.(write);
    await chat(`DELETE /messages/${id}`, { permanent: true });
    return id ?? "";
  },
  async "purged after its deletion"(write) {
    const id = await write("secret");
    await quote("alice", id);
    await chat(`DELETE /messages/${id}`, "bob");
    await chat(`DELETE /messages/${id}`, { permanent: true });
    return id;
  },
  async "purged with its author"(write) {
    const id = await write("plain");
    await edit(id);
    await quote("alice", id);
    await chat("DELETE /users/bob", { permanent: true });
    return id;
  },
};

async function quote(as: string, quotedMessageId: string) {
  const body = { receiver: "lobby", receiverType: "group", data: { text: "q" }, quotedMessageId };
  return await chat("POST /messages", as, body);
}

describe.each([
  ["alice", "users/bob"],
  ["lobby", "groups/lobby"],
])("a message to %s", (receiver, place) => {
  const names = Object.keys(causes).filter((name) => receiver === "alice" || !name.includes("by a block"));
  // A group's members see almost the same as Alice sees of a message to herself.
  const played = receiver === "alice" ? names : firstByDay(names.toReversed(), 2);

  it.each(played)("%s: no list, answer or call shows Alice its text, and she cannot use it", async (name) => {
    const { receiver: endpoint, clock } = await withProvider("push");
    const email = await chat("POST /notifications/email/v1/providers/custom", {
      isEnabled: true,
      webhookURL: endpoint.url,
      useStoredEmailID: false,
      useBasicAuth: false,
      basicAuthUsername: "u",
      basicAuthPassword: "p1234567",
    });
    expect(email.status).toBe(200);
    await own(`PUT /apps/${app.appId}/bots/alice`, { url: endpoint.url, groupMessages: "all" });
    const parent = await sendText("parent", "alice", receiver === "lobby" ? "lobby" : "bob");
    // To Alice as a reply, to the group as the message that gets replies.
    const write = async (text: string) =>
      receiver === "lobby"
        ? (await sendText(text, "bob", "lobby")).id
        : (await dataOf(`POST /messages/${parent.id}/thread`, "bob", { data: { text } })).id;

    await chat(`POST /messages/${parent.id}/thread`, "alice", { data: { text: "r" } });

    const id = await causes[name]?.(write);
    await idle();
    if (!/^hidden|^blocked by/.test(name)) endpoint.received.length = 0;
    const used = [];
    for (const line of uses(id ?? "")) {
      if ((await chat(line, "alice", use)).status < 400) used.push(line);
    }
    if ((await quote("alice", id ?? "")).status < 400) used.push("quote");
    for (const path of ["reactions/x", "pin", "thread"]) {
      await chat(`POST /messages/${id}/${path}`, "bob", { data: { text: "r" } });
    }
    await quote("bob", id ?? "");
    await clock.advance(60_000);
    await idle();
    const leaking = [];
    const counts = [];
    for (const act of ["GET", "DELETE"]) {
      await chat(`${act} /messages/${id}`, "bob");
      for (const line of doors(id ?? "", parent.id)) {
        const { body } = await chat(line, "alice");
        if (JSON.stringify(body).includes("secret")) leaking.push(line);
      }
      const { data: unread } = await chat(`GET /${place}/messages?unread=true`, "alice");
      await chat(`DELETE /${place}/conversation/read`, "alice");
      const { data: counted } = await chat(`GET /${place}/conversation`, "alice");
      counts.push([counted?.unreadMessageCount ?? "0", String(unread?.length ?? 0)]);
    }

    const calls = endpoint.received.flatMap(({ text, json }) =>
      text.includes("secret") ? [json.trigger] : [],
    );
    expect({ leaking, used, calls }).toEqual({ leaking: [], used: [], calls: [] });
    expect(counts.map(([, listed]) => [listed, listed])).toEqual(counts);
  });
});

it("a deliverable message can be read and used in all these ways", async () => {
  const { id } = await sendText("secret", "bob", "alice");

  const readable = [];
  for (const line of doors(id, id)) {
    if (JSON.stringify((await chat(line, "alice")).body).includes("secret")) readable.push(line);
  }
  const statuses = [];
  for (const line of uses(id)) statuses.push((await chat(line, "alice", use)).status);

  expect(readable.length).toBeGreaterThan(5);
  expect(statuses).toEqual(statuses.map(() => 200));
});

it("purging removes the text from all stored data", async () => {
  const { id } = await sendText("secret", "bob", "lobby");
  await edit(id);
  await quote("alice", id);
  await chat("POST /moderation/rules", rule);
  const blocked = await sendText("secret", "bob", "alice");
  const reviewed = await sendText("secret", "bob", "alice");
  await chat("POST /moderation/rules", {
    ...rule,
    id: "q",
    conditions: [{ category: "word", value: ["q"] }],
  });
  await quote("alice", id);
  const quoting = (await quote("alice", id)).data;
  for (const { id } of [reviewed, quoting]) {
    await chat(`PATCH /moderation/blocked-messages/${id}`, { status: "rejected", reviewed: true });
  }

  for (const one of [id, blocked.id, reviewed.id]) await chat(`DELETE /messages/${one}`, { permanent: true });

  const stored = [
    await own(`GET /apps/${app.appId}/messages`),
    await chat("GET /moderation/blocked-messages"),
    await chat("GET /moderation/reviewed-messages"),
  ];
  expect(stored.map(({ data }) => data.length)).toEqual([5, 2, 2]);
  expect(JSON.stringify(stored.map(({ data }) => data))).not.toContain('"text":"secret');
});

const approved = { moderation: { status: "approved" } };
it.each([
  ["blocked by a rule", { data: approved }],
  ["blocked by a rule", { data: { text: "secret", ...approved } }],
  ["disapproved after a flag", { tags: ["x"] }],
  ["disapproved after a flag", { data: { text: "plain" } }],
  ["rejected by a human", { tags: ["x"] }],
  ["rejected by a human", { data: { text: "plain" } }],
])("its sender cannot approve a message that is %s: %j", async (name, edit) => {
  const id = await causes[name]?.(async (text) => (await sendText(text, "bob", "alice")).id);
  if (name === "blocked by a rule") await chat("DELETE /moderation/rules/r");
  else await chat("POST /moderation/rules", { ...rule, id: "other", conditions: unmatched });

  await chat(`PUT /messages/${id}`, "bob", edit);

  expect(await codeOf(`GET /messages/${id}`, "alice")).toBe("ERR_MESSAGE_NO_ACCESS");
});

const unmatched = [{ category: "word", value: ["none of these"] }];

it("users whose uids form the same conversation id do not see each other's messages", async () => {
  for (const uid of ["a", "b_user_c", "a_user_b", "c", "b"]) await chat("POST /users", { uid, name: uid });
  const { id, conversationId } = await sendText("secret", "a_user_b", "c");
  const other = await sendText("plain", "a", "b_user_c");
  await sendText("plain", "a", "b_user_c");
  const strangers = ["a", "b", "b_user_c"];

  expect(other.conversationId).toBe(conversationId);
  for (const uid of strangers) {
    for (const line of [`/messages/${id}`, "/messages", "/users/c/messages", "/users/b_user_c/messages"]) {
      expect(JSON.stringify((await chat(`GET ${line}`, uid)).body)).not.toContain("secret");
    }
    for (const line of uses(id)) expect(await codeOf(line, uid, use), line).toBe("ERR_MESSAGE_NO_ACCESS");
  }
  await chat("DELETE /users/b_user_c/conversation", "a", { deleteMessagesPermanently: true });
  await chat(`DELETE /conversations/${conversationId}`, "b_user_c");
  await chat("DELETE /users/a", { permanent: true });
  const { data } = await chat("GET /users/a_user_b/conversation", "c");
  expect([data.lastMessage.data.text, data.unreadMessageCount]).toEqual(["secret", "1"]);
  expect(await dataOf("GET /users/a_user_b/messages", "c")).toHaveLength(1);
});

it("a removed user's flags are removed, too", async () => {
  const sent = [await sendText("x"), await sendText("y"), await sendText("z", "support", "lobby")];
  for (const { id } of sent) {
    await chat(`POST /messages/${id}/flagged`, "bob", { reasonId: "spam", remark: "secret" });
  }
  const [first, , last] = sent;
  await chat(`POST /messages/${last.id}/flagged`, "alice", { reasonId: "spam" });
  await chat(`PATCH /moderation/flagged-messages/${first.id}`, { status: "approved" });

  await chat("DELETE /users/bob", { permanent: true });

  const flagged = await dataOf("GET /moderation/flagged-messages");
  const reviewed = await dataOf("GET /moderation/reviewed-messages");
  expect(JSON.stringify([flagged, reviewed])).not.toContain("secret");
  expect([flagged, reviewed].map((list) => list.map(({ flaggedCount }: Json) => flaggedCount))).toEqual([
    [1],
    [0],
  ]);
});

it.each([
  ["DELETE /users/bob", "app_system"],
  ["DELETE /messages/2", "bob"],
])("%s: the purged data is not counted or named, and %s owns the group", async (line, owner) => {
  const parent = await sendText("parent", "alice", "lobby");
  const { data } = await chat(`POST /messages/${parent.id}/thread`, "bob", { data: { text: "r" } });
  expect(data.id).toBe("2");
  await chat("PUT /groups/lobby", { owner: "bob" });
  const unread = async () => (await dataOf("GET /groups/lobby/conversation", "support")).unreadMessageCount;
  expect(await unread()).toBe("2");

  await chat(line, { permanent: true });

  const counted = await dataOf(`GET /messages/${parent.id}`, "alice");
  expect([counted.replyCount, counted.lastReply, await dataOf("GET /threads")]).toEqual([0, undefined, []]);
  expect(await unread()).toBe("1");
  expect((await dataOf("GET /groups/lobby")).owner).toBe(owner);
});

it("a deleted message cannot be quoted", async () => {
  const { id } = await sendText("secret", "bob", "lobby");
  await chat(`DELETE /messages/${id}`, "bob");

  expect((await quote("bob", id)).code).toBe("ERR_MESSAGE_ID_NOT_FOUND");
});

it("a message that becomes acceptable by an edit counts again", async () => {
  await chat("POST /moderation/rules", rule);
  const { id } = await sendText("secret", "bob", "alice");

  await chat(`PUT /messages/${id}`, "bob", { data: { text: "plain" } });

  const { data } = await chat("GET /users/bob/conversation", "alice");
  expect([data.unreadMessageCount, (await dataOf(`GET /messages/${id}`, "alice")).data.text]).toEqual([
    "1",
    "plain",
  ]);
  expect(await dataOf("GET /moderation/blocked-messages")).toEqual([]);
});

it.each([
  ["flagged", "blocked"],
  ["blocked", "flagged"],
])("a decision about a %s message that is also %s ends both reviews", async (decided, other) => {
  await chat("POST /moderation/rules", { ...rule, action: ["flagMessage", "blockMessage"] });
  const { id } = await sendText("secret", "bob", "alice");

  await chat(`PATCH /moderation/${decided}-messages/${id}`, { status: "approved" });

  expect((await chat(`GET /messages/${id}`, "alice")).status).toBe(200);
  expect(await dataOf(`GET /moderation/${other}-messages`)).toEqual([]);
});

/** The platform's answers to a user about a message, its parent, and their places. */
function doors(id: string, parent: string) {
  const paths = routesOfUsers("GET").flatMap((path) => [fill(path, id), fill(path, parent)]);
  const queries = ["searchKey=secret", "unread=true", "hideReplies=false&limit=100"];
  return [...new Set(paths), ...queries.map((query) => `/messages?${query}`)].map((path) => `GET ${path}`);
}

function uses(id: string) {
  return ["POST", "PATCH", "DELETE"].flatMap((method) => {
    const paths = routesOfUsers(method).filter((path) => path.startsWith("/messages/{id}/"));
    return paths.map((path) => `${method} ${fill(path, id)}`);
  });
}

function routesOfUsers(asked: string) {
  return appRoutes.flatMap(({ method, path, onBehalfOf }) =>
    method === asked && onBehalfOf !== "unsupported" && !path.startsWith("/campaigns") ? [path] : [],
  );
}

function fill(path: string, id: string) {
  const values: Json = { id, uid: "bob", guid: "lobby", reaction: "x", conversationId: "alice_user_bob" };
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? "none");
}

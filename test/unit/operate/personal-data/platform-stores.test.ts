import { describe, expect, it, onTestFinished } from "vitest";
import { allFamilies } from "../../../../lib/chat/client.ts";
import { composeChatClient } from "../../../../lib/chat/compose.ts";
import type { Fetch } from "../../../../lib/chat/lean-fetch.ts";
import { collect, createMentions, eraseFrom } from "../../../../lib/operate/personal-data/personal-store.ts";
import { platformStores } from "../../../../lib/operate/personal-data/platform-stores.ts";
import { createMemoryPlatform } from "../../../../local/platform/create-memory-platform.ts";
import { putCall } from "../../../../local/platform/store/calls.ts";
import { callOf } from "../../../helpers/plant-person.ts";

const uid = "mia";
const { signal } = new AbortController();

/** Messages of mia in a group: one removed by her, by a moderator and by the app each, and one edited. */
async function startWithMia(messageListBegins: "oldest" | "newest" = "oldest") {
  const platform = createMemoryPlatform({ switches: { messageListBegins } });
  onTestFinished(() => platform.close());
  const { fullAccessKey: apiKey } = platform.keys;
  let isFiltered = true;
  const fetch: Fetch = (url, init) =>
    platform.fetch(isFiltered ? url : url.replace(/\bsender=\w+/, ""), init);
  const chat = composeChatClient({ appId: "local-app", apiKey, fetch }, allFamilies);
  await chat.users.create({ uid, name: "Mia" });
  await chat.members.add("lobby", { participants: [uid] });
  const send = async (text: string) => {
    const message = { receiver: "lobby", receiverType: "group", type: "text", data: { text } } as const;
    return (await chat.messages.send(message, { onBehalfOf: uid })).id;
  };
  const moderator = { onBehalfOf: "support" };
  await chat.messages.delete(await send("secret of herself"), {}, { onBehalfOf: uid });
  await chat.messages.delete(await send("secret for a moderator"), {}, moderator);
  await chat.messages.delete(await send("secret for the app"));
  await chat.messages.update(await send("secret to edit"), { data: { text: "secret edited" } }, moderator);
  await send("secret that stays up");
  const stores = platformStores({ appId: "local-app", uid, mentions: createMentions(uid) }, chat);
  const stored = () => {
    const { messages = [] } = platform.snapshot().tables;
    return messages.map(({ body }) => String(body)).filter((body) => body.includes("secret"));
  };
  const ignoreFilter = () => {
    isFiltered = false;
  };
  return {
    chat,
    data: { db: platform.services.db, appId: "local-app" },
    send,
    stores,
    stored,
    ignoreFilter,
    erase: (some = stores) => eraseFrom(some, () => {}, signal),
  };
}

describe("the store of platform data", () => {
  it.each(["active", "deactivated"])("erases the content of removed messages: %s", async (state) => {
    const { chat, stores, stored, erase } = await startWithMia();
    if (state === "deactivated") await chat.users.delete(uid);

    await erase();

    const notes = stored();
    expect(notes.filter((body) => !body.includes('"category":"action"'))).toEqual([]);
    const left = [...(await collect(stores)).values()].flat();
    expect(left.filter(({ stays }) => stays === undefined)).toEqual([]);
    expect(notes.filter((body) => !left.some(({ id }) => body.includes(`"id":"${id}"`)))).toEqual([]);
  });

  it("erases the messages of a deactivated user", async () => {
    const { chat, stores, erase } = await startWithMia();
    await chat.users.delete(uid);

    await erase(stores.filter(({ name }) => name === "platform messages"));

    const left = await chat.messages.list({ affix: "prepend" }).toArray({ limit: 100 });
    expect(left.filter(({ sender, category }) => sender === uid && category !== "action")).toEqual([]);
  });

  it.each(["leaves", "is banned"])("erases the messages of a group that the user %s", async (how) => {
    const { chat, stores, stored, erase } = await startWithMia();
    if (how === "leaves") await chat.members.remove("lobby", uid);
    else await chat.bannedUsers.ban("lobby", uid);

    expect([...(await erase()).failures]).toEqual([]);

    expect(stored().filter((body) => !body.includes('"category":"action"'))).toEqual([]);
    const left = [...(await collect(stores)).values()].flat();
    expect(left.filter(({ stays }) => stays === undefined)).toEqual([]);
  });

  it.each(["oldest", "newest"] as const)(
    "finds more than a page of messages if lists begin with the %s",
    async (begins) => {
      const { send, stores } = await startWithMia(begins);
      for (let count = 0; count < 120; count += 1) await send(`secret ${count}`);

      const messages = (await collect(stores)).get("platform messages") ?? [];
      expect(JSON.stringify(messages).match(/"secret \d+"/g)).toHaveLength(120);
    },
  );

  it("reports calls as staying, also those of a deleted user, and none of other users", async () => {
    const { data, stores, erase } = await startWithMia();
    for (const caller of [uid, "alice"]) putCall(data, callOf(caller));

    await erase();

    const calls = (await collect(stores)).get("platform calls") ?? [];
    expect(calls.map(({ id, content, stays }) => [id, Object(content).recordings, typeof stays])).toEqual([
      ["call of mia", [{ rid: "r1" }], "string"],
    ]);
  });

  it("reports flags as staying, also reviewed ones", async () => {
    const { chat, stores, erase } = await startWithMia();
    const message = { receiver: "lobby", receiverType: "group", type: "text", data: { text: "hi" } } as const;
    for (const remark of ["remark of mia", "reviewed remark of mia"]) {
      const { id } = await chat.messages.send(message, { onBehalfOf: "alice" });
      await chat.flaggedMessages.flag(id, { reasonId: "spam", remark }, { onBehalfOf: uid });
      if (remark.startsWith("reviewed")) await chat.flaggedMessages.review(id, { status: "approved" });
    }

    // The emulation deletes them with the user, which is not documented.
    await erase(stores.slice(0, -1));

    const flags = (await collect(stores)).get("platform flags") ?? [];
    expect(flags.map(({ content, stays }) => [Object(content).remark, typeof stays])).toEqual([
      ["remark of mia", "string"],
      ["reviewed remark of mia", "string"],
    ]);
  });

  it("reports moderation records as staying, without their texts", async () => {
    const { chat, stores, erase } = await startWithMia();
    const conditions = [{ category: "word", value: ["secret"] }];
    await chat.moderationRules.create({ id: "r", name: "R", conditions });
    const send = async (onBehalfOf: string, receiver: string) => {
      const message = { receiver, receiverType: "user", type: "text", data: { text: "secret" } } as const;
      return (await chat.messages.send(message, { onBehalfOf })).id;
    };
    const blocked = await send(uid, "alice");
    const reviewed = await send("alice", uid);
    await send("alice", "bob");
    await chat.blockedMessages.review(reviewed, { status: "rejected", reviewed: true });

    const before = (await collect(stores)).get("platform moderation") ?? [];
    expect(before.map(({ content }) => JSON.stringify(content).includes("secret"))).toEqual([true, false]);

    await erase();

    const records = (await collect(stores)).get("platform moderation") ?? [];
    expect(records.map(({ id, stays }) => [id, typeof stays])).toEqual([
      [blocked, "string"],
      [reviewed, "string"],
    ]);
    expect(JSON.stringify(records)).not.toContain("secret");
  });

  it("erases the content of removed messages before it deletes the user", async () => {
    const { stores, stored, erase } = await startWithMia();

    await erase(stores.slice(0, -1));

    expect(stored().filter((body) => !body.includes('"category":"action"'))).toEqual([]);
  });

  it("erases nothing if the platform also lists other users' messages", async () => {
    const { chat, stores, stored, erase, ignoreFilter } = await startWithMia();
    const message = {
      receiver: "lobby",
      receiverType: "group",
      type: "text",
      data: { text: "secret" },
    } as const;
    const { id } = await chat.messages.send(message, { onBehalfOf: "alice" });
    ignoreFilter();
    const messages = () => stored().filter((body) => !body.includes('"category":"action"'));
    const before = messages();

    const { failures } = await erase();

    const error = `The platform lists the message ${id} of another sender among the messages of mia`;
    expect([...failures]).toMatchObject([["platform messages", { message: expect.stringContaining(error) }]]);
    expect(messages()).toEqual(before);
    expect(await chat.users.get(uid)).toMatchObject({ uid });
    await expect(collect(stores)).rejects.toThrow("of another sender");
  });

  it.each([
    ["/moderation/", "skips a feature that the plan lacks", undefined],
    ["/v3/", "fails if all requests are refused", "ERR_FEATURE_NOT_ACCESSIBLE"],
  ])("with %s refused, %s", async (part, _, code) => {
    const { fetch, keys } = createMemoryPlatform();
    const error = { code: "ERR_FEATURE_NOT_ACCESSIBLE", message: "no" };
    const chat = composeChatClient(
      {
        appId: "local-app",
        apiKey: keys.fullAccessKey,
        fetch: async (input, init) =>
          new Request(input, init).url.includes(part)
            ? Response.json({ error }, { status: 403 })
            : fetch(input, init),
      },
      allFamilies,
    );
    const stores = platformStores(
      { appId: "local-app", uid: "alice", mentions: createMentions("alice") },
      chat,
    );

    const refusal: unknown = await collect(stores).then(
      () => undefined,
      (thrown: unknown) => Reflect.get(Object(thrown), "code"),
    );

    expect(refusal).toBe(code);
  });
});

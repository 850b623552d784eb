import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod/mini";
import type { ChatClientBase } from "../../../lib/chat/compose.ts";
import { groups } from "../../../lib/chat/resources/groups.ts";
import { bannedUsers, members } from "../../../lib/chat/resources/members.ts";
import { messages, reactions } from "../../../lib/chat/resources/messages.ts";
import { blockedMessages, flaggedMessages } from "../../../lib/chat/resources/moderated-messages.ts";
import { blockedUsers, users } from "../../../lib/chat/resources/users.ts";
import { classifyFailure } from "../../../lib/effects/classify-failure.ts";
import type { Effect } from "../../../lib/effects/effect.ts";
import { addMembers, banMember, changeScope, kickMember, unbanMember } from "../../../lib/effects/members.ts";
import {
  addReaction,
  deleteMessage,
  editMessage,
  pinMessage,
  removeReaction,
  tagMessage,
  unpinMessage,
} from "../../../lib/effects/messages/changing.ts";
import { replyInThread, sendMessage } from "../../../lib/effects/messages/send-message.ts";
import { flagMessage, reviewBlockedMessage, reviewFlaggedMessage } from "../../../lib/effects/moderation.ts";
import { blockUsers, createGroup, createUser, unblockUsers } from "../../../lib/effects/users-and-groups.ts";
import { createPlatform, type Platform } from "../../../local/platform/create-platform.ts";
import { createMakersWorld, type Fate, fates, noes } from "./makers-world.ts";

let platform: Platform;
beforeAll(async () => {
  platform = await createPlatform();
});
afterAll(() => platform.close());

type World = ReturnType<typeof createMakersWorld>;
let chat: World["chat"];
let effectsOf: World["effectsOf"];
let attemptAll: World["attemptAll"];
let events: World["events"];
let time: World["time"];
beforeEach(() => {
  ({ chat, effectsOf, attemptAll, events, time } = createMakersWorld(platform));
});

type Chat = ChatClientBase;
const guid = "lobby";
const toBob = { onBehalfOf: "alice", receiver: "bob", receiverType: "user" } as const;

interface Maker {
  /** Returns the ID of the message. Default: none. */
  readonly prepare?: (chat: Chat) => Promise<string>;
  readonly effect: (messageId: string) => Effect<object>;
  /** Returns the effect's result. */
  readonly see: (chat: Chat, messageId: string) => Promise<unknown>;
  readonly is: unknown;
  /** The platform's event for it, exactly one; undefined if a repetition may report it again. */
  readonly tells?: string;
  /** The handler's result, whatever the platform's second answer. Default: anything. */
  readonly gives?: object;
}

const say = async (chat: Chat) =>
  (await chat.call(messages.send, { ...receiverOf(toBob), data: { text: "hi" } }, { onBehalfOf: "alice" }))
    .id;
const nothing = async () => "1";
const banBob = banMember({ guid, uid: "bob" });
const flag = flagMessage({ messageId: "1", reasonId: "spam", onBehalfOf: "bob" });
const read = async (chat: Chat, id: string) => chat.call(messages.get, id);
const memberUids = async (chat: Chat) =>
  (await chat.call(members.list, guid).page()).items.map(({ uid, scope }) => `${uid} ${scope}`).toSorted();
const bannedUids = async (chat: Chat) =>
  (await chat.call(bannedUsers.list, guid).page()).items.map(({ uid }) => uid);

const makers: Record<string, Maker> = {
  sendMessage: {
    effect: () =>
      sendMessage({
        ...toBob,
        category: "custom",
        type: "ticket",
        data: { customData: { ticket: 7 }, metadata: { about: "x" } },
        tags: ["ticket"],
      }),
    see: async (chat) => {
      const { items } = await chat.call(messages.list, { tags: ["ticket"], withTags: true }).page();
      return items.map(({ type, sender, data }) => [type, sender, data?.customData, data?.metadata?.about]);
    },
    is: [["ticket", "alice", { ticket: 7 }, "x"]],
    tells: "message_sent",
  },
  replyInThread: {
    prepare: say,
    effect: (parentId) => replyInThread({ ...toBob, parentId, type: "text", data: { text: "a reply" } }),
    see: async (chat, id) => [
      (await read(chat, id)).replyCount,
      (await read(chat, id)).lastReply?.data?.text,
    ],
    is: [1, "a reply"],
  },
  addReaction: {
    prepare: say,
    effect: (messageId) => addReaction({ messageId, reaction: "👀", onBehalfOf: "bob" }),
    see: async (chat, id) =>
      (await chat.call(reactions.list, id).page()).items.map(({ uid, reaction }) => [uid, reaction]),
    is: [["bob", "👀"]],
    tells: "message_reaction_added",
  },
  removeReaction: {
    prepare: async (chat) => {
      const id = await say(chat);
      await chat.call(reactions.add, id, "👀", { onBehalfOf: "bob" });
      return id;
    },
    effect: (messageId) => removeReaction({ messageId, reaction: "👀", onBehalfOf: "bob" }),
    see: async (chat, id) => (await chat.call(reactions.list, id).page()).items,
    is: [],
    tells: "message_reaction_removed",
  },
  editMessage: {
    prepare: say,
    effect: (messageId) => editMessage({ messageId, text: "something else" }),
    see: async (chat, id) => (await read(chat, id)).data?.text,
    is: "something else",
  },
  tagMessage: {
    prepare: async (chat) => {
      const input = { ...receiverOf(toBob), data: { text: "hi" }, tags: ["kept", "old"] };
      return (await chat.call(messages.send, input, { onBehalfOf: "alice" })).id;
    },
    effect: (messageId) => tagMessage({ messageId, add: ["refund", "kept"], remove: ["old", "none"] }),
    see: async (chat, id) => {
      const { items } = await chat.call(messages.list, { tags: ["kept"], withTags: true }).page();
      return items.map((item) => [item.id === id, item.tags, item.data?.text]);
    },
    is: [[true, ["kept", "refund"], "hi"]],
  },
  deleteMessage: {
    prepare: say,
    effect: (messageId) => deleteMessage({ messageId }),
    see: async (chat, id) => (await read(chat, id)).deletedBy,
    is: "app_system",
    tells: "message_deleted",
  },
  "deleteMessage, for good": {
    prepare: say,
    effect: (messageId) => deleteMessage({ messageId, permanent: true }),
    see: async (chat, id) => read(chat, id).catch((error) => error.code),
    is: "ERR_MESSAGE_ID_NOT_FOUND",
    tells: "message_deleted",
  },
  pinMessage: {
    prepare: say,
    effect: (messageId) => pinMessage({ messageId, onBehalfOf: "bob" }),
    see: async (chat, id) => (await read(chat, id)).pinnedBy,
    is: "bob",
    tells: "message_pinned",
  },
  unpinMessage: {
    prepare: async (chat) => {
      const id = await say(chat);
      await chat.call(messages.pin, id);
      return id;
    },
    effect: (messageId) => unpinMessage({ messageId }),
    see: async (chat, id) => (await read(chat, id)).pinnedBy,
    is: undefined,
    tells: "message_unpinned",
  },
  flagMessage: {
    prepare: say,
    effect: (messageId) =>
      flagMessage({ messageId, reasonId: "spam", remark: "an advert", onBehalfOf: "bob" }),
    see: async (chat) =>
      (await chat.call(flaggedMessages.list).page()).items.map(({ flaggedCount }) => flaggedCount),
    is: [1],
  },
  reviewFlaggedMessage: {
    prepare: async (chat) => {
      const id = await say(chat);
      await chat.call(flaggedMessages.flag, id, { reasonId: "spam" }, { onBehalfOf: "bob" });
      return id;
    },
    effect: (messageId) => reviewFlaggedMessage({ messageId, status: "disapproved" }),
    see: async (chat) => [
      (await chat.call(flaggedMessages.list).page()).items,
      (await chat.call(flaggedMessages.listReviewed).page()).items.map(
        ({ message }) => message?.data?.moderation?.status,
      ),
    ],
    is: [[], ["disapproved"]],
  },
  reviewBlockedMessage: {
    prepare: async (chat) => {
      const word = { entity: "sender", operand: "text", operator: "contains", category: "word" };
      await chat.request({
        method: "POST",
        path: "/moderation/rules",
        body: {
          id: "words",
          name: "Words",
          enabled: true,
          conditions: [{ id: "c1", ...word, value: ["hi"] }],
          filters: [],
          action: ["blockMessage"],
        },
        answer: z.unknown(),
      });
      return say(chat);
    },
    effect: (messageId) => reviewBlockedMessage({ messageId, status: "approved" }),
    see: async (chat, id) => [
      (await chat.call(blockedMessages.list).page()).items,
      (await read(chat, id)).data?.moderation?.status,
    ],
    is: [[], "approved"],
    tells: "moderation_manual_approved",
    gives: { wasSo: false },
  },
  addMembers: {
    prepare: async (chat) => {
      await chat.call(users.create, { uid: "carol", name: "Carol" });
      return "1";
    },
    effect: () => addMembers({ guid, moderators: ["carol"] }),
    gives: { done: ["carol"], wasSo: [], refused: [] },
    see: memberUids,
    is: ["alice participant", "bob participant", "carol moderator", "support admin"],
    tells: "group_member_added",
  },
  kickMember: {
    effect: () => kickMember({ guid, uid: "bob" }),
    gives: { wasSo: false },
    see: memberUids,
    is: ["alice participant", "support admin"],
    tells: "group_member_kicked",
  },
  banMember: {
    effect: () => banMember({ guid, uid: "bob", onBehalfOf: "support" }),
    see: bannedUids,
    is: ["bob"],
    tells: "group_member_banned",
  },
  unbanMember: {
    prepare: async (chat) => {
      await chat.call(bannedUsers.ban, guid, "bob");
      return "1";
    },
    effect: () => unbanMember({ guid, uid: "bob" }),
    gives: { wasSo: false },
    see: bannedUids,
    is: [],
    tells: "group_member_unbanned",
  },
  changeScope: {
    effect: () => changeScope({ guid, uid: "bob", scope: "moderator" }),
    see: memberUids,
    is: ["alice participant", "bob moderator", "support admin"],
    tells: "group_member_scope_changed",
  },
  createUser: {
    effect: () => createUser({ uid: "Carol", name: "Carol", metadata: { plan: "gold" } }),
    see: async (chat) => (await chat.call(users.get, "carol")).name,
    is: "Carol",
  },
  createGroup: {
    effect: () => createGroup({ guid: "tickets", name: "Tickets", type: "private", owner: "support" }),
    see: async (chat) => (await chat.call(groups.get, "tickets")).type,
    is: "private",
  },
  blockUsers: {
    effect: () => blockUsers({ uid: "alice", blockedUids: ["bob"] }),
    see: async (chat) => (await chat.call(blockedUsers.list, "alice").page()).items.map(({ uid }) => uid),
    is: ["bob"],
  },
  unblockUsers: {
    prepare: async (chat) => {
      await chat.call(blockedUsers.block, "alice", { blockedUids: ["bob"] });
      return "1";
    },
    effect: () => unblockUsers({ uid: "alice", blockedUids: ["bob"] }),
    see: async (chat) => (await chat.call(blockedUsers.list, "alice").page()).items,
    is: [],
    tells: "user_unblocked",
  },
};

const cases = Object.keys(makers).flatMap((name) =>
  Object.keys(fates).map((fate) => [name, fate as Fate] as const),
);

it.each(cases)("the effect %s happens once, when %s", async (name, fate) => {
  const { prepare = nothing, effect, see, is, tells, gives = expect.anything() } = makers[name] as Maker;
  const messageId = await prepare(chat);
  events.length = 0;

  const result = await attemptAll(effect(messageId), fate);

  expect(result).toEqual(gives);
  expect(await see(chat, messageId)).toEqual(is);
  expect(await effectsOf("well").do("it", effect(messageId))).toEqual(result);
  expect(events.filter((trigger) => trigger === tells)).toHaveLength(tells === undefined ? 0 : 1);
});

describe("an effect after a 200 that does not confirm it", () => {
  it.each(Object.keys(makers))("is not done: %s", async (name) => {
    const { prepare = nothing, effect, see, is } = makers[name] as Maker;
    const messageId = await prepare(chat);

    const said: string[] = [];
    for (const body of noes) {
      const answer = async () => {
        said.push(body);
        return new Response(body, { status: 200 });
      };
      await expect(effectsOf(answer).do("it", effect(messageId)), body).rejects.toThrow(
        /200|No usable answer/,
      );
      time.nowMs += 61_000;
    }
    await effectsOf("well").do("it", effect(messageId));

    expect(await see(chat, messageId)).toEqual(is);
    expect(new Set(said)).toEqual(new Set(noes));
  });

  it.each(["ERR_GUID_NOT_FOUND", "ERR_GROUP_NO_CLEARANCE"])(
    "is final if the 200 is a permanent refusal, as with a 4xx: %s",
    async (code) => {
      const refused = await effectsOf(async () => Response.json({ error: { code, message: "No." } }))
        .do("it", banBob)
        .catch(classifyFailure);

      expect(refused).toMatchObject({ kind: "permanent", cause: expect.stringContaining(code) });
    },
  );

  it("is not done for items that the answer refuses or omits", async () => {
    const block = blockUsers({ uid: "alice", blockedUids: ["bob", "support"] });
    const answered = (data: object) => effectsOf(async () => Response.json({ data }));
    const error = { code: "ERR_UID_NOT_FOUND" };

    const refused = await answered({ bob: { error }, support: { success: false, error } }).do(
      "refused",
      block,
    );
    const left = answered({ bob: { success: true } }).do("left out", block);

    expect(refused).toEqual({
      done: [],
      wasSo: [],
      refused: [
        { id: "bob", code: "ERR_UID_NOT_FOUND" },
        { id: "support", code: "ERR_UID_NOT_FOUND" },
      ],
    });
    await expect(left).rejects.toThrow(/UNEXPECTED_SHAPE/);
    expect((await chat.call(blockedUsers.list, "alice").page()).items).toEqual([]);
  });

  it("counts as done if the answer is no refusal and nothing can be read back", async () => {
    const messageId = await say(chat);
    const effects = effectsOf(async () => Response.json({ data: { outcome: "ok" } }));

    expect(await effects.do("pin", pinMessage({ messageId }))).toEqual({ wasSo: false });
    expect(await effects.do("bot", groups.update, guid, { name: "Desk" })).toEqual({ outcome: "ok" });
    await expect(effects.do("ban", banBob)).rejects.toThrow(/UNEXPECTED_SHAPE/);
  });

  it.each([
    { data: { bob: { success: false } } },
    { data: { bob: { error: { code: "ERR_UID_NOT_FOUND" } } } },
    { data: [{ success: false }] },
    { data: { success: "false" } },
    { success: 0 },
  ])("is not done by an answer that refuses an item, or refuses by a text or number: %j", async (body) => {
    const effects = effectsOf(async () => Response.json(body));

    await expect(effects.do("bot", groups.update, guid, { name: "Desk" })).rejects.toThrow(
      /200|UNEXPECTED_SHAPE/,
    );
    await expect(effects.do("ban", bannedUsers.ban, guid, "bob")).rejects.toThrow(/200|UNEXPECTED_SHAPE/);
    await expect(effects.do("flag", flag)).rejects.toThrow(/200|UNEXPECTED_SHAPE/);
  });

  it("is not done by an acknowledgement that refuses one item", async () => {
    const effects = effectsOf(async () =>
      Response.json({ data: { success: true, bob: { success: false } } }),
    );

    await expect(effects.do("ban", banBob)).rejects.toThrow(/UNEXPECTED_SHAPE/);
  });

  it("is not refused by the content that a user wrote into the message that the answer shows", async () => {
    const shown = { id: "1", data: { success: false, error: "No." }, metadata: { success: false } };

    expect(await effectsOf(async () => Response.json({ data: shown })).do("flag", flag)).toEqual({
      wasSo: false,
    });
  });

  it("counts as done if a lookup confirms it after a text", async () => {
    const effects = effectsOf(async (request) => {
      await fetch(request);
      return new Response("OK", { status: 200 });
    });

    expect(await effects.do("ban", banBob)).toEqual({ wasSo: false });
  });
});

describe("an unknown refusal of a repetition", () => {
  const refused = async () => Response.json({ error: { code: "ERR_SOMETHING_NEW" } }, { status: 400 });
  const readable = ["addReaction", "removeReaction", "deleteMessage", "deleteMessage, for good"];
  const ofUsers = ["addMembers", "kickMember", "banMember", "unbanMember", "changeScope", "blockUsers"];
  const readableToo = [...ofUsers, "unblockUsers"];

  const attemptTwice = async (name: string, first: Fate) => {
    const { prepare = nothing, effect } = makers[name] as Maker;
    const made = effect(await prepare(chat));
    await expect(effectsOf(first).do("it", made)).rejects.toThrow();
    time.nowMs += 31_000;
    return effectsOf(refused).do("it", made);
  };

  it.each([...readable, ...readableToo])("counts as done if it can be read that it is: %s", async (name) => {
    const { gives = { wasSo: false } } = makers[name] as Maker;
    const blocked = { done: ["bob"], wasSo: [], refused: [] };

    const result = await attemptTwice(name, "each answer is lost");

    expect(result).toEqual(name.endsWith("lockUsers") ? blocked : gives);
  });

  it.each([...readable, ...readableToo])("is no success if it was not carried out: %s", async (name) => {
    const again = attemptTwice(name, "nothing is carried out, and no answer comes");

    await expect(again).rejects.toThrow(/ERR_SOMETHING_NEW/);
  });

  it("is not looked up after the first attempt", async () => {
    await effectsOf("well").do("another", banBob);

    await expect(effectsOf(refused).do("it", banBob)).rejects.toThrow(/ERR_SOMETHING_NEW/);
  });
});

describe("a change that was made before", () => {
  it.each(["removeReaction", "unpinMessage", "unbanMember", "changeScope", "kickMember", "banMember"])(
    "counts as done, not as an error: %s",
    async (name) => {
      const { prepare = nothing, effect } = makers[name] as Maker;
      const messageId = await prepare(chat);
      await effectsOf("well").do("somebody else", effect(messageId));

      const result = await effectsOf("well").do("it", effect(messageId));

      expect(result).toHaveProperty("wasSo");
    },
  );

  it("is reported of each member, beside the added and the refused members", async () => {
    await chat.call(users.create, { uid: "carol", name: "Carol" });

    const outcomes = await effectsOf("well").do(
      "it",
      addMembers({ guid, participants: ["carol", "bob", "nobody"] }),
    );

    expect(outcomes).toEqual({
      done: ["carol"],
      wasSo: ["bob"],
      refused: [{ id: "nobody", code: "ERR_UID_NOT_FOUND" }],
    });
  });

  it("refuses the ID of an existing user or group, also after an attempt that created nothing", async () => {
    const bob = createUser({ uid: "bob", name: "Another Bob" });
    const lobby = createGroup({ guid, name: "Another lobby", type: "public" });

    await expect(effectsOf("well").do("user", bob)).rejects.toThrow(/ERR_UID_ALREADY_EXISTS/);
    await expect(effectsOf("well").do("group", lobby)).rejects.toThrow(/ERR_GUID_ALREADY_EXISTS/);
    const lost = "nothing is carried out, and no answer comes";
    await expect(effectsOf(lost).do("user", bob)).rejects.toThrow(/No usable answer/);
    time.nowMs += 61_000;

    await expect(effectsOf("well").do("user", bob)).rejects.toThrow(/ERR_UID_ALREADY_EXISTS/);
  });

  it("recognizes its own group although the platform lowercases the given IDs", async () => {
    const group = createGroup({ guid: "Desk", name: "Desk", type: "public", owner: "Alice" });
    const made = await attemptAll(group, "each answer is lost");

    expect(made).toEqual({ id: "desk", wasThere: false });
  });

  it("accepts an existing group if the effect may use it", async () => {
    const lobby = createGroup({ guid: "Lobby", name: "Another", type: "public" }, { ifThere: "take" });

    expect(await effectsOf("well").do("it", lobby)).toEqual({ id: "lobby", wasThere: true });
  });

  it("does not include the review of a message that was never flagged", async () => {
    const messageId = await say(chat);

    const review = effectsOf("well").do("it", reviewFlaggedMessage({ messageId, status: "approved" }));

    await expect(review).rejects.toThrow(/ERR_MESSAGE_ID_NOT_FOUND/);
  });
});

describe("editMessage", () => {
  it.each(["merge", "replace"] as const)(
    "keeps the metadata of a message if an edit is to %s its data",
    async (messageChanges) => {
      platform.switches.messageChanges = messageChanges;
      onTestFinished(() => {
        platform.switches.messageChanges = "merge";
      });
      const data = { text: "hi", metadata: { order: 7 } };
      const { id: messageId } = await chat.call(
        messages.send,
        { ...receiverOf(toBob), data },
        { onBehalfOf: "alice" },
      );

      await effectsOf("well").do("text", editMessage({ messageId, text: "***" }));
      const kept = (await read(chat, messageId)).data;
      await effectsOf("well").do("all", editMessage({ messageId, text: "***", metadata: { seen: true } }));
      const replaced = (await read(chat, messageId)).data;

      expect(kept).toMatchObject({ text: "***", metadata: { order: 7 } });
      expect(replaced?.metadata).toEqual({ seen: true });
    },
  );

  it("edits nothing if text and metadata are as requested, whatever extensions added", async () => {
    const messageId = await say(chat);
    const order = { id: 7, items: ["a"] };
    const metadata = { "@injected": { extensions: {} }, order };
    await chat.call(messages.update, messageId, { data: { text: "***", metadata } });
    events.length = 0;
    const edit = (name: string, more: object) =>
      effectsOf("well").do(name, editMessage({ messageId, text: "***", metadata: { order, ...more } }));

    await edit("again", { order: { items: ["a"], id: 7 } });
    const eventsOfAgain = [...events];
    await edit("other", { seen: true });

    expect(eventsOfAgain).toEqual([]);
    expect((await read(chat, messageId)).data?.metadata).toMatchObject({ order, seen: true });
  });

  it("does not treat a matching text as proof that the metadata was written", async () => {
    const messageId = await say(chat);
    const refuse = async () => Response.json({ data: { outcome: "ok" } });

    const edited = effectsOf(refuse).do(
      "it",
      editMessage({ messageId, text: "hi", metadata: { seen: true } }),
    );

    await expect(edited).rejects.toThrow();
  });
});

describe("tagMessage", () => {
  it("edits nothing if text or tags are as requested, so that a trigger on edits does not loop", async () => {
    const messageId = await say(chat);
    const edit = async (name: string) => {
      await effectsOf("well").do(`${name} text`, editMessage({ messageId, text: "***" }));
      await effectsOf("well").do(`${name} tags`, tagMessage({ messageId, add: ["refund"] }));
    };
    await edit("first");
    events.length = 0;

    await edit("again");

    expect(events).toEqual([]);
  });

  it("tags a message even if the list begins with the one before it, as a cursor may be inclusive", async () => {
    await say(chat);
    const messageId = await say(chat);
    const inclusive = (request: Request) => {
      const url = new URL(request.url);
      const id = url.searchParams.get("id");
      if (id !== null) url.searchParams.set("id", String(Number(id) - 1));
      return fetch(new Request(url, request));
    };

    const tagged = effectsOf("well", inclusive).do("it", tagMessage({ messageId, add: ["refund"] }));

    expect(await tagged).toEqual({ tags: ["refund"] });
  });

  it("is retried for a message that the list does not show yet", async () => {
    const messageId = await say(chat);
    const late = async (request: Request) =>
      new URL(request.url).pathname.endsWith("/messages")
        ? Response.json({ data: [], meta: {} })
        : fetch(request);
    const tagging = tagMessage({ messageId, add: ["refund"] });

    const error = await effectsOf("well", late)
      .do("it", tagging)
      .catch((thrown: unknown) => thrown);

    expect(classifyFailure(error)).toMatchObject({
      kind: "ours",
      cause: expect.stringMatching(/not.*listed/),
    });
    expect(await effectsOf("well").do("it", tagging)).toEqual({ tags: ["refund"] });
  });

  it("refuses a missing message and an invalid message ID", async () => {
    const tag = (messageId: string) => effectsOf("well").do(messageId, tagMessage({ messageId, add: ["x"] }));

    await expect(tag("99999")).rejects.toThrow(/ERR_MESSAGE_ID_NOT_FOUND/);
    await expect(tag("one")).rejects.toThrow(/a whole number as text/);
  });
});

function receiverOf({ receiver, receiverType }: typeof toBob) {
  return { receiver, receiverType };
}

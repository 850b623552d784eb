import { describe, expect, expectTypeOf, it } from "vitest";
import { InvalidPatternError } from "../../../../lib/base/compile-pattern.ts";
import type { AppEvent } from "../../../../lib/events/app-event.ts";
import { textPattern } from "../../../../lib/events/conditions/text-pattern.ts";
import {
  type ConditionName,
  type Conditions,
  checkConditions,
  type Where,
  whyNot,
  whyNotFor,
} from "../../../../lib/events/conditions/where.ts";
import { derivedEvents } from "../../../../local/testing/events/derived-events.ts";
import { events } from "../../../../local/testing/events/events.ts";
import { eventOf } from "../../../helpers/events/event-of.ts";

/** A message with the given fields, without those given as undefined. */
function sent(facts: Parameters<typeof events.messageSent>[0] = {}, moderation?: string): AppEvent {
  const body = events.messageSent(facts);
  const { message } = body.data as { message: { data: object } };
  Object.assign(message.data, moderation !== undefined && { moderation: { status: moderation } });
  return eventOf(body);
}

describe("whyNot", () => {
  const inGroup = sent({
    guid: "support-eu",
    id: "7",
    parentId: "3",
    tags: ["vip", "de"],
    text: "My Refund?",
  });
  const toBela = sent({ sender: "ann", receiver: "bela", type: "image" });

  it.each<[string, AppEvent, Conditions, ConditionName | undefined]>([
    ["no conditions on a person's message", toBela, {}, undefined],
    ["conditions of undefined", toBela, { sender: undefined, group: undefined }, undefined],

    ["a user as receiver", toBela, { receiverType: "user" }, undefined],
    ["a group instead of a user", inGroup, { receiverType: "user" }, "receiverType"],
    ["the receiver in capitals", toBela, { receiver: "Bela" }, undefined],
    ["another receiver", toBela, { receiver: ["ann", "carl"] }, "receiver"],
    ["a group by its pattern", inGroup, { group: "support-*" }, undefined],
    ["one of several groups", inGroup, { group: ["lobby", "*-EU"] }, undefined],
    ["another group", inGroup, { group: "support" }, "group"],
    ["any group but this", inGroup, { group: { not: "support-*" } }, "group"],
    ["any group but another", inGroup, { group: { not: "lobby" } }, undefined],
    ["a group for a message to a user", toBela, { group: "*" }, "group"],
    ["any group but one, for a message to a user", toBela, { group: { not: "lobby" } }, "group"],
    ["the conversation", inGroup, { conversation: "group_Support-EU" }, undefined],
    ["another conversation", toBela, { conversation: "group_bela" }, "conversation"],

    ["another message", inGroup, { messageId: { not: "7" } }, "messageId"],
    ["an answer in the thread", inGroup, { parentId: "3" }, undefined],
    ["an answer in another thread", inGroup, { parentId: "4" }, "parentId"],
    ["an answer in no thread", toBela, { parentId: "3" }, "parentId"],

    ["the sender", toBela, { sender: "ANN" }, undefined],
    ["another sender", toBela, { sender: "bela" }, "sender"],
    ["any sender but this", toBela, { sender: { not: ["carl", "Ann"] } }, "sender"],
    ["any sender but another", toBela, { sender: { not: "carl" } }, undefined],

    ["the category", toBela, { category: "message" }, undefined],
    ["another category", toBela, { category: "custom" }, "category"],
    ["the type", toBela, { type: ["image", "video"] }, undefined],
    ["another type", toBela, { type: "Image" }, "type"],

    ["a word of the text in any case", inGroup, { text: { words: ["price", "refund"] } }, undefined],
    ["a part of a word", inGroup, { text: { words: ["fund"] } }, "text"],
    ["an empty list of words", inGroup, { text: { words: [] } }, "text"],
    ["a pattern in any case", inGroup, { text: textPattern("re[fv]und\\?$") }, undefined],
    ["another pattern", inGroup, { text: textPattern("^refund") }, "text"],
    ["compatible characters", sent({ text: "ｒｅｆｕｎｄ" }), { text: textPattern("refund") }, undefined],
    ["compatible words", sent({ text: "ｒｅｆｕｎｄ" }), { text: { words: ["refund"] } }, undefined],

    ["one of the tags", inGroup, { tags: ["fr", "de"] }, undefined],
    ["a tag in another case", inGroup, { tags: "VIP" }, "tags"],
    ["none of the tags", inGroup, { tags: { not: ["fr", "de"] } }, "tags"],
    ["no such tag", inGroup, { tags: { not: "fr" } }, undefined],
    ["a tag for a message without tags", toBela, { tags: "fr" }, "tags"],

    ["a state of moderation", sent({}, "pending"), { moderation: "pending" }, undefined],
    ["another state", sent({}, "pending"), { moderation: { not: ["pending", "disapproved"] } }, "moderation"],
    ["no state", toBela, { moderation: { not: ["pending", "disapproved"] } }, undefined],
    ["no state, asked for", toBela, { moderation: ["none", "approved"] }, undefined],
    ["a state for a message without one", toBela, { moderation: "approved" }, "moderation"],

    ["an unknown condition", toBela, { sendr: "ann" } as Conditions, "sendr" as ConditionName],
    ["an unknown condition of undefined", toBela, { sendr: undefined } as Conditions, undefined],
  ])("returns the unmet condition for %s: %#", (_case, event, where, expected) => {
    expect(whyNot(event, where)).toBe(expected);
  });

  it("returns the first unmet condition, and checks the text last", () => {
    const all: Conditions = { text: { words: ["x"] }, tags: "x", sender: "x", receiver: "x" };

    expect(whyNot(toBela, all)).toBe("receiver");
    expect(whyNot(toBela, { ...all, receiver: "bela" })).toBe("sender");
    expect(whyNot(toBela, { ...all, receiver: "bela", sender: "ann" })).toBe("tags");
    expect(whyNot(toBela, { text: all.text })).toBe("text");
  });

  it("accepts plain data that was stored as JSON", () => {
    const where: Where<"message_sent"> = {
      group: { not: ["a-*"] },
      text: textPattern("refund"),
      tags: ["vip"],
    };

    expect(whyNot(inGroup, JSON.parse(JSON.stringify(where)))).toBe(undefined);
  });

  const byAgent = sent({
    content: { text: "Hello", entities: { sender: { entity: { uid: "ann", role: "@agentic" } } } },
  });

  describe("skips events that no person caused, unless they are requested:", () => {
    it.each([
      ["the platform's own user", sent({ sender: "app_system" })],
      ["an action", sent({ category: "action", type: "groupMember" })],
      ["a call", sent({ category: "call" })],
      ["an interactive message", sent({ category: "interactive" })],
      ["an agentic message", sent({ category: "agentic" })],
      ["an ordinary message of an AI agent", byAgent],
      [
        "a reaction of an AI agent",
        eventOf({
          ...events.messageReactionAdded(),
          data: {
            reaction: { id: "1", messageId: "2", reaction: "x", reactedBy: { uid: "a", role: "@agentic" } },
          },
        }),
      ],
      ["a call that could not be judged", eventOf(events.moderationEngineFailed({ category: "call" }))],
    ])("%s", (_case, event) => {
      expect([{}, { from: "people" } as const].map((where) => whyNot(event, where))).toEqual([
        "from",
        "from",
      ]);
      expect(whyNot(event, { from: "anybody" })).toBe(undefined);
    });

    it("a requested category includes every sender but the platform's own user", () => {
      expect(whyNot(sent({ category: "action" }), { category: "action" })).toBe(undefined);
      expect(whyNot(sent({ category: "action", sender: "app_system" }), { category: "action" })).toBe("from");
    });

    it("an AI agent's messages require a condition that names their category", () => {
      for (const event of [sent({ category: "agentic" }), byAgent]) {
        expect(whyNot(event, { category: { not: "action" } })).toBe("from");
      }
      expect(whyNot(byAgent, { category: "message" })).toBe("from");
      expect(whyNot(sent({ category: "agentic" }), { category: ["message", "agentic"] })).toBe(undefined);
    });

    it.each(["message", "custom"])("does not skip a message of the category %s", (category) => {
      expect(whyNot(sent({ category }), {})).toBe(undefined);
    });
  });

  const edited = (["live", "documented"] as const).map((form) =>
    eventOf(events.messageEdited({ sender: "ann", by: "mod", text: "new", guid: "g", form })),
  );
  const deleted = eventOf(events.messageDeleted({ id: "5", guid: "g", form: "documented" }));
  const pinned = (conversationId: string, more: object = {}) =>
    eventOf({ ...events.messagePinned(), data: { message: { id: "1", conversationId, ...more } } });
  const blocked = eventOf(events.moderationEngineBlocked({ sender: "ann", text: "bad", guid: "g" }));
  const failed = eventOf(events.moderationEngineFailed({ sender: "ann", guid: "g", id: "9" }));
  const reacted = eventOf(events.messageReactionAdded({ messageId: "5", reaction: "❤️", uid: "ann" }));
  const rejected = eventOf(events.callRejected({ caller: "ann", callee: "bela" }));
  const missed = derivedEvents.callMissed({ caller: "ann", callee: "bela", type: "video" });
  const missedByGroup = derivedEvents.callMissed({ callee: "team-1", calleeType: "group" });
  const joined = eventOf(events.groupMemberJoined({ guid: "support-1", uids: ["ann"] }));
  const unknown = eventOf({ trigger: "new_thing", data: {} });

  it.each<[string, AppEvent, Conditions, ConditionName | undefined]>([
    ...edited.flatMap((event): [string, AppEvent, Conditions, ConditionName | undefined][] => [
      ["the new form", event, { sender: "ann", text: { words: ["new"] }, group: "g" }, undefined],
      ["the author, not the editor", event, { sender: "mod" }, "sender"],
    ]),
    ["the remaining fields of a deleted message", deleted, { messageId: "5", group: "g" }, undefined],
    ["a missing field", deleted, { sender: "ann" }, "sender"],
    ["a missing field, even for not", deleted, { sender: { not: "x" } }, "sender"],
    ["the text of a deleted message", deleted, { text: { words: ["Hello"] } }, "text"],
    ["the group of a conversation", pinned("group_lobby"), { group: "lobby" }, undefined],
    // A user's uid may be "group_a".
    ["no group of two users", pinned("group_a_user_bela"), { group: "*" }, "group"],
    ["no group of a user", pinned("group_a", { receiverType: "user" }), { group: "*" }, "group"],
    ["no group at all", pinned("ann_user_bela"), { group: "*" }, "group"],
    ["a judged message", blocked, { sender: "ann", group: "g", text: { words: ["bad"] } }, undefined],
    ["a message that could not be judged", failed, { sender: "ann", group: "g", messageId: "9" }, undefined],
    ["its category", failed, { category: "message" }, undefined],
    ["its conversation", failed, { conversation: "group_x" }, "conversation"],
    ["the reacting user and the emoji", reacted, { messageId: "5", reaction: "❤", sender: "ann" }, undefined],
    ["one of several emojis", reacted, { reaction: ["❤️", "👍"] }, undefined],
    ["another emoji", reacted, { reaction: "👍" }, "reaction"],
    ["another message's reaction", reacted, { messageId: "6" }, "messageId"],
    ["the platform's reaction", eventOf(events.messageReactionAdded({ uid: "app_system" })), {}, "from"],
    ["caller and callee", rejected, { sender: "ann", receiver: "bela", receiverType: "user" }, undefined],
    ["a missed call", missed, { sender: "ann", type: "video" }, undefined],
    ["a called user", missed, { group: "bela" }, "group"],
    ["a called group", missedByGroup, { group: "team-*" }, undefined],
    ["the group of a member event", joined, { group: "support-*" }, undefined],
    ["another group", joined, { group: "lobby" }, "group"],
    ["no condition on other events", eventOf(events.userBlocked()), {}, undefined],
    ["no condition on unknown events", unknown, {}, undefined],
    ["a field that other events do not have", eventOf(events.userBlocked()), { sender: "ann" }, "sender"],
  ])("checks %s: %#", (_case, event, where, expected) => {
    expect(whyNot(event, where)).toBe(expected);
  });
});

describe("whyNotFor", () => {
  const heard: unknown[] = [];
  const ownIf = (isOwn: boolean) => async (message: unknown) => {
    heard.push(message);
    return isOwn;
  };

  it("skips this system's own messages, whose marks it checks last", async () => {
    heard.length = 0;
    const event = sent({ sender: "ann" });

    expect(await whyNotFor(event, { sender: "bela" }, ownIf(true))).toBe("sender");
    expect(heard).toEqual([]);
    expect(await whyNotFor(event, {}, ownIf(true))).toBe("from");
    expect(heard).toEqual([expect.objectContaining({ sender: "ann" })]);
    expect(await whyNotFor(event, { from: "people" }, ownIf(false))).toBe(undefined);
  });

  it("does not check marks if anybody's messages are requested, or without a message", async () => {
    heard.length = 0;

    expect(await whyNotFor(sent(), { from: "anybody" }, ownIf(true))).toBe(undefined);
    expect(await whyNotFor(eventOf(events.userBlocked()), {}, ownIf(true))).toBe(undefined);
    expect(heard).toEqual([]);
  });

  it("checks a message that could not be judged", async () => {
    expect(await whyNotFor(eventOf(events.moderationEngineFailed()), {}, ownIf(true))).toBe("from");
  });

  it("throws if the author of a message cannot be determined", async () => {
    const failing = () => Promise.reject(new Error("no key"));

    await expect(whyNotFor(sent(), {}, failing)).rejects.toThrow("no key");
  });
});

describe("checkConditions", () => {
  it("accepts every existing condition", () => {
    const all: Required<Conditions> = {
      from: "people",
      sender: "a",
      receiver: "a",
      receiverType: "user",
      group: "a",
      conversation: "a",
      messageId: "a",
      parentId: "a",
      category: "a",
      type: "a",
      text: { words: ["a"] },
      tags: "a",
      moderation: "none",
      reaction: "a",
    };

    expect(() => checkConditions(all)).not.toThrow();
    expect(() => checkConditions({ ...all, text: textPattern("a") })).not.toThrow();
  });

  it("refuses an unknown condition, and lists the known ones", () => {
    expect(() => checkConditions({ sendr: "ann" } as Conditions)).toThrow(
      '"where" has no condition "sendr". It may have: receiverType, receiver, group,',
    );
  });

  it.each<Conditions>([
    { group: [] },
    { text: { words: [] } },
    { text: { words: ["refund", ""] } },
    { text: { words: [" "] } },
  ])("refuses a condition that nothing fits: %j", (where) => {
    expect(() => checkConditions(where)).toThrow("names nothing that an event could fit");
  });

  it("accepts a condition that excludes no sender", () => {
    expect(() => checkConditions({ sender: { not: [] } })).not.toThrow();
  });

  it("refuses an invalid pattern", () => {
    expect(() => checkConditions({ text: { pattern: "(" } })).toThrow(InvalidPatternError);
  });
});

it("Where has the conditions that all of the events can have", () => {
  type Content = "parentId" | "text" | "tags" | "moderation";
  type OfMessage = Content | "from" | "sender" | "receiver" | "receiverType" | "group" | "category" | "type";

  expectTypeOf<keyof Where<"message_sent">>().toEqualTypeOf<OfMessage | "conversation" | "messageId">();
  expectTypeOf<keyof Where<"message_deleted">>().toEqualTypeOf<keyof Where<"message_sent">>();
  expectTypeOf<keyof Where<"after_message">>().toEqualTypeOf<keyof Where<"message_sent">>();
  expectTypeOf<keyof Where<"moderation_engine_failed">>().toEqualTypeOf<
    Exclude<keyof Where<"message_sent">, Content>
  >();
  expectTypeOf<keyof Where<"message_sent" | "group_member_joined">>().toEqualTypeOf<"from" | "group">();
  expectTypeOf<keyof Where<"message_reaction_added">>().toEqualTypeOf<
    "from" | "sender" | "messageId" | "reaction"
  >();
  type OfCall = "from" | "sender" | "receiver" | "receiverType" | "group" | "type";
  expectTypeOf<keyof Where<"call_missed" | "call_initiated">>().toEqualTypeOf<OfCall>();
  expectTypeOf<keyof Where<"user_blocked">>().toEqualTypeOf<"from">();
  expectTypeOf<keyof Where<"*">>().toEqualTypeOf<"from">();
  expectTypeOf<keyof Where>().toEqualTypeOf<"from">();
  const where: Where<"message_sent"> = { group: "support-*" };
  expect(() => checkConditions(where)).not.toThrow();
});

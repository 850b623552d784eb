import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { identify, joinFields } from "../../../lib/events/identity.ts";
import { withField } from "../../helpers/events/change-field.ts";
import { runs } from "../../helpers/property-runs.ts";

/** A key whose identifying fields are missing. */
const digest = /^app\|\w+\|\|[0-9a-f]{32}$/;

function keyOf(body: unknown) {
  return identify(body)?.key;
}

function event(trigger: string, data: unknown, rest: Record<string, unknown> = {}) {
  return { trigger, data, appId: "app", region: "eu", webhook: "hook", ...rest };
}

describe("identify", () => {
  it("returns one key for two deliveries of a message, and another key for another message", () => {
    const first = event("message_sent", { message: { id: "1", sentAt: 10 } });
    const later = event("message_sent", { message: { id: "1", sentAt: 10, tags: ["late"] } });
    const other = event("message_sent", { message: { id: "2", sentAt: 10 } });
    const number = event("message_sent", { message: { id: 1 } });

    expect(keyOf(first)).toBe("app|message_sent|1");
    expect(keyOf(later)).toBe(keyOf(first));
    expect(keyOf(number)).toBe(keyOf(first));
    expect(keyOf(other)).not.toBe(keyOf(first));
  });

  it("finds no envelope with a trigger of more than 128 characters", () => {
    expect(keyOf(event("x".repeat(128), {}))).toBeDefined();
    expect(keyOf(event("x".repeat(129), {}))).toBeUndefined();
  });

  it.each([
    ["an unknown event", 500_000, '{"trigger":"novelty","data":DEEP}'],
    [
      "an edited message",
      50_000,
      '{"trigger":"message_edited","data":{"message":{"id":1,"data":{"metadata":{"a":DEEP}}}}}',
    ],
    ["a changed group", 50_000, '{"trigger":"group_updated","data":{"group":{"guid":"g","metadata":DEEP}}}'],
    ["an id", 50_000, '{"trigger":"message_sent","data":{"message":{"id":DEEP}}}'],
  ])("returns a key for %s with data nested %i deep", (_, depth, text) => {
    const deep = JSON.parse(text.replace("DEEP", "[".repeat(depth) + "]".repeat(depth)));

    expect(keyOf(deep)).toMatch(/[0-9a-f]{32}$/);
  });

  it("marks the key of a block as recurring, because a second real block looks the same", () => {
    const block = event("user_blocked", { by: { uid: "ann" }, users: { cem: {}, bob: {} } });
    const sameBlock = event("user_blocked", { users: { bob: {}, cem: {} }, by: { uid: "ann" } });

    const identity = identify(block);

    expect(identity).toMatchObject({ key: "app|user_blocked|ann|bob|cem", canRecur: true });
    expect(keyOf(sameBlock)).toBe(identity?.key);
  });

  it.each([
    ["user_blocked", ["users"], "app|user_blocked|ann|b.o|cem"],
    ["user_mentioned", ["message", "data", "mentions"], "app|user_mentioned|1|b.o|cem|"],
    ["group_member_kicked", ["members"], "app|group_member_kicked|hikers||ann|b.o|cem"],
    ["group_member_joined", ["members"], "app|group_member_joined|hikers||ann|b.o|cem"],
  ])("distinguishes the users of %s in a map, in a list and in a map by position", (trigger, path, key) => {
    const data = { by: { uid: "ann" }, message: { id: "1", data: {} }, group: { guid: "hikers" } };
    const keyWith = (people: unknown) => keyOf(event(trigger, withField(data, path, people)));
    const list = [{ uid: "cem" }, { uid: "b.o" }];

    expect([{ cem: {}, "b.o": { uid: "x" } }, list, { ...list }].map(keyWith)).toEqual([key, key, key]);
    expect(keyWith({ 42: { uid: 42 } })).toBe(keyWith({ 42: { name: "Cem" } }));
    expect(keyWith({ 42: { uid: 42 } })).not.toBe(keyWith([{ uid: "cem" }]));
    expect([[list[0], { name: "Bo" }], ["cem"], "cem"].map(keyWith)).toEqual(
      Array(3).fill(expect.stringMatching(digest)),
    );
  });

  it("reads the scopes of members in any form", () => {
    const keyWith = (members: unknown) =>
      keyOf(event("group_member_scope_changed", { group: { guid: "hikers" }, members }));
    const cem = { uid: "cem", oldScope: "participant", scope: "admin" };

    expect(keyWith([cem])).toBe("app|group_member_scope_changed|hikers|||cem|participant|admin");
    expect([keyWith({ cem }), keyWith({ 0: cem })]).toEqual([keyWith([cem]), keyWith([cem])]);
  });

  it("marks the keys of a group's changes as recurring, but not those of its creation and deletion", () => {
    const group = { guid: "hikers", createdAt: 5, updatedAt: 6 };
    const canRecur = (trigger: string, data: object) =>
      identify(event(trigger, { members: { ann: {} }, ...data }))?.canRecur;

    expect(canRecur("group_member_added", { group: { guid: "hikers" } })).toBe(true);
    expect(canRecur("group_member_kicked", { group })).toBe(true);
    expect(canRecur("group_updated", { group })).toBe(true);
    expect(canRecur("group_created", { group })).toBe(false);
    expect(canRecur("group_deleted", { group })).toBe(false);
    expect(canRecur("group_deleted", { group: { guid: "hikers" } })).toBe(true);
  });

  it.each([[[]], [[{ id: "1" }, {}]], [[7]]])("falls back to a digest for an e-mail of %j", (body) => {
    expect(identify({ to: "ann@example.com", body }, "app")?.key).toMatch(
      /^app\|email-extension\|\|[0-9a-f]{32}$/,
    );
  });

  it("falls back to a digest, which can recur, if a key field is missing or of a wrong type", () => {
    const keys = [undefined, null, "", {}, [], true].map((id) => {
      const identity = identify(event("message_sent", { message: { id, at: 1 } }));

      expect(identity?.key).toMatch(digest);
      expect(identity?.canRecur).toBe(true);
      return identity?.key;
    });

    // A null counts as missing.
    expect(new Set(keys).size).toBe(5);
  });

  it("returns one key per occurrence for any webhook, also if the key fields are missing", () => {
    for (const data of [{ message: { id: "1" } }, { message: {} }]) {
      const [first, second] = ["hook", "other"].map((webhook) => event("message_sent", data, { webhook }));

      expect(keyOf(first)).toBe(keyOf(second));
    }
  });

  it("returns one key for a deleted message in both of the event's forms", () => {
    const flat = { id: "1", category: "message", deletedAt: 7, data: {} };
    const inner = { entities: { on: { entity: { id: "1", deletedAt: 7 } } }, action: "deleted" };

    expect(keyOf(event("message_deleted", { message: flat }))).toBe("app|message_deleted|1|7");
    expect(keyOf(event("message_deleted", { message: { id: "2", category: "action", data: inner } }))).toBe(
      "app|message_deleted|1|7",
    );
  });

  it("keeps the texts of people out of keys", () => {
    const message = { id: "1", editedAt: 5, data: { text: "a secret", metadata: { note: "a secret" } } };
    const bodies = [
      event("message_edited", { message }),
      event("moderation_engine_blocked", { message }),
      event("message_sent", { message: { data: message.data } }),
      event("push-notification-payload-generated", {
        to: { uid: "ann" },
        notificationDetails: { tag: "1", sentAt: "5", body: "a secret" },
      }),
      event("sms-notification-payload-generated", {
        to: { uid: "ann" },
        messages: [{ sender: { uid: "bob" }, message: "a secret" }],
      }),
    ];

    for (const body of bodies) expect(keyOf(body)).not.toContain("secret");
  });

  it.each([
    ["webhook", event("message_read_receipt", { messageId: "1", body: {} })],
    ["webhook", event("message_read_receipt", "text")],
    ["legacy", event("message_read_receipt", { messageId: "1" })],
    ["legacy", event("message_read_receipt", { messageId: "1", receiptType: "read" })],
    ["bot", { trigger: "after_message", data: { id: "1" }, appId: "app", bot: "helper" }],
    ["notification", event("push-notification-payload-generated", {}, { webhook: "custom" })],
    ["extension", { to: "ann@example.com", body: [{ id: "1" }] }],
    ["webhook", event("conversation_pinned", { anything: 1 })],
    ["webhook", event("__proto__", {})],
  ])("recognises the family %s", (family, body) => {
    expect(identify(body)?.family).toBe(family);
  });

  it.each([
    [null],
    [[]],
    ["message_sent"],
    [{}],
    [{ trigger: 1, data: {} }],
    [{ trigger: "" }],
    [{ to: "a@b.c" }],
  ])("finds no envelope in %j", (body) => {
    expect(identify(body)).toBeUndefined();
  });

  it("uses the verified app if the body names none, and keeps an e-mail address out of the key", () => {
    const body = { to: "ann@example.com", body: [{ id: "1", conversationId: "ann_user_bob" }, { id: "2" }] };

    expect(identify(body, "app")).toEqual({
      family: "extension",
      trigger: "email-extension",
      key: "app|email-extension|1|2",
      lane: "app|ann_user_bob",
      canRecur: false,
    });
  });

  it("never throws, whatever JSON arrives", () => {
    const trigger = fc.constantFrom("message_sent", "user_blocked", "call_ended", "after_message", "x");
    const body = fc.oneof(fc.jsonValue(), fc.record({ trigger, data: fc.jsonValue(), bot: fc.jsonValue() }));

    fc.assert(
      fc.property(body, (value) => {
        const identity = identify(value);
        expect(identity === undefined || (identity.key !== "" && identity.lane !== "")).toBe(true);
      }),
      runs(500),
    );
  });
});

describe("joinFields", () => {
  it("never returns the same text for two different lists", () => {
    const list = fc.array(fc.string({ unit: fc.constantFrom("a", "|", "\\", "🏒"), maxLength: 4 }), {
      minLength: 1,
      maxLength: 4,
    });

    fc.assert(
      fc.property(list, list, (left, right) => {
        expect(joinFields(left) === joinFields(right)).toBe(JSON.stringify(left) === JSON.stringify(right));
      }),
      runs(1_000),
    );
  });
});

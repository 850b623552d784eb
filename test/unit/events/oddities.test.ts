import { describe, expect, it } from "vitest";
import { parseEvent } from "../../../lib/events/parse-event.ts";
import { events } from "../../../local/testing/events/events.ts";
import { withField } from "../../helpers/events/change-field.ts";

function oddities(body: unknown) {
  const result = parseEvent(body);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.oddities.map(({ path, found }) => `${path}: ${found}`);
}

const inMessage = (field: string) => ["data", "message", ...field.split(".")];

describe("parseEvent reports unexpected forms", () => {
  it.each([
    ["sentAt", "2026-11-20T12:00:00Z", "text"],
    ["sentAt", true, "true or false"],
    ["sentAt", "", "empty text"],
    ["parentId", "", "empty text"],
    ["parentId", 2 ** 53, "number"],
    ["parentId", "x".repeat(501), "text"],
    ["muid", {}, "object"],
    ["data", [], "list"],
    ["data", "text", "text"],
    ["data.metadata", [], "list"],
    ["data.text", false, "true or false"],
    ["data.attachments", [null], "list"],
    ["data.attachments", { 0: { url: "a" } }, "object"],
    ["data.entities", [], "list"],
    ["tags", "chess", "text"],
  ])("%s = %j", (field, value, kind) => {
    const body = withField(events.messageSent(), inMessage(field), value);

    expect(oddities(body)).toEqual([`data.message.${field}: ${kind}`]);
  });

  it.each([
    ["sentAt", "1795176000"],
    ["sentAt", null],
    ["muid", 7],
    ["muid", ""],
    ["data.attachments", []],
    ["data.attachments", [{ size: "350.2" }]],
    ["novelty", { deep: [null, ""] }],
  ])("except %s = %j, which is usual", (field, value) => {
    expect(oddities(withField(events.messageSent(), inMessage(field), value))).toEqual([]);
  });

  it("names no person and no place in a list", () => {
    const members = { "bela@example.org": { name: false } };
    const body = events.groupMemberAdded({}, { data: { members } });
    const sent = events.messageSent({ attachments: [{ url: "a" }, { url: true as never }] });

    expect(oddities(body)).toEqual(["data.members.*.name: true or false"]);
    expect(oddities(sent)).toEqual(["data.message.data.attachments.*.url: true or false"]);
  });

  it("stops after twenty", () => {
    const attachments = Array.from({ length: 50 }, () => ({ url: true as never }));

    expect(oddities(events.messageSent({ attachments }))).toHaveLength(20);
  });
});

describe("parseEvent reads unexpected forms by their meaning", () => {
  it("keeps the attachments beside one that is null", () => {
    const attachments = [null, { url: "a" }, 7, { url: "b" }];
    const body = withField(events.messageSent(), inMessage("data.attachments"), attachments);

    expect(parseEvent(body)).toMatchObject({
      event: {
        message: { data: { attachments: [{ url: "a" }, { url: "b" }] } },
        data: { message: { data: { attachments } } },
      },
    });
  });

  it.each([
    ["a list of users", [{ uid: "bela" }, { uid: "carla", name: 7 }], ["bela", "carla"]],
    ["an empty list", [], []],
    ["users that are null", { bela: null, carla: null }, ["bela", "carla"]],
    ["users that are texts", { bela: "Béla" }, ["bela"]],
    ["a list of users without uid", [{ name: "Béla" }], []],
  ])("reads the members from %s", (_, members, uids) => {
    const result = parseEvent(events.groupMemberAdded({}, { data: { members } }));

    expect(result).toMatchObject({ event: { members: uids.map((uid) => ({ uid })) } });
  });

  it("reads a receipt's action from the trigger's name", () => {
    const body = withField(events.messageReadReceipt(), ["data", "body", "action"], "");

    expect(parseEvent(body)).toMatchObject({ event: { receipt: { action: "read" } } });
  });

  it("omits a participant's name of more than 1,000 characters", () => {
    const [kept, left] = [1_000, 1_001].map((length) =>
      parseEvent(events.callParticipantLeft({ name: "x".repeat(length) })),
    );

    expect(kept).toMatchObject({ event: { occupant: { name: "x".repeat(1_000) } } });
    expect(left).toMatchObject({ event: { occupant: { name: undefined } } });
  });

  it("gives no prototype to what it reads", () => {
    const body = JSON.parse(
      JSON.stringify(events.messageSent()).replace('"message":{', '"message":{"__proto__":{"tags":7},'),
    );

    const result = parseEvent(body);

    expect(result.ok && "message" in result.event && result.event.message.tags).toBeUndefined();
  });
});

describe("parseEvent reports no unknown time", () => {
  const at = new Date("2026-11-20T12:00:00Z");
  const headOf = (body: unknown, receivedAt?: number) => {
    const result = parseEvent(body, receivedAt === undefined ? {} : { receivedAt });
    return result.ok ? result.event.head : undefined;
  };

  it.each([
    ["milliseconds where seconds are usual", 1_795_176_000_000],
    ["ISO 8601 where seconds are usual", "2026-11-20T12:00:00Z"],
  ])("reads %s", (_, sentAt) => {
    expect(headOf(withField(events.messageSent(), inMessage("sentAt"), sentAt))?.occurredAt).toEqual(at);
  });

  it("omits a time more than a day after the receipt", () => {
    const dayMs = 86_400_000;

    expect(headOf(events.messageSent(), at.getTime() - dayMs)?.occurredAt).toEqual(at);
    expect(headOf(events.messageSent(), at.getTime() - dayMs - 1)).toMatchObject({
      occurredAt: undefined,
      occurredAtField: undefined,
      actor: "ann",
    });
  });

  it.each([
    ["a removed reaction", events.messageReactionRemoved()],
    ["a manual approval", events.moderationManualApproved()],
    ["an approval by the engine", events.moderationEngineApproved()],
    ["a deleted group", events.groupDeleted()],
    ["a group's new owner", events.groupOwnerTransferred()],
    ["a new member", events.groupMemberJoined()],
    ["a member's new scope", events.groupMemberScopeChanged()],
    ["a recording", events.recordingGenerated()],
    ["a message without its time", withField(events.messageSent(), inMessage("sentAt"), undefined)],
    ["a read receipt that says when the message arrived", legacyRead()],
  ])("omits the time for %s", (_, body) => {
    expect(headOf(body)).toMatchObject({ occurredAt: undefined, occurredAtField: undefined });
  });

  it.each([
    ["a reaction", events.messageReactionAdded(), "data.reaction.reactedAt"],
    ["a new group", events.groupCreated(), "data.group.createdAt"],
    ["a changed group", events.groupUpdated(), "data.group.updatedAt"],
  ])("names the field for %s", (_, body, field) => {
    expect(headOf(body)?.occurredAtField).toBe(field);
  });

  function legacyRead() {
    const { readAt: _, ...data } = Object(events.legacyMessageReadReceipt().data);
    return { ...events.legacyMessageReadReceipt(), data: { ...data, deliveredAt: 1_795_176_000 } };
  }
});

describe("a deleted message that is an action message itself", () => {
  const joined = {
    id: "9",
    conversationId: "group_chess-club",
    sender: "app_system",
    receiverType: "group",
    receiver: "chess-club",
    category: "action",
    type: "groupMember",
    data: { action: "joined", entities: { on: { entity: { guid: "chess-club" }, entityType: "group" } } },
    sentAt: 1_795_176_000,
    deletedAt: 1_795_176_030,
    deletedBy: "ann",
  };
  const body = (message: object) => ({ trigger: "message_deleted", appId: "app-1", data: { message } });
  const inner = (id: string) => ({ action: "deleted", entities: { on: { entity: { id } } } });

  it.each([
    ["of a user that joined", joined],
    ["of a user that joined, without the time of its deletion", { ...joined, deletedAt: "" }],
    ["of another message's deletion", { ...joined, data: inner("3") }],
  ])("is found under its own id: %s", (_, message) => {
    const result = parseEvent(body(message));

    expect(result).toMatchObject({ event: { message: { id: "9" }, deletedBy: "ann" } });
    expect(result.ok && result.event.head.key).toMatch(/^app-1\|message_deleted\|9/);
  });

  it("reports the deletion of the other message if it was not deleted itself", () => {
    const { deletedAt: _, deletedBy: __, ...deed } = { ...joined, data: inner("3") };

    expect(parseEvent(body(deed))).toMatchObject({
      event: { message: { id: "3" }, deletedBy: "app_system" },
    });
  });

  it("is refused if it reports a deletion without the message", () => {
    const { deletedAt: _, ...deed } = { ...joined, data: { action: "deleted", entities: {} } };

    expect(parseEvent(body(deed))).toMatchObject({
      problems: [{ path: "data.message.data.entities.on", found: "missing" }],
    });
  });
});

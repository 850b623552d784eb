import { describe, expect, it } from "vitest";
import type { EventOf, TriggerName } from "../../../lib/events/chat-event.ts";
import { parseEvent } from "../../../lib/events/parse-event.ts";
import { events } from "../../../local/testing/events/events.ts";
import { documentedSamples } from "../../helpers/catalogue.ts";
import { withField } from "../../helpers/events/change-field.ts";
import { loadFixture, loadFixtures } from "../../helpers/events/fixtures.ts";

function parsed<Name extends TriggerName>(trigger: Name, body: unknown): EventOf<Name> {
  const result = parseEvent(body);
  if (!result.ok) throw new Error(`not understood: ${JSON.stringify(result.problems)}`);
  expect(result.event).toMatchObject({ kind: "known", trigger });
  return result.event as EventOf<Name>;
}

function eventIn(body: unknown) {
  const result = parseEvent(body);
  return result.ok ? result.event : result.problems;
}

function problemsOf(body: unknown) {
  const result = parseEvent(body);
  return result.ok ? undefined : result.problems;
}

describe("parseEvent", () => {
  it("README example", () => {
    const event = parsed("message_sent", events.messageSent({ text: "hi 👋", sender: "ann" }));

    expect(event.message.data.text).toBe("hi 👋");
    expect(event.head).toMatchObject({
      key: "app-1|message_sent|1001",
      lane: "app-1|ann_user_bela",
      family: "webhook",
      engine: "current",
      appId: "app-1",
      region: "eu",
      webhook: "webhook-1",
      occurredAt: new Date("2026-11-20T12:00:00Z"),
      occurredAtField: "data.message.sentAt",
      actor: "ann",
      conversation: { id: "ann_user_bela", type: "user" },
    });
  });

  it.each([...loadFixtures(), ...Object.entries(documentedSamples())])(
    "understands the sample %s",
    (_, body) => {
      const result = parseEvent(body);

      expect(result).toMatchObject({
        ok: true,
        event: { kind: "known", trigger: body.trigger ?? "email-extension" },
      });
    },
  );

  it("reads the tool calls of an AI agent", () => {
    const { message } = parsed("message_sent", loadFixture("message-sent.agentic"));

    expect([message.category, message.type]).toEqual(["agentic", "tool-arguments"]);
    expect(message.data.toolCalls?.[0]).toMatchObject({
      displayName: "Order status",
      function: { name: "order-status", arguments: '{"orderId":"42"}' },
    });
    const content = { runId: 7, toolCallId: "call_1", elements: [{ type: "card", value: { card: {} } }] };
    const answer = parsed("message_sent", events.messageSent({ category: "agentic", text: "Hi", content }));
    expect(answer.message.data).toMatchObject({ text: "Hi", ...content, runId: "7" });
    expect(answer.message.type).toBe("assistant");
  });

  it.each([
    [
      "agentic",
      "something-new",
      { toolCalls: [{ id: "c", function: { name: "f", more: 1 } }], elements: [] },
    ],
    ["card", "card", { card: { title: "x" }, fallback: null }],
    ["interactive", "form", { interactiveData: { title: "x", formFields: [] } }],
    ["something-new", "something-new", {}],
  ])("accepts a message of category %s and type %s, without unexpected fields", (category, type, content) => {
    const bodies = [
      ...[events.messageSent, events.userMentioned, events.messageEdited, events.messageDeleted],
      ...[events.messagePinned, events.afterMessage, events.beforeMessage, events.botMessage],
    ].map((build) => build({ category, type, content }));

    expect(bodies.map((body) => parseEvent(body))).toEqual(
      bodies.map(() => expect.objectContaining({ ok: true, oddities: [] })),
    );
  });

  it("keeps unknown fields, in the parsed form and in data", () => {
    const body = events.messageSent({}, { data: { novelty: { deep: [null] } } });
    Object.assign(body.data.message as object, { reactionsCount: 3 });

    const event = parsed("message_sent", body);

    expect(event.message).toHaveProperty("reactionsCount", 3);
    expect(event.data).toBe(body.data);
  });

  it("passes an unknown trigger through", () => {
    const body = { trigger: "conversation_pinned", data: { by: "ann" }, appId: "app-1", region: "eu" };

    expect(parseEvent(body)).toMatchObject({
      ok: true,
      event: {
        kind: "unknown",
        trigger: "conversation_pinned",
        data: { by: "ann" },
        head: { appId: "app-1" },
      },
    });
  });

  it("uses the verified app and the receiver's findings", () => {
    const body = { trigger: "novelty", data: {}, appId: "claimed" };

    const result = parseEvent(body, { appId: "verified", found: { key: "a key", canRecur: true } });

    expect(result).toMatchObject({ event: { head: { appId: "verified", key: "a key", canRecur: true } } });
  });

  it("names path, expectation and type of an invalid field, never its value", () => {
    const body = events.messageSent();
    Object.assign(body.data.message as object, { sender: ["secret"], conversationId: null, id: "" });

    expect(problemsOf(body)).toEqual([
      { path: "data.message.id", expected: "an id (text)", found: "empty text" },
      { path: "data.message.conversationId", expected: "an id (text)", found: "null" },
      { path: "data.message.sender", expected: "an id (text)", found: "list" },
    ]);
  });

  it.each([
    [null, "", "null"],
    [[], "", "list"],
    [{ data: {} }, "trigger", "missing"],
    [{ trigger: 7 }, "trigger", "number"],
    [{ trigger: "message_sent" }, "data", "missing"],
    [{ trigger: "message_sent", data: [] }, "data", "list"],
    [{ to: "ann@example.org", body: [{ id: 1 }] }, "body.0.conversationId", "missing"],
  ])("refuses %j", (body, path, found) => {
    expect(problemsOf(body)?.[0]).toMatchObject({ path, found });
  });

  it("keeps an event whose optional fields have unexpected types", () => {
    const body = events.messageSent();
    const message = body.data.message as { data: { entities: { sender: object } }; tags: unknown };
    message.data.entities.sender = { entity: { uid: "ann", name: { first: "Ann" } } };
    message.tags = "chess";

    const event = parsed("message_sent", body);

    expect(event.message.data.entities?.sender?.entity).toMatchObject({ uid: "ann", name: undefined });
    expect(event.message.tags).toBeUndefined();
  });

  it("reads numbers and truth values that come as text, and treats null as absent", () => {
    const recording = parsed("recording_generated", events.recordingGenerated({ durationSeconds: 21.433 }));
    const joined = parsed("call_participant_joined", events.callParticipantJoined());
    const item = parsed("after_feed_item_sent", events.feedItemSent());
    const message = parsed("message_sent", events.messageSent({ attachments: [{ url: "", size: "350.2" }] }));

    expect(recording).toMatchObject({ startedAt: new Date("2026-11-20T12:00:00Z"), durationMs: 21_433 });
    expect(joined.occupant.isAudioCall).toBe(true);
    expect(item.feedItem).not.toHaveProperty("readAt");
    expect(message.message.data.attachments).toEqual([{ url: "", size: 350.2 }]);
  });

  it("keeps a null in the customer's own objects", () => {
    const event = parsed("message_sent", events.messageSent({ metadata: { answer: null } }));

    expect(event.message.data.metadata).toEqual({ answer: null });
  });
});

const at30 = new Date("2026-11-20T12:00:30Z");
const forms = ["live", "documented"] as const;
const annToBela = { id: "ann_user_bela", type: "user" };

/** A mention whose message has the given text and map. */
function mention(text: string, mentions: unknown) {
  return withField(
    withField(events.userMentioned({ text }), ["data", "message", "data", "mentions"], mentions),
    ["data", "message", "data", "text"],
    text,
  );
}

describe("one form per occurrence", () => {
  it.each(forms)("finds the changed message and the true caller in the %s form", (form) => {
    const edited = events.messageEdited({ id: "7", text: "new", by: "carla", form });
    const deleted = events.messageDeleted({ id: "7", by: "app_system", form });
    const calls = [
      [events.callInitiated, "ann"],
      [events.callRejected, "bela"],
      [events.callBusy, "bela"],
      [events.callCancelled, "ann"],
      [events.callUnanswered, "ann"],
    ] as const;

    expect(eventIn(edited)).toMatchObject({
      message: { id: "7", data: { text: "new" } },
      editedBy: "carla",
      editedAt: at30,
      head: { actor: "carla", conversation: annToBela },
    });
    expect(eventIn(deleted)).toMatchObject({
      message: { id: "7" },
      deletedBy: "app_system",
      deletedAt: at30,
      head: { conversation: annToBela },
    });
    for (const [build, actor] of calls) {
      expect(eventIn(build({ form }))).toMatchObject({
        call: { caller: "ann", callee: "bela" },
        head: { actor },
      });
    }
  });

  it.each([["conversationId"], ["receiver"], ["receiverType"]])(
    "uses the action message's own %s if that of the deleted message has an unexpected form",
    (field) => {
      const body = events.messageDeleted({ id: "7", by: "bela", form: "documented" });
      const entity = ["data", "message", "data", "entities", "on", "entity"];

      expect(eventIn(withField(body, [...entity, field], []))).toMatchObject({
        message: { [field]: expect.any(String) },
        head: { conversation: annToBela },
      });
    },
  );

  it.each<[string, unknown, object]>([
    [
      "the conversation of a deleted message with only its ID left",
      withField(
        loadFixture("message-deleted"),
        ["data", "message", "data", "entities", "on", "entity", "conversationId"],
        undefined,
      ),
      { message: { id: "2", conversationId: "ann_user_bela", receiver: "bela" } },
    ],
    [
      "the caller that the call itself names, not the message's sender",
      withField(events.callCancelled(), ["data", "call", "sender"], "carla"),
      { call: { caller: "ann", callee: "bela", sessionId: "session-1" } },
    ],
    [
      "the called group",
      events.callUnanswered({ guid: "chess-club" }),
      {
        call: { caller: "ann", callee: "chess-club", calleeType: "group" },
        head: { conversation: { id: "group_chess-club", type: "group" } },
      },
    ],
    [
      "an occupant by uid",
      events.callParticipantLeft({ uid: "ann" }),
      { head: { actor: "ann", occurredAtField: "data.occupant.left_at" } },
    ],
    [
      "an occupant only by name",
      events.callParticipantLeft({ uid: null, name: "Ann" }),
      { occupant: { uid: undefined, name: "Ann" } },
    ],
    [
      "a member without uid by the name in the map",
      withField(events.groupMemberJoined(), ["data", "members"], { bela: { name: "Béla" } }),
      { members: [{ uid: "bela", name: "Béla" }] },
    ],
    [
      "the duration of a session",
      events.meetingEnded({ occupants: [{ uid: "ann" }] }),
      { durationMs: 60_000, occupants: [{ uid: "ann" }] },
    ],
    [
      "a rule in the list",
      events.moderationEngineBlocked({ ruleId: "no-ads" }),
      { ruleId: "no-ads", matches: [{}] },
    ],
    [
      "a rule in the message",
      events.moderationEngineBlocked({ ruleId: "no-ads" }, { data: { moderation: undefined } }),
      { ruleId: "no-ads", matches: [] },
    ],
    ["no rule if none is named", loadFixture("moderation-engine-blocked"), { ruleId: undefined }],
    ["a bot's callback", events.botMessage({ bot: "helper" }), { family: "bot", botUid: "helper" }],
    ["the legacy engine's message", events.afterMessage(), { family: "legacy", trigger: "after_message" }],
    [
      "the mentioned users by the map",
      events.userMentioned({ uids: ["bela", "carla"] }),
      { mentionedUids: ["bela", "carla"] },
    ],
    ...[undefined, [], {}, [null]].map((map): [string, unknown, object] => [
      `the mentioned users by the text, where the map is ${JSON.stringify(map)}`,
      mention("<@uid:bela> and <@uid:carla> and <@uid:bela>", map),
      { mentionedUids: ["bela", "carla"] },
    ]),
  ])("reads %s", (_, body, expected) => {
    expect(eventIn(body)).toMatchObject(expected);
  });

  it("reads a text of marks that never close in time proportional to its length", () => {
    const body = mention(`${"<@uid:".repeat(200_000)}bela>`, undefined);

    expect(eventIn(body)).toMatchObject({ mentionedUids: ["bela"] });
  }, 10_000);

  it.each([events.groupMemberBanned, events.groupMemberUnbanned])("marks an uncertain member", (build) => {
    const uncertain = [
      build({ by: "ann", uids: ["bela"] }),
      build({ by: "ann", uids: ["ann"] }),
      build({}, { data: { by: undefined } }),
    ].map((body) => Object(eventIn(body)).memberUncertain);

    expect(uncertain).toEqual([false, true, true]);
  });

  it("returns the same form for events of both engines", () => {
    const receipt = parsed("message_read_receipt", events.messageReadReceipt());
    const legacyReceipt = parsed("message_read_receipt", events.legacyMessageReadReceipt());
    const { connection } = parsed(
      "user_connection_status_changed",
      events.userConnectionStatusChanged({ platform: "web" }),
    );

    expect(legacyReceipt.receipt).toEqual(receipt.receipt);
    expect(legacyReceipt.head.conversation).toEqual(receipt.head.conversation);
    expect([receipt.head.engine, legacyReceipt.head.engine]).toEqual(["current", "legacy"]);
    expect(eventIn(events.afterConnectionStatusChanged())).toMatchObject({ connection });
  });

  it("returns the time of a feed item's interaction in both forms", () => {
    const documented = parsed("after_feed_item_interacted", loadFixture("after-feed-item-interacted"));
    const live = parsed("after_feed_item_interacted", loadFixture("after-feed-item-interacted.live"));

    expect(documented.head.occurredAt).toEqual(live.head.occurredAt);
    expect(live.feedItem.topic).toBe("open-offer");
  });
});

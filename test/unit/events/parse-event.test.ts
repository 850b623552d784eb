import { describe, expect, it } from "vitest";
import type { EventOf, TriggerName } from "../../../lib/events/chat-event.ts";
import { parseEvent } from "../../../lib/events/parse-event.ts";
import { documentedSamples } from "../../../local/platform/catalogue/catalogue.ts";
import { events } from "../../../local/testing/events/events.ts";
import { loadFixture, loadFixtures } from "../../helpers/events/fixtures.ts";

function parsed<Name extends TriggerName>(trigger: Name, body: unknown): EventOf<Name> {
  const result = parseEvent(body);
  if (!result.ok) throw new Error(`not understood: ${JSON.stringify(result.problems)}`);
  expect(result.event).toMatchObject({ kind: "known", trigger });
  return result.event as EventOf<Name>;
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

  it("believes the verified app and what the receiver found", () => {
    const body = { trigger: "novelty", data: {}, appId: "claimed" };

    const result = parseEvent(body, { appId: "verified", found: { key: "a key", canRecur: true } });

    expect(result).toMatchObject({ event: { head: { appId: "verified", key: "a key", canRecur: true } } });
  });

  it("names path, expectation and kind of what it does not understand, never the value", () => {
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

  it("keeps an event whose decoration has an unexpected kind", () => {
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

describe("one form per fact", () => {
  it.each(["live", "documented"] as const)("finds the edited message in the %s form", (form) => {
    const event = parsed("message_edited", events.messageEdited({ id: "7", text: "new", by: "carla", form }));

    expect(event.message).toMatchObject({ id: "7", data: { text: "new" } });
    expect(event).toMatchObject({ editedBy: "carla", editedAt: new Date("2026-11-20T12:00:30Z") });
    expect(event.head).toMatchObject({ actor: "carla", conversation: { id: "ann_user_bela" } });
  });

  it.each(["live", "documented"] as const)("finds the deleted message in the %s form", (form) => {
    const event = parsed("message_deleted", events.messageDeleted({ id: "7", by: "app_system", form }));

    expect(event.message.id).toBe("7");
    expect(event).toMatchObject({ deletedBy: "app_system", deletedAt: new Date("2026-11-20T12:00:30Z") });
    expect(event.head.conversation).toEqual({ id: "ann_user_bela", type: "user" });
  });

  it("knows the conversation of a deleted message of which only the id is left", () => {
    const body = loadFixture("message-deleted");
    const text = JSON.stringify(body).replace('"id":"2","conversationId":"ann_user_bela",', '"id":"2",');

    const event = parsed("message_deleted", JSON.parse(text));

    expect(event.message).toMatchObject({ id: "2", conversationId: "ann_user_bela", receiver: "bela" });
  });

  it.each([["conversationId"], ["receiver"], ["receiverType"]])(
    "takes the deed's own %s where the deleted message has one of odd form",
    (field) => {
      const body = events.messageDeleted({ id: "7", by: "bela", form: "documented" });
      const { message } = body.data as {
        message: { data: { entities: { on: { entity: Record<string, unknown> } } } };
      };
      message.data.entities.on.entity[field] = [];

      const event = parsed("message_deleted", body);

      expect(event.message).toHaveProperty(field, expect.any(String));
      expect(event.head.conversation).toEqual({ id: "ann_user_bela", type: "user" });
    },
  );

  it.each(["live", "documented"] as const)("names the true caller, whoever acts, in the %s form", (form) => {
    const calls = [
      parsed("call_initiated", events.callInitiated({ form })),
      parsed("call_rejected", events.callRejected({ form })),
      parsed("call_busy", events.callBusy({ form })),
      parsed("call_cancelled", events.callCancelled({ form })),
      parsed("call_unanswered", events.callUnanswered({ form })),
    ];

    for (const { call } of calls) expect(call).toMatchObject({ caller: "ann", callee: "bela" });
    expect(calls.map(({ head }) => head.actor)).toEqual(["ann", "bela", "bela", "ann", "ann"]);
  });

  it("believes the call itself about its caller, not the sender of the message", () => {
    const body = events.callCancelled({ caller: "ann", callee: "bela" });
    Object.assign(body.data.call as object, { sender: "carla", receiver: "ann" });

    const event = parsed("call_cancelled", body);

    expect(event.call).toMatchObject({ caller: "ann", callee: "bela", sessionId: "session-1" });
  });

  it("names the group that was called", () => {
    const event = parsed("call_unanswered", events.callUnanswered({ guid: "chess-club" }));

    expect(event.call).toMatchObject({ caller: "ann", callee: "chess-club", calleeType: "group" });
    expect(event.head.conversation).toEqual({ id: "group_chess-club", type: "group" });
  });

  it.each(["group_member_banned", "group_member_unbanned"] as const)(
    "marks an uncertain member of %s",
    (trigger) => {
      const build = trigger === "group_member_banned" ? events.groupMemberBanned : events.groupMemberUnbanned;

      expect(parsed(trigger, build({ by: "ann", uids: ["bela"] })).memberUncertain).toBe(false);
      expect(parsed(trigger, build({ by: "ann", uids: ["ann"] })).memberUncertain).toBe(true);
      expect(parsed(trigger, build({}, { data: { by: undefined } })).memberUncertain).toBe(true);
    },
  );

  it("gives receipts of both engines the same name and form", () => {
    const current = parsed("message_read_receipt", events.messageReadReceipt());
    const legacy = parsed("message_read_receipt", events.legacyMessageReadReceipt());

    expect(legacy.receipt).toEqual(current.receipt);
    expect(legacy.head.conversation).toEqual(current.head.conversation);
    expect([current.head.engine, legacy.head.engine]).toEqual(["current", "legacy"]);
  });

  it("gives connection changes of both engines the same form", () => {
    const current = parsed(
      "user_connection_status_changed",
      events.userConnectionStatusChanged({ platform: "web" }),
    );
    const legacy = parsed("after_connection_status_changed", events.afterConnectionStatusChanged());

    expect(legacy.connection).toEqual(current.connection);
  });

  it("knows an occupant by uid, or only by name", () => {
    const [known, named] = [
      parsed("call_participant_left", events.callParticipantLeft({ uid: "ann" })),
      parsed("call_participant_left", events.callParticipantLeft({ uid: null, name: "Ann" })),
    ];

    expect(known.head.actor).toBe("ann");
    expect(known.head.occurredAtField).toBe("data.occupant.left_at");
    expect(named.occupant).toMatchObject({ uid: undefined, name: "Ann" });
  });

  it("knows a member without uid by the name in the map", () => {
    const event = parsed("group_member_joined", {
      ...events.groupMemberJoined(),
      data: { group: { guid: "chess-club" }, members: { bela: { name: "Béla" } } },
    });

    expect(event.members).toEqual([{ uid: "bela", name: "Béla" }]);
  });

  it("computes how long a session took", () => {
    const event = parsed("meeting_ended", events.meetingEnded({ occupants: [{ uid: "ann" }] }));

    expect(event).toMatchObject({ durationMs: 60_000, occupants: [{ uid: "ann" }] });
  });

  it("finds the rule of a blocked message in both places", () => {
    const listed = parsed("moderation_engine_blocked", events.moderationEngineBlocked({ ruleId: "no-ads" }));
    const nested = parsed(
      "moderation_engine_blocked",
      events.moderationEngineBlocked({ ruleId: "no-ads" }, { data: { moderation: undefined } }),
    );
    const unnamed = parsed("moderation_engine_blocked", loadFixture("moderation-engine-blocked"));

    expect([listed.ruleId, nested.ruleId, unnamed.ruleId]).toEqual(["no-ads", "no-ads", undefined]);
    expect([listed.matches.length, nested.matches.length]).toEqual([1, 0]);
  });

  it("reads a text of marks that never close in time proportional to its length", () => {
    const body = events.userMentioned({ uids: ["bela"] });
    const { message } = body.data as { message: { data: { text?: string; mentions?: unknown } } };
    delete message.data.mentions;
    message.data.text = `${"<@uid:".repeat(200_000)}bela>`;

    expect(parsed("user_mentioned", body).mentionedUids).toEqual(["bela"]);
  }, 10_000);

  it.each([[[]], [{}], [[null]]])("names who was mentioned from the text where the map is %j", (mentions) => {
    const body = events.userMentioned({ uids: ["bela"] });
    const { message } = body.data as { message: { data: { mentions?: unknown } } };
    message.data.mentions = mentions;

    expect(parsed("user_mentioned", body).mentionedUids).toEqual(["bela"]);
  });

  it("names who was mentioned, from the map or from the text", () => {
    const mapped = parsed("user_mentioned", events.userMentioned({ uids: ["bela", "carla"] }));
    const body = events.userMentioned({ text: "<@uid:bela> and <@uid:carla> and <@uid:bela>" });
    const message = body.data.message as { data: { mentions?: unknown } };
    delete message.data.mentions;

    expect(mapped.mentionedUids).toEqual(["bela", "carla"]);
    expect(parsed("user_mentioned", body).mentionedUids).toEqual(["bela", "carla"]);
  });

  it("gives the interacted feed item its moment in both forms", () => {
    const documented = parsed("after_feed_item_interacted", loadFixture("after-feed-item-interacted"));
    const live = parsed("after_feed_item_interacted", loadFixture("after-feed-item-interacted.live"));

    expect(documented.head.occurredAt).toEqual(live.head.occurredAt);
    expect(live.feedItem.topic).toBe("open-offer");
  });

  it("tells a bot's callback from the legacy engine's message", () => {
    const bot = parsed("after_message", events.botMessage({ bot: "helper" }));
    const legacy = parsed("after_message", events.afterMessage());

    expect(bot.family === "bot" && bot.botUid).toBe("helper");
    expect(legacy.family).toBe("legacy");
  });
});

import { describe, expect, it } from "vitest";
import { onTrigger } from "../../../lib/handle/on-trigger.ts";
import { events } from "../../../local/testing/events/events.ts";
import { body, createAttemptWorld, startMs } from "./attempt-world.ts";

/** What the receiver puts into the queue for a body of this text. */
const messageOf = (text: string) => ({
  v: 1,
  appId: "app-1",
  family: "webhook",
  trigger: "novelty",
  key: "k",
  receivedAt: startMs,
  body: text,
  base64: false,
});
describe("attemptEvent", () => {
  describe("of an event that cannot be read", () => {
    it.each([
      ["a message that is not JSON", undefined],
      ["another message", { v: 2, appId: "app-1", key: "k", receivedAt: startMs }],
    ])("dead-letters %s immediately, with a cause that quotes nothing", async (_case, message) => {
      const world = createAttemptWorld({ a: onTrigger("message_sent", async () => undefined) });

      const outcome = await world.attempt(body, { message });

      const cause =
        "PermanentError: The queue holds a message that is no event of version 1. Only the receiver may write to it.";
      expect(outcome).toMatchObject({
        kind: "dead-letter",
        reason: "permanent",
        cause,
        progress: { failed: { reading: { reason: "permanent", cause } } },
      });
      expect(world.log).toMatchObject([{ level: "error", fields: { step: "reading", cause } }]);
    });

    it("quarantines a body of an unexpected form unchanged, and is done", async () => {
      const runs: string[] = [];
      const world = createAttemptWorld({ a: onTrigger("*", async () => void runs.push("a")) });
      const odd = { trigger: "message_sent", appId: "app-1", data: { message: 7 } };

      expect(await world.attempt(odd)).toEqual({ kind: "done" });

      expect(runs).toEqual([]);
      expect(world.quarantined).toEqual([
        [
          { appId: "app-1", bytes: Buffer.from(JSON.stringify(odd)), receivedAt: startMs },
          "not-understood",
          [expect.objectContaining({ path: "data.message" })],
        ],
      ]);
      expect(world.log[0]).toMatchObject({
        level: "warn",
        message: "put an event that cannot be understood into quarantine",
        fields: {
          appId: "app-1",
          trigger: "message_sent",
          deliveryKey: expect.stringContaining("message_sent"),
          queueMessageId: expect.any(String),
          problems: expect.stringMatching(/^data\.message: .+, not .+$/),
        },
      });
      expect(world.counted).toEqual([["DeliveryQuarantined", { appId: "app-1" }]]);
    });

    it("passes on data nested 10,000 deep in a form that a handler can serialize", async () => {
      const written: string[] = [];
      const world = createAttemptWorld({
        a: onTrigger("*", async ({ event }) => void written.push(JSON.stringify(event))),
      });
      const deep = `{"trigger":"novelty","data":${"[".repeat(10_000)}${"]".repeat(10_000)}}`;

      expect(await world.attempt({}, { message: messageOf(deep) })).toEqual({ kind: "done" });

      expect(written).toHaveLength(1);
      expect(world.quarantined).toEqual([]);
    });

    it("quarantines a body that is not JSON", async () => {
      const world = createAttemptWorld({});
      expect(await world.attempt({}, { message: messageOf("{") })).toEqual({ kind: "done" });

      expect(world.quarantined).toHaveLength(1);
    });

    it("counts an event with unexpected fields, and logs their names, not their values", async () => {
      const seen: unknown[] = [];
      const world = createAttemptWorld({
        a: onTrigger("message_sent", async ({ event }) => void seen.push(event.data)),
      });
      const odd = events.messageSent({ id: "1" });
      Object.assign(odd.data.message as object, { sentAt: "yesterday", parentId: "" });

      expect(await world.attempt(odd)).toEqual({ kind: "done" });

      expect(seen).toEqual([odd.data]);
      expect(world.counted).toEqual([["EventOddlyFormed", { trigger: "message_sent" }]]);
      const fields = "data.message.sentAt: text; data.message.parentId: empty text";
      expect(world.log[0]).toMatchObject({
        level: "warn",
        message: "read an event with unexpected forms of fields",
        fields: { appId: "app-1", trigger: "message_sent", fields },
      });
    });

    it("logs every problem of a quarantined body", async () => {
      const world = createAttemptWorld({});

      await world.attempt({ trigger: "message_reaction_added", appId: "app-1", data: { reaction: {} } });

      expect(world.log[0]?.fields.problems).toMatch(
        /^data\.reaction\.id: [^;]+; data\.reaction\.messageId: [^;]+; data\.reaction\.reaction: [^;]+$/,
      );
    });

    it("waits if the quarantine refuses the body, and counts nothing yet", async () => {
      const world = createAttemptWorld({}, { quarantine: () => Promise.reject(new Error("no queue")) });

      const outcome = await world.attempt({ trigger: "message_sent", appId: "app-1", data: { message: 7 } });

      expect(outcome).toMatchObject({ kind: "wait", progress: { tries: { reading: 1 } } });
      expect(world.counted).toEqual([]);
      expect(world.log).toMatchObject([{ fields: { trigger: "message_sent", step: "reading" } }]);
    });

    it("does not log a reading again that failed permanently", async () => {
      const world = createAttemptWorld({});
      const failed = { reading: { reason: "permanent", cause: "before" } };

      const outcome = await world.attempt(body, { message: undefined, progress: { failed } });

      expect(outcome).toMatchObject({ kind: "dead-letter", cause: "before" });
      expect(world.log).toEqual([]);
    });
  });

  describe("of events that the platform does not report", () => {
    const derived = (runs: string[]) => ({
      missed: onTrigger("call_missed", async ({ event }) => void runs.push(event.reason)),
      all: onTrigger("*", async ({ event }) => void runs.push(`* ${event.trigger}`)),
    });

    it("derives a missed call, after the event that it is made of", async () => {
      const runs: string[] = [];
      const unanswered = onTrigger("call_unanswered", async () => void runs.push("rang"));
      const world = createAttemptWorld({ ...derived(runs), unanswered });

      expect(await world.attempt(events.callUnanswered({ sessionId: "s-1" }))).toEqual({ kind: "done" });

      expect(runs).toEqual(["* call_unanswered", "rang", "unanswered", "* call_missed"]);
    });

    it("separates a derived event's steps from those of the event itself", async () => {
      const runs: string[] = [];
      const world = createAttemptWorld(derived(runs));
      const progress = { finished: ["call_unanswered all", "call_missed missed"] };

      await world.attempt(events.callUnanswered({ sessionId: "s-1" }), { progress });

      expect(runs).toEqual(["* call_missed"]);
    });

    it("counts an event with an unknown name, and suggests the right one", async () => {
      const world = createAttemptWorld({});

      await world.attempt({ trigger: "message_sendt", appId: "app-1", data: {} });

      expect(world.counted).toEqual([["TriggerUnknown", { appId: "app-1" }]]);
      expect(world.log[0]).toMatchObject({
        level: "warn",
        message: "got an event whose name is not in the catalogue",
        fields: { trigger: "message_sendt", suggestion: expect.stringContaining('"message_sent"') },
      });
    });

    it("summarizes a call session when its check is due", async () => {
      const summaries: unknown[] = [];
      const trigger = onTrigger(
        "call_summary",
        async ({ event }) => void summaries.push(event.isEndReported),
      );
      const world = createAttemptWorld({ trigger });
      await world.attempt(events.callEnded({ sessionId: "s-1" }));
      const check = {
        v: 1,
        check: "call_summary",
        appId: "app-1",
        sessionId: "s-1",
        key: "k",
        receivedAt: startMs,
      };
      expect(await world.attempt(body, { message: check })).toEqual({ kind: "done" });

      expect(summaries).toEqual([true]);
      expect(world.log.at(-1)).toMatchObject({ fields: { trigger: "call_summary", deliveryKey: "k" } });
    });
  });
});

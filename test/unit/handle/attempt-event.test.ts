import { describe, expect, it } from "vitest";
import { InvalidSecretError } from "../../../lib/aws/secrets/parse-secret.ts";
import { PermanentError } from "../../../lib/base/errors.ts";
import { onTrigger } from "../../../lib/handle/on-trigger.ts";
import { noProgress } from "../../../lib/queue/lanes/progress.ts";
import { events } from "../../../local/testing/events/events.ts";
import {
  body,
  createAttemptWorld,
  createNotingWorld,
  hourMs,
  idle,
  replying,
  startMs,
} from "./attempt-world.ts";

const dayMs = 24 * hourMs;
const fail = (error: Error) => () => {
  throw error;
};

describe("attemptEvent", () => {
  it("runs the triggers of the event in the table's order", async () => {
    const world = createNotingWorld({
      b: idle,
      other: onTrigger("message_edited", fail(new Error("It ran."))),
      a: idle,
    });
    world.pass(1234);

    expect(await world.attempt(body)).toEqual({ kind: "done" });

    expect(world.runs).toEqual(["b", "a"]);
    expect(world.log).toEqual([
      {
        level: "info",
        message: "handled an event",
        fields: {
          appId: "app-1",
          trigger: "message_sent",
          deliveryKey: "app-1|message_sent|1",
          queueMessageId: "m-1",
          attempt: 1,
          lane: "lane-1",
          sinceReceivedMs: 1234,
          tookMs: 0,
          ran: ["b", "a"],
          outcome: "no-action",
          why: "b: It ran and did nothing. a: It ran and did nothing.",
        },
      },
    ]);
  });

  it("logs which triggers ran, what they did and how long it took", async () => {
    const acting = onTrigger("message_sent", async ({ effects }) => {
      await effects.once("ticket", async () => {
        world.pass(70);
        return "t-1";
      });
    });
    const world = createNotingWorld({ idle, acting });

    await world.attempt(body);

    expect(world.log.at(-1)?.fields).toMatchObject({
      ran: ["idle", "acting"],
      effects: ["acting ticket"],
      tookMs: 70,
    });
  });

  it("logs and counts an event that a trigger passes over, with the reason", async () => {
    const trigger = onTrigger("message_sent", async ({ passOver }) => passOver("category"));
    const world = createAttemptWorld({ "the-trigger": trigger });

    expect(await world.attempt(body)).toEqual({ kind: "done" });

    expect(world.counted).toEqual([
      ["EventPassedOver", { appId: "app-1", trigger: "the-trigger", reason: "category" }],
    ]);
    expect(world.log[0]).toEqual({
      level: "info",
      message: "passed an event over",
      fields: {
        appId: "app-1",
        trigger: "message_sent",
        deliveryKey: "app-1|message_sent|1",
        queueMessageId: "m-1",
        attempt: 1,
        step: "message_sent the-trigger",
        passedOverBy: "the-trigger",
        reason: "category",
        ageMs: expect.any(Number),
        outcome: "category",
        why: "Messages of this category are not handled.",
      },
    });
  });

  it("passes a trigger the event and the client of the app whose credentials delivered it", async () => {
    const seen: unknown[] = [];
    const trigger = onTrigger("message_sent", async ({ event, chat, log }) => {
      seen.push(event.message.data.text);
      log.info("mine", {});
      await chat.users.get("ann").catch(() => undefined);
    });
    const world = createAttemptWorld({ trigger });

    await world.attempt({ ...body, appId: "app-of-somebody-else" });

    expect(seen).toEqual(["hello"]);
    expect(world.asked).toEqual(["app-1"]);
    expect(world.requests).toMatchObject([{ method: "GET", path: expect.stringContaining("/users/ann") }]);
    expect(world.log.map(({ message }) => message)).toEqual(["mine", "handled an event"]);
  });

  it("uses the key from the receiver, which may follow older rules", async () => {
    const seen: unknown[] = [];
    const trigger = onTrigger("*", async ({ event }) => {
      seen.push([event.head.key, event.head.canRecur]);
    });
    const world = createAttemptWorld({ trigger });

    await world.attempt(body, { key: "older" });
    await world.attempt(events.userBlocked(), { key: "older" });
    await world.attempt(body, { key: "older" });

    expect(seen).toEqual([false, true, false].map((canRecur) => ["older", canRecur]));
  });

  it("creates no client if no trigger handles the event", async () => {
    const world = createAttemptWorld({});

    expect(await world.attempt(body)).toEqual({ kind: "done" });

    expect(world.asked).toEqual([]);
  });

  describe("when a trigger fails", () => {
    it("runs the next trigger, and waits in a separate lane with its progress", async () => {
      const world = createNotingWorld({ first: fail(new TypeError("a bug")), second: idle });

      const outcome = await world.attempt(body);

      expect(world.runs).toEqual(["first", "second"]);
      expect(outcome).toEqual({ kind: "done" });
      expect(await world.beside("first")).toMatchObject([
        { messageId: "m-1", finished: ["message_sent second", "message_sent (flows)"] },
      ]);
      const progress = {
        ...noProgress,
        waits: 1,
        tries: { "message_sent first": 1 },
        cause: expect.stringMatching(/^TypeError at /),
      };
      expect(await world.stateOfTriggerLane("first")).toMatchObject({
        wakeAt: startMs + 5000,
        head: { sequence: "1", progress, since: startMs },
      });
      expect(world.tickets).toMatchObject([{ lane: { trigger: "first" } }]);
      expect(world.successes).toEqual([]);
    });

    it("logs what failed, where and why, and that it is retried", async () => {
      const world = createNotingWorld({ first: fail(new TypeError("a bug")) });

      await world.attempt(body, { laneOfTrigger: "first" });

      expect(world.log).toEqual([
        {
          level: "warn",
          message: "could not handle an event yet",
          fields: {
            appId: "app-1",
            trigger: "message_sent",
            step: "message_sent first",
            deliveryKey: "app-1|message_sent|1",
            queueMessageId: "m-1",
            attempt: 1,
            triggerLane: "first",
            lane: "lane-1 first",
            laneId: "events lane-1 first",
            receivedAt: expect.any(Number),
            failure: "ours",
            tries: 1,
            cause: expect.stringMatching(/^TypeError at /),
            stack: expect.stringContaining("attempt-event.test.ts"),
            outcome: "failed",
            why: expect.stringMatching(
              /^It failed \(try 1 of 5\): TypeError at attempt-event.test.ts:\d+:\d+\.$/,
            ),
          },
        },
      ]);
    });

    it("logs a permanent failure with its place", async () => {
      const world = createNotingWorld({ first: fail(new PermanentError("never")) });

      expect(await world.attempt(body)).toMatchObject({ kind: "dead-letter", reason: "permanent" });

      expect(world.log).toMatchObject([
        {
          level: "error",
          message: "could not handle an event, for good",
          fields: {
            failure: "permanent",
            why: expect.stringMatching(
              /^It failed at \S+\.test\.ts:\d+:\d+ \(for good\): PermanentError: never/,
            ),
            stack: expect.stringContaining("attempt-event.test.ts"),
          },
        },
      ]);
    });

    it("names a refused effect, and the line that called it", async () => {
      const world = createAttemptWorld({ first: replying });
      world.platform.answer = () =>
        Response.json({ error: { code: "ERR_UID_NOT_FOUND", message: "no" } }, { status: 404 });

      expect(await world.attempt(body)).toMatchObject({ kind: "dead-letter", reason: "permanent" });

      expect(world.log[0]?.fields).toMatchObject({
        failure: "permanent",
        cause: expect.stringMatching(/ \(effect "reply"\)$/),
        stack: expect.stringMatching(/^\S+ send-request\.ts:\d+:\d+$[\s\S]*attempt-world\.ts:\d+:\d+$/m),
      });
    });

    it("treats a thrown string as an error", async () => {
      const world = createNotingWorld({ first: () => Promise.reject("no") });

      expect(await world.attempt(body, { laneOfTrigger: "first" })).toMatchObject({
        kind: "wait",
        progress: { cause: "a thrown string" },
      });

      expect(world.log[0]?.fields).toHaveProperty("stack", undefined);
    });

    it("waits for a secret as a destination separate from the chat's", async () => {
      const connectionOf = () => Promise.reject(new InvalidSecretError("Secret x has no text."));
      const asking = onTrigger("message_sent", async ({ chat }) => void (await chat.users.get("ann")));
      const world = createAttemptWorld({ a: asking }, { connectionOf });

      expect(await world.attempt(body)).toMatchObject({
        kind: "wait",
        progress: { tries: {}, pending: { "message_sent a": { destination: "secret", ok: 0, bad: 0 } } },
      });
    });
  });

  describe("with effects", () => {
    it("performs each trigger's once per occurrence, for any number of deliveries and webhooks", async () => {
      const world = createAttemptWorld({ one: replying, other: replying });

      await world.attempt(body);
      await world.attempt(body);
      await world.attempt({ ...body, webhook: "webhook-2" });
      expect(world.requests).toHaveLength(2);
      await world.attempt(events.messageSent({ id: "2" }));

      expect(world.requests).toHaveLength(4);
    });

    it("distinguishes two occurrences of one key by their receipt, not by their handling", async () => {
      const world = createAttemptWorld({ reply: replying });
      const blocked = events.userBlocked();

      await world.attempt(blocked, { receivedAt: startMs - 3 * hourMs });
      await world.attempt(blocked, { receivedAt: startMs - 3 * hourMs + 40_000 });
      await world.attempt(blocked, { receivedAt: startMs - hourMs });

      expect(world.requests).toHaveLength(2);
    });

    it("waits for an unhealthy platform, and counts no try", async () => {
      const world = createAttemptWorld({ reply: replying });
      world.platform.answer = () => new Response("no", { status: 500 });

      const outcome = await world.attempt(body);

      expect(outcome).toMatchObject({
        kind: "wait",
        progress: {
          tries: {},
          pending: { "message_sent reply": { destination: expect.stringMatching(/ write$/), ok: 0, bad: 1 } },
        },
      });
    });
  });

  describe("with an old event", () => {
    it.each([
      ["acts on an event of 30 days", 30 * dayMs, {}, "done"],
      ["dead-letters an older event", 30 * dayMs + 1, {}, "dead-letter"],
      ["acts on an older event if a setting allows it", 31 * dayMs, { actsOnOldEvents: true }, "done"],
    ])("%s", async (_case, ageMs, settings, kind) => {
      const world = createNotingWorld({ a: idle }, settings);

      const outcome = await world.attempt(body, { receivedAt: startMs - ageMs });

      expect(outcome.kind).toBe(kind);
      expect(world.runs).toHaveLength(kind === "done" ? 1 : 0);
    });

    it("names the age as the cause of the dead letter", async () => {
      const world = createAttemptWorld({});

      const outcome = await world.attempt(body, {
        receivedAt: startMs - 31 * dayMs,
        record: { finished: ["message_sent a"] },
        progress: {},
      });

      expect(outcome).toMatchObject({
        kind: "dead-letter",
        reason: "too-old",
        cause: "It was received more than 30 days ago.",
      });
    });

    it.each([
      [
        "is waited for until the maximum wait ends, for an event of any age",
        { since: startMs - dayMs + 1 },
        "wait",
      ],
      ["ends in a dead letter after the maximum wait", { since: startMs - dayMs }, "dead-letter"],
    ])("an outage %s", async (_case, options, kind) => {
      const sick = fail(new InvalidSecretError("Secret x has no text."));
      const world = createNotingWorld({ a: sick });

      const outcome = await world.attempt(body, { receivedAt: startMs - 9 * dayMs, ...options });

      expect(outcome.kind).toBe(kind);
    });
  });

  describe("of an event that crashed processes", () => {
    it("tries again after four crashes", async () => {
      const world = createNotingWorld({ a: idle });

      expect(await world.attempt(body, { progress: { deaths: 4 } })).toEqual({ kind: "done" });

      expect(world.runs).toEqual(["a"]);
    });

    it("dead-letters the event after five crashes, without a try", async () => {
      const world = createNotingWorld({ a: idle });
      const progress = { deaths: 5, finished: ["message_sent b"] };

      expect(await world.attempt(body, { progress })).toEqual({
        kind: "dead-letter",
        reason: "deaths",
        cause: "5 attempts ended without a result.",
        progress: { ...noProgress, ...progress },
      });

      expect(world.runs).toEqual([]);
    });

    it.each([
      ["the trigger that ran last", { progress: { deaths: 5, crashed: "message_sent a" } }],
      ["the trigger of its lane", { progress: { deaths: 5 }, laneOfTrigger: "a" }],
    ])("names %s in the cause", async (_case, options) => {
      const world = createNotingWorld({ a: idle });

      expect(await world.attempt(body, options)).toMatchObject({
        kind: "dead-letter",
        cause: "5 attempts ended without a result, the last in the trigger a.",
      });
    });

    it("names no trigger in the cause if flows were started", async () => {
      const world = createNotingWorld({ a: idle });

      expect(await world.attempt(body, { progress: { deaths: 5 }, laneOfTrigger: "(flows)" })).toMatchObject({
        cause: "5 attempts ended without a result.",
      });
    });

    it("is tried again, with all its tries, if too many events of its app are dead-lettered", async () => {
      const world = createNotingWorld({ a: idle });
      await world.stopDeadLetters();

      expect(await world.attempt(body, { progress: { deaths: 5 } })).toEqual({
        kind: "wait",
        wakeAt: startMs + 900_000,
        progress: { ...noProgress, heldBack: true },
      });

      expect(world.runs).toEqual([]);
    });
  });

  describe("of a replayed message", () => {
    it("skips the steps that were finished before it was dead-lettered", async () => {
      const world = createNotingWorld({ a: idle, b: idle });

      await world.attempt(body, { record: { finished: ["message_sent a"] } });

      expect(world.runs).toEqual(["b"]);
    });

    it("skips the steps that were finished since the replay", async () => {
      const world = createNotingWorld({ a: idle, b: idle });

      await world.attempt(body, {
        record: { finished: ["message_sent a"] },
        progress: { waits: 1, finished: ["message_sent a", "message_sent b"] },
      });

      expect(world.runs).toEqual([]);
    });
  });
});

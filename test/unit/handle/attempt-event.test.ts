import { describe, expect, it } from "vitest";
import { InvalidSecretError } from "../../../lib/aws/secrets/parse-secret.ts";
import { PermanentError } from "../../../lib/base/errors.ts";
import { GuardKeyError } from "../../../lib/events/marks/loop-guard.ts";
import { onTrigger } from "../../../lib/handle/on-trigger.ts";
import { noProgress, type Progress } from "../../../lib/queue/lanes/progress.ts";
import { events } from "../../../local/testing/events/events.ts";
import { createTestGuard } from "../../helpers/loop-guard.ts";
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
  it("runs the triggers that want the event, in the table's order", async () => {
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

  it("tells which triggers ran, what they did, and how long it took", async () => {
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

  it("says what a trigger passes over, why, and counts it", async () => {
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

  it("passes over what is older than a trigger wants, by when it happened and not by when it came", async () => {
    const runs: number[] = [];
    const trigger = onTrigger("message_sent", { maxAge: "1h" }, async ({ ageMs }) => void runs.push(ageMs));
    const world = createAttemptWorld({ trigger });
    const sentAgo = (ms: number) =>
      events.messageSent({ id: String(ms), sentAt: (startMs - ms) / 1000, sender: "ann", receiver: "bela" });

    await world.attempt(sentAgo(hourMs));
    await world.attempt(sentAgo(hourMs + 1000));
    // It came in time, and then the outage did.
    world.pass(2 * hourMs);
    await world.attempt(sentAgo(0));

    expect(runs).toEqual([hourMs]);
    const counted = world.counted.map(([name]) => name);
    expect(counted).toEqual(["EventPassedOver", "EventPassedOver", "EventTooOld"]);
  });

  it("waits while the key of the marks cannot be read: nothing is sent unmarked, nothing is given up", async () => {
    const failing = {
      ...createTestGuard("app-1"),
      mark: () => Promise.reject(new GuardKeyError("x", new Error("a socket"))),
    };
    const world = createAttemptWorld({ replying }, { guardOf: () => failing });

    const outcome = await world.attempt(body);

    expect([outcome.kind, Object(outcome).progress.tries]).toEqual(["wait", {}]);
    expect(world.requests).toEqual([]);
  });

  it("gives a trigger the event and the client of the app whose credentials brought it", async () => {
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

  it("goes by the key that the receiver gave, which may be by older rules", async () => {
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

  it("asks for no client where no trigger wants the event", async () => {
    const world = createAttemptWorld({});

    expect(await world.attempt(body)).toEqual({ kind: "done" });

    expect(world.asked).toEqual([]);
  });

  describe("when a trigger fails", () => {
    it("runs the next all the same, and waits in a lane of its own with what is known of it", async () => {
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

    it("says what failed, where and why, and that it is not the end", async () => {
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

    it("says so when it is the end, with the place", async () => {
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

    it("takes what is no error for one", async () => {
      const world = createNotingWorld({ first: () => Promise.reject("no") });

      expect(await world.attempt(body, { laneOfTrigger: "first" })).toMatchObject({
        kind: "wait",
        progress: { cause: "a thrown string" },
      });

      expect(world.log[0]?.fields).toHaveProperty("stack", undefined);
    });

    it("repeats neither what is finished nor what failed for good", async () => {
      const world = createNotingWorld({ a: idle, b: idle, c: idle });
      const progress: Partial<Progress> = {
        finished: ["message_sent a"],
        failed: { "message_sent b": { reason: "permanent", cause: "never" } },
      };

      const outcome = await world.attempt(body, { progress });

      expect(world.runs).toEqual(["c"]);
      expect(outcome).toMatchObject({
        kind: "dead-letter",
        reason: "permanent",
        cause: "never",
        progress: { finished: ["message_sent a", "message_sent c"] },
      });
      expect(world.log).toEqual([]);
    });

    it("waits for a secret, a destination that is not the chat's", async () => {
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
    it("does each once for a fact, however often and through whichever webhook it comes", async () => {
      const world = createAttemptWorld({ reply: replying });

      await world.attempt(body);
      await world.attempt(body);
      await world.attempt({ ...body, webhook: "webhook-2" });

      expect(world.requests).toHaveLength(1);
    });

    it("does each of two triggers, and of two facts", async () => {
      const world = createAttemptWorld({ one: replying, other: replying });

      await world.attempt(body);
      await world.attempt(events.messageSent({ id: "2" }));

      expect(world.requests).toHaveLength(4);
    });

    it("tells two facts of one key apart by when they were received, and not by when they are handled", async () => {
      const world = createAttemptWorld({ reply: replying });
      const blocked = events.userBlocked();

      await world.attempt(blocked, { receivedAt: startMs - 3 * hourMs });
      await world.attempt(blocked, { receivedAt: startMs - 3 * hourMs + 40_000 });
      await world.attempt(blocked, { receivedAt: startMs - hourMs });

      expect(world.requests).toHaveLength(2);
    });

    it("waits for a platform that is ill, and counts no try", async () => {
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

  describe("of an event that has become old", () => {
    it.each([
      ["acts on one of 30 days", 30 * dayMs, {}, "done"],
      ["buries one that is older", 30 * dayMs + 1, {}, "dead-letter"],
      ["acts on an older one if it may", 31 * dayMs, { actsOnOldEvents: true }, "done"],
    ])("%s", async (_case, ageMs, settings, kind) => {
      const world = createNotingWorld({ a: idle }, settings);

      const outcome = await world.attempt(body, { receivedAt: startMs - ageMs });

      expect(outcome.kind).toBe(kind);
      expect(world.runs).toHaveLength(kind === "done" ? 1 : 0);
    });

    it("says why it is buried, and what was finished", async () => {
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
        "is waited for while there is patience, however old the event is",
        { since: startMs - dayMs + 1 },
        "wait",
      ],
      ["is buried when that ends", { since: startMs - dayMs }, "dead-letter"],
    ])("an illness %s", async (_case, options, kind) => {
      const sick = fail(new InvalidSecretError("Secret x has no text."));
      const world = createNotingWorld({ a: sick });

      const outcome = await world.attempt(body, { receivedAt: startMs - 9 * dayMs, ...options });

      expect(outcome.kind).toBe(kind);
    });
  });

  describe("that processes died over", () => {
    it("tries again after four", async () => {
      const world = createNotingWorld({ a: idle });

      expect(await world.attempt(body, { progress: { deaths: 4 } })).toEqual({ kind: "done" });

      expect(world.runs).toEqual(["a"]);
    });

    it("buries the event after five, without a try", async () => {
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

    it("is tried again, with all its tries, where too many events of its app are dead-lettered", async () => {
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

  describe("of a message that was sent again", () => {
    it("skips the steps that were finished before it was buried", async () => {
      const world = createNotingWorld({ a: idle, b: idle });

      await world.attempt(body, { record: { finished: ["message_sent a"] } });

      expect(world.runs).toEqual(["b"]);
    });

    it("goes by what is known since then", async () => {
      const world = createNotingWorld({ a: idle, b: idle });

      await world.attempt(body, {
        record: { finished: ["message_sent a"] },
        progress: { waits: 1, finished: ["message_sent a", "message_sent b"] },
      });

      expect(world.runs).toEqual([]);
    });
  });
});

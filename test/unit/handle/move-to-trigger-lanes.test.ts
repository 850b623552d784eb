import { describe, expect, it } from "vitest";
import { PermanentError } from "../../../lib/base/errors.ts";
import { onTrigger } from "../../../lib/handle/on-trigger.ts";
import { noProgress } from "../../../lib/queue/lanes/progress.ts";
import { events } from "../../../local/testing/events/events.ts";
import { body, createNotingWorld, hourMs, idle, noTriggerLanes, replying, startMs } from "./attempt-world.ts";

const reading = onTrigger("message_sent", async ({ chat }) => void (await chat.users.get("ann")));
const refused = () => Promise.reject(new PermanentError("no"));
const throwing = () => Promise.reject(new TypeError("a bug"));
const ofReactions = onTrigger("message_reaction_added", async () => undefined);
/** A platform that is down. */
function outWith(...args: Parameters<typeof createNotingWorld>) {
  const world = createNotingWorld(...args);
  world.platform.answer = () =>
    Response.json({ error: { code: "ERR_EXCEPTION", message: "No." } }, { status: 503 });
  return world;
}

async function heldBackSince({ healthStore }: Pick<ReturnType<typeof createNotingWorld>, "healthStore">) {
  return (await healthStore.read("app-1")).destinations.get("held-back trigger a")?.sinceMs;
}

describe("an event whose triggers wait", () => {
  it.each([
    ["reads and writes", { a: reading, b: replying }],
    ["the only trigger that is turned on", { a: reading }],
  ])("waits as a whole if all of them wait for one host: %s", async (_which, triggers) => {
    const world = outWith(triggers);

    expect(await world.attemptInTime(body)).toMatchObject({ kind: "wait", progress: { tries: {} } });

    expect([await world.beside("a"), world.tickets]).toEqual([[], []]);
  });

  it.each([
    ["another one is done", { a: reading, b: idle }],
    ["another one failed by its own fault", { a: reading, b: throwing }],
    ["another one handles other events", { a: reading, b: ofReactions }],
  ])("continues without the waiting trigger if %s", async (_which, triggers) => {
    const world = outWith(triggers);

    expect(await world.attemptInTime(body)).toEqual({ kind: "done" });

    expect(await world.beside("a")).toMatchObject([{ messageId: "m-1" }]);
    expect(await world.stateOfTriggerLane("a")).toMatchObject({
      head: { progress: { pending: { "message_sent a": { destination: expect.stringMatching(/ read$/) } } } },
    });
    expect(world.log).toContainEqual(
      expect.objectContaining({
        message: "put an event beside its lane: its trigger waits",
        fields: expect.objectContaining({ step: "message_sent a", laneId: "events lane-1 a" }),
      }),
    );
  });

  it.each([
    ["another one is done", { a: refused, b: idle }],
    ["another one is held back, too", { a: refused, b: refused, c: ofReactions }],
    ["no other trigger handles the event", { a: refused, c: ofReactions }],
  ])(
    "continues without a trigger that is held back from the dead-letter queue if %s",
    async (_which, triggers) => {
      const world = createNotingWorld(triggers);
      await world.stopDeadLetters();

      expect(await world.attempt(body)).toEqual({ kind: "done" });

      expect(await world.beside("a")).toMatchObject([{ messageId: "m-1" }]);
      expect(await world.stateOfTriggerLane("a")).toMatchObject({
        heldBy: `for ${startMs} held-back trigger a`,
        head: { progress: { deaths: 0, tries: {}, failed: {}, heldBack: true, cause: "PermanentError: no" } },
      });
      expect(world.successes).toEqual([]);
    },
  );

  it("stays in its trigger's lane while that is held back, and ends the hold when it succeeds", async () => {
    let act: () => Promise<void> = refused;
    const world = createNotingWorld({ a: () => act(), b: idle });
    await world.stopDeadLetters();
    const attempt = (progress = {}) => world.attempt(body, { laneOfTrigger: "a", progress });

    const outcome = await attempt({ deaths: 2 });

    expect(outcome).toMatchObject({
      kind: "wait",
      wakeAt: startMs + 900_000,
      room: `for ${startMs} held-back trigger a`,
      progress: { deaths: 0, failed: {}, heldBack: true },
    });
    act = async () => undefined;
    expect(await attempt({ heldBack: true })).toEqual({ kind: "done" });
    expect(world.successes).toHaveLength(1);
    expect(await heldBackSince(world)).toBeUndefined();
  });

  it("waits with the trigger's other held-back events while dead-lettering is stopped", async () => {
    const world = createNotingWorld({ a: reading, b: idle });
    await world.stopDeadLetters();

    const outcome = await world.attempt(body, { laneOfTrigger: "a", progress: { heldBack: true } });

    expect(outcome).toMatchObject({ kind: "wait", room: `for ${startMs} held-back trigger a` });
    expect(world.requests).toEqual([]);
  });

  it("keeps the hold if a held-back event only became too old for its trigger", async () => {
    const world = createNotingWorld({
      a: onTrigger("message_sent", { maxAge: "1h" }, async () => undefined),
      b: idle,
    });
    await world.stopDeadLetters();
    await world.healthStore.noteWait("app-1", "held-back trigger a", startMs);

    const options = { laneOfTrigger: "a", progress: { heldBack: true }, receivedAt: startMs - 2 * hourMs };
    expect(await world.attempt(body, options)).toEqual({ kind: "done" });

    expect(world.successes).toEqual([]);
    expect(await heldBackSince(world)).toBe(startMs);
  });

  it("is dead-lettered for a permanent failure while another trigger waits in its lane", async () => {
    const world = outWith({
      a: reading,
      b: onTrigger("message_sent", async ({ chat }) => {
        await chat.users.get("");
      }),
    });

    expect(await world.attemptInTime(body)).toMatchObject({
      kind: "dead-letter",
      reason: "permanent",
      progress: { finished: ["message_sent a"], failed: { "message_sent b": {} } },
    });
    expect(await world.beside("a")).toHaveLength(1);
  });

  it("waits as a whole if it cannot be moved to a trigger's lane", async () => {
    const world = outWith(
      { a: reading, b: idle },
      {
        triggerLanes: { ...noTriggerLanes, move: () => Promise.reject(new Error("no table")) },
      },
    );

    expect(await world.attemptInTime(body)).toMatchObject({
      kind: "wait",
      progress: { finished: ["message_sent b"], pending: { "message_sent a": {} } },
    });
    expect(world.log.map(({ message }) => message)).toContain(
      "could not put an event beside its lane; the lane waits",
    );
  });

  it("moves the trigger that ran at a crash without running it, also for the next event", async () => {
    const world = createNotingWorld({ a: idle, b: idle });
    const progress = { ...noProgress, deaths: 2, crashed: "message_sent a" };

    expect(await world.attempt(body, { progress })).toEqual({ kind: "done" });

    expect(world.runs).toEqual(["b"]);
    expect(await world.stateOfTriggerLane("a")).toMatchObject({ head: { progress: { deaths: 2 } } });
    await world.attempt(events.messageSent({ id: "2" }));
    expect(world.runs).toEqual(["b", "b"]);
  });

  it("runs the trigger that crashed in its own lane", async () => {
    const world = createNotingWorld({ a: idle, b: idle });
    const progress = { ...noProgress, deaths: 2, crashed: "message_sent a" };

    expect(await world.attempt(body, { laneOfTrigger: "a", progress })).toEqual({ kind: "done" });

    expect(world.runs).toEqual(["a"]);
  });

  it("is retried in the trigger's lane with the progress of its own steps", async () => {
    const world = createNotingWorld({ a: throwing, b: idle });
    await world.attempt(body);
    const state = await world.stateOfTriggerLane("a");

    const outcome = await world.attempt(body, {
      laneOfTrigger: "a",
      ...(state?.head && { progress: state.head.progress }),
    });

    expect(outcome).toMatchObject({ kind: "wait", progress: { waits: 2, tries: { "message_sent a": 2 } } });
  });

  it("is dead-lettered for its trigger, and logged, if that is not turned on any more", async () => {
    const world = createNotingWorld({ b: idle });

    const progress = { ...noProgress, finished: ["message_sent b"] };
    expect(await world.attempt(body, { laneOfTrigger: "a", progress })).toEqual({ kind: "done" });

    expect(world.runs).toEqual([]);
    expect(world.deadLetters).toMatchObject([
      {
        messageId: "m-1",
        part: "message_sent a",
        reason: "trigger-off",
        cause: "It waited for the trigger a, which is not turned on any more.",
        finished: ["message_sent b", "message_sent (flows)"],
      },
    ]);
    expect(world.log).toMatchObject([
      { level: "warn", message: "an event waited for a trigger that is not turned on any more" },
      { fields: { triggerLane: "a", outcome: "off" } },
    ]);
  });

  it.each([
    ["failed", { pending: { "message_sent a": { destination: "x write", ok: 0, bad: 1 } } }],
    ["waited", { waiting: ["message_sent a"] }],
  ])(
    "is dead-lettered in its conversation's lane as well if a trigger that %s is off now",
    async (_case, known) => {
      const world = createNotingWorld({ b: idle });
      const progress = { ...noProgress, finished: ["message_sent b"], ...known };

      expect(await world.attempt(body, { progress })).toEqual({ kind: "done" });

      expect(world.runs).toEqual([]);
      expect(world.deadLetters).toMatchObject([{ part: "message_sent a", reason: "trigger-off" }]);
      expect(world.log.at(-1)).toMatchObject({
        message: "handled an event",
        fields: { outcome: "off", why: expect.stringMatching(/^a: It is not turned on/) },
      });
    },
  );

  it("keeps waiting if its trigger is off and the queue refuses the dead letter", async () => {
    const sendDeadLetter = () => Promise.reject(new Error("no queue"));
    const world = createNotingWorld({ b: idle }, { sendDeadLetter });

    expect(await world.attempt(body, { laneOfTrigger: "a" })).toMatchObject({ kind: "wait" });
  });

  const progress = { finished: ["message_sent b"], waiting: ["message_sent a"] };
  const inNewLane = { progress, laneSince: startMs - 299_999 };

  it("waits for a trigger that another version's process may have until its lane is five minutes old", async () => {
    const world = createNotingWorld({ b: idle });

    expect(await world.attempt(body, { ...inNewLane, laneOfTrigger: "a" })).toMatchObject({
      kind: "wait",
      wakeAt: startMs + 30_000,
      progress: { waiting: ["message_sent a"] },
    });
    expect(world.deadLetters).toEqual([]);
  });

  it.each([
    ["that handled the event", idle],
    ["of other events", ofReactions],
  ])("waits beside its conversation's lane if there is another trigger %s", async (_case, b) => {
    const world = createNotingWorld({ b });

    expect(await world.attempt(body, inNewLane)).toEqual({ kind: "done" });

    expect(await world.beside("a")).toHaveLength(1);
    expect(world.deadLetters).toEqual([]);
  });
});

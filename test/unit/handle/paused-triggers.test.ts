import { describe, expect, it } from "vitest";
import { onTrigger } from "../../../lib/handle/on-trigger.ts";
import { body, createAttemptWorld, createNotingWorld, idle, noTriggerLanes, reply } from "./attempt-world.ts";

const app = { kind: "app" } as const;
const a = { kind: "trigger", name: "a" } as const;
const order = { by: "ann" };

describe("an event with a paused trigger", () => {
  it("runs the other triggers, and waits for the paused one in that trigger's lane", async () => {
    const world = createNotingWorld({ a: idle, b: idle });
    await world.pauses.begin("app-1", a, order);

    expect(await world.attempt(body)).toEqual({ kind: "done" });

    expect(world.runs).toEqual(["b"]);
    expect(await world.beside("a")).toMatchObject([
      { messageId: "m-1", finished: ["message_sent b", "message_sent (flows)"] },
    ]);
    expect(world.log).toMatchObject([
      {
        message: "put an event beside its lane: its trigger is paused",
        fields: {
          outcome: "paused",
          why: "Its trigger is paused, and the event waits for the end of the pause.",
        },
      },
      { message: "handled an event", fields: { ran: ["b"], outcome: "no-action" } },
    ]);
  });

  it("passes the steps finished before dead-lettering to the trigger's lane", async () => {
    const world = createNotingWorld({ a: idle, b: idle });
    await world.pauses.begin("app-1", a, order);

    await world.attempt(body, { record: { finished: ["message_sent b"] } });

    expect(await world.beside("a")).toMatchObject([{ finished: expect.arrayContaining(["message_sent b"]) }]);
  });

  it("is not moved if the trigger is done with it", async () => {
    const world = createNotingWorld({ a: idle });
    await world.pauses.begin("app-1", a, order);

    await world.attempt(body, { progress: { finished: ["message_sent a"] } });

    expect(await world.beside("a")).toEqual([]);
  });

  it("waits if the table refuses it, and counts no try", async () => {
    const appendIfWaiting = () => Promise.reject(Object.assign(new Error("no table"), { $fault: "server" }));
    const world = createNotingWorld(
      { a: idle, b: idle },
      { triggerLanes: { ...noTriggerLanes, appendIfWaiting } },
    );

    expect(await world.attempt(body)).toMatchObject({ kind: "wait", progress: { tries: {}, finished: [] } });

    expect(world.runs).toEqual([]);
  });
});

describe("a handler that is paused while it runs", () => {
  it.each([
    ["its app", app],
    ["its trigger", a],
  ])("begins no further effect, and runs again: %s", async (_whose, target) => {
    const world = createAttemptWorld({
      a: onTrigger("message_sent", async ({ effects }) => {
        await effects.sendText("first", reply);
        await world.pauses.begin("app-1", target, order);
        world.pass(5_001);
        await effects.sendText("second", reply);
      }),
    });

    const outcome = await world.attempt(body);

    expect(outcome).toMatchObject({ kind: "wait", wakeAt: world.now(), progress: { tries: {} } });
    expect(world.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  it("counts as not done, even if it catches the interruption", async () => {
    const world = createAttemptWorld({
      a: onTrigger("message_sent", async ({ effects }) => {
        await world.pauses.begin("app-1", a, order);
        world.pass(5_001);
        await effects.sendText("only", reply).catch(() => undefined);
      }),
    });

    expect(await world.attempt(body)).toMatchObject({ kind: "wait", progress: { finished: [] } });
  });

  it("lets a trigger that has not begun wait with its lane when the app is paused", async () => {
    const world = createNotingWorld({
      a: async () => {
        await world.pauses.begin("app-1", app, order);
        world.pass(5_001);
      },
      b: idle,
    });

    expect(await world.attempt(body)).toMatchObject({
      kind: "wait",
      progress: { finished: ["message_sent a"], tries: {} },
    });
    expect(world.runs).toEqual(["a"]);
  });
});

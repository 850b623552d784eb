import { describe, expect, it } from "vitest";
import type { FlowWaker } from "../../../lib/flows/wake-flows.ts";
import type { AttemptServices } from "../../../lib/handle/attempt-run.ts";
import { events } from "../../../local/testing/events/events.ts";
import { awsFailure } from "../../helpers/failed-calls.ts";
import { body, createNotingWorld, idle, noTriggerLanes, startMs } from "./attempt-world.ts";

const flows = "(flows)";
const refused = () => awsFailure("ThrottlingException");

/** A trigger that records its runs, and a waker that acts as given. */
function createWorld(wake: FlowWaker["wake"], more?: Partial<AttemptServices>) {
  return createNotingWorld({ a: idle }, { waker: { isListed: () => true, wake }, ...more });
}

describe("flows that cannot be woken", () => {
  it("are woken in a separate lane, and the event is done", async () => {
    const world = createWorld(() => Promise.reject(refused()));

    expect(await world.attempt(body)).toEqual({ kind: "done" });

    expect(await world.beside(flows)).toMatchObject([{ messageId: "m-1", finished: ["message_sent a"] }]);
    expect(world.log.map(({ message }) => message)).toContain("flows are woken beside the lane");
  });

  it.each([
    ["do not answer", () => new Promise<never>(() => {})],
    ["are too many for now", async () => false],
  ])("in two seconds are woken in a separate lane as well: those that %s", async (_what, wake) => {
    const world = createWorld(wake);

    expect(await world.attemptInTime(body)).toEqual({ kind: "done" });

    expect(world.now() - startMs).toBeLessThanOrEqual(2_000);
    expect(await world.beside(flows)).toHaveLength(1);
  });

  it("keep their order: the lane's next event waits behind them and does not wake them earlier", async () => {
    const woken: string[] = [];
    let isIll = true;
    const world = createWorld(async (event) => {
      if (isIll) throw refused();
      return woken.push("message" in event ? String(event.message.id) : "") > 0;
    });
    await world.attempt(body);
    isIll = false;

    await world.attempt(events.messageSent({ id: "2" }), { record: { messageId: "m-2", sequence: "2" } });

    expect(woken).toEqual([]);
    expect((await world.beside(flows)).map(({ messageId }) => messageId)).toEqual(["m-1", "m-2"]);
  });

  it("wait in the conversation's lane if the table of lanes fails as well", async () => {
    const refuse = () => Promise.reject(refused());
    const world = createWorld(refuse, { triggerLanes: { ...noTriggerLanes, move: refuse } });

    expect(await world.attempt(body)).toMatchObject({
      kind: "wait",
      progress: { finished: ["message_sent a"], tries: {} },
    });
  });
});

describe("the flows' lane", () => {
  it("wakes the flows, and runs no trigger", async () => {
    const world = createWorld(async (_event, _of, onWoken) => {
      onWoken?.("ask_1");
      return true;
    });

    expect(await world.attempt(body, { laneOfTrigger: flows })).toEqual({ kind: "done" });

    expect(world.runs).toEqual([]);
    expect(world.log).toContainEqual(
      expect.objectContaining({
        message: "handled an event",
        fields: expect.objectContaining({ woke: ["ask_1"] }),
      }),
    );
  });

  it("continues with the remaining flows, and counts no try", async () => {
    const world = createWorld(async () => false);

    const outcome = await world.attempt(body, { laneOfTrigger: flows });

    expect(outcome).toMatchObject({ kind: "wait", wakeAt: startMs, progress: { tries: {} } });
  });

  it("waits while the table fails", async () => {
    const world = createWorld(() => Promise.reject(refused()));

    const outcome = await world.attempt(body, { laneOfTrigger: flows });

    expect(outcome).toMatchObject({ kind: "wait", progress: { tries: {} } });
    expect(await world.beside(flows)).toEqual([]);
  });
});

import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { defineFlow, type FlowDefinition } from "../../../lib/flows/define-flow.ts";
import { restartOf } from "../../../local/console/flows/show-flow.ts";
import { act, createFlowWorld, idIn, messageFlow, startMs } from "./flow-world.ts";

const dayMinutes = 24 * 60;
let world: ReturnType<typeof createFlowWorld>;
let isFaulty: boolean;
let flowIds: string[];
beforeEach(() => {
  isFaulty = true;
  flowIds = [];
});

const does = (name: string) => act(() => world, name);

function fail() {
  if (isFaulty) throw new Error("The handler is faulty.");
}

const greets = defineFlow("greets", z.object({ name: z.string() }), async (flow, { name }) => {
  flowIds.push(flow.id);
  await flow.do("hello", does(`hello ${name}`));
  fail();
  await flow.do("bye", does("bye"));
});

const asks = messageFlow("asks", async (flow) => {
  await flow.do("ask", does("ask"));
  const answer = await flow.waitFor("message_sent", { where: { sender: "chief" }, within: { hours: 1 } });
  await flow.wait({ minutes: 5 });
  fail();
  await flow.do("tell", does(answer === undefined ? "no" : `yes to ${answer.message.id}`));
});

/** Starts the flow, which fails, and returns its id. */
async function failOf(flow: FlowDefinition, input: object = {}, minutes = 1) {
  world = createFlowWorld([flow]);
  const arn = await world.start(flow.name, input);
  await world.play(minutes);
  expect(world.statusOf(arn)?.Status).toBe(isFaulty ? "FAILED" : "RUNNING");
  return idIn(arn);
}

async function restart(id: string) {
  const started = await world.operator.restart(id);
  if (!("newId" in started)) throw new Error(started.kind);
  return started;
}

describe("restart", () => {
  it("starts a failed flow with its first input, and does what it had done once", async () => {
    const id = await failOf(greets, { name: "ann" });
    isFaulty = false;

    const { kind, newId } = await restart(id);
    await world.play(2);

    expect([kind, world.acts]).toEqual(["started", ["hello ann", "bye"]]);
    expect(await world.operator.find(newId)).toMatchObject({
      flow: "greets",
      appId: "app-1",
      status: "SUCCEEDED",
    });
    expect(new Set(flowIds)).toEqual(new Set([id]));
  });

  it("starts a flow once, however often it is called", async () => {
    const id = await failOf(greets, { name: "ann" });

    const first = await Promise.all([restart(id), restart(id)]);
    await world.play(2);
    const second = await restart(id);

    expect(new Set([...first, second].map(({ newId }) => newId))).toHaveLength(1);
    expect(second.kind).toBe("earlier");
    expect(await world.operator.list()).toHaveLength(2);
    const shown = [...(await world.operator.list()), await world.operator.show(id)];
    expect(shown.filter((one) => one?.id === id)).toMatchObject([
      { restartedAs: second.newId },
      { restartedAs: second.newId },
    ]);
    const executions = world.store.peek();
    const restarts = executions.map((one) => [one.name, restartOf(one, executions)]);
    expect(Object.fromEntries(restarts)).toEqual({ [id]: second.newId, [second.newId]: undefined });
    expect(world.operator.planRestart(await world.operator.list())).toMatchObject({
      ready: [{ id: second.newId }],
      earlier: 1,
      tooOld: 0,
    });
    await world.operator.erase(second.newId);
    expect(await world.operator.list()).toMatchObject([{ id, restartedAs: undefined }]);
    expect(world.operator.planRestart(await world.operator.list())).toMatchObject({ ready: [{ id }] });
  });

  it("starts one again that failed again, which finds the effects of both", async () => {
    const id = await failOf(greets, { name: "ann" });
    const { newId } = await restart(id);
    await world.play(2);
    isFaulty = false;

    await restart(newId);
    await world.play(3);

    expect(world.acts).toEqual(["hello ann", "bye"]);
  });

  it("refuses flows that wait for events", async () => {
    isFaulty = false;
    const id = await failOf(asks);
    isFaulty = true;
    await world.play(70);

    expect(await world.operator.restart(id)).toEqual({ kind: "waits" });
  });

  it("judges by the first execution how long its effects are remembered", async () => {
    let id = await failOf(greets, { name: "ann" });
    for (const day of [12, 24]) {
      await world.playUntil(startMs + day * dayMinutes * 60_000);
      id = (await restart(id)).newId;
      await world.play(day * dayMinutes + 2);
    }
    await world.playUntil(startMs + 35 * dayMinutes * 60_000);

    expect(await world.operator.restart(id)).toEqual({ kind: "too-old" });
  });

  it("refuses flows whose effects may soon be forgotten, that did not fail, and that do not exist", async () => {
    isFaulty = false;
    const late = defineFlow("late", z.object({}), async (flow) => {
      await flow.wait({ days: 33 });
      fail();
      await flow.wait({ days: 1 });
    });
    const id = await failOf(late);
    const running = await world.operator.restart(id);
    isFaulty = true;
    await world.play(33 * dayMinutes);
    await world.playUntil(startMs + 34 * dayMinutes * 60_000 + 1);

    expect(running).toEqual({ kind: "not-failed" });
    expect(await world.operator.restart(id)).toEqual({ kind: "too-old" });
    expect(world.operator.planRestart(await world.operator.list())).toMatchObject({
      ready: [],
      tooOld: 1,
    });
    expect(await world.operator.restart("late_unknown")).toEqual({ kind: "unknown" });
  });

  it("leaves no mark, also if the newest code waits for further events", async () => {
    world = createFlowWorld([asks]);
    const request = { flow: "asks", appId: "app-1", input: {}, waitsFor: [], since: startMs };
    const { arn } = world.store.start(world.durableFunction, {
      name: "asks_1",
      payload: JSON.stringify(request),
    });
    await world.play(90);
    expect(world.statusOf(arn)?.Status).toBe("FAILED");
    isFaulty = false;

    const { newId } = await restart("asks_1");
    await world.play(200);

    expect(await world.operator.find(newId)).toMatchObject({ status: "SUCCEEDED" });
    expect(world.flowsTable.items().filter(({ flow }) => String(flow).startsWith("run ~"))).toEqual([]);
  });
});

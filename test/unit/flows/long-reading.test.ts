import { expect, it } from "vitest";
import { AwsCallError } from "../../../lib/aws/aws-call.ts";
import { events } from "../../../local/testing/events/events.ts";
import { createFlowWorld, messageFlow } from "./flow-world.ts";

const spoken = (id: number, sender: string) => events.messageSent({ id: String(id), sender });

it("reads kept events in steps of less than 30 s, before and after waking", async () => {
  const flow = messageFlow("hears-zoe", async (flow) => {
    await flow.wait({ hours: 1 });
    const where = { sender: "zoe" };
    const first = await flow.waitFor("message_sent", { where, within: { days: 1 } });
    const second = await flow.waitFor("message_sent", { where, within: { days: 1 } });
    return [first?.message.id, second?.message.id];
  });
  const world = createFlowWorld([flow], {
    atPoint: (name) => {
      if (name === "after query") world.moveTo(world.now() + 3_000);
    },
  });
  const arn = await world.start("hears-zoe", {});
  await world.play(1);
  const begunMs = world.now();
  for (let id = 1; id <= 1_001; id += 1) {
    world.moveTo(begunMs + id);
    await world.deliver(spoken(id, id === 1_001 ? "zoe" : "ann"));
  }

  await world.play(120);
  await world.deliver(spoken(1_002, "zoe"));
  await world.play(240);

  const begun = new Map<unknown, number>();
  const tookMs = world.store.history(arn).Events.flatMap(({ EventType, EventTimestamp, Id }) => {
    if (EventType === "StepStarted") begun.set(Id, EventTimestamp.getTime());
    return EventType === "StepSucceeded" ? [EventTimestamp.getTime() - (begun.get(Id) ?? 0)] : [];
  });
  expect(world.resultOf(arn)).toEqual(["1001", "1002"]);
  expect(Math.max(...tookMs)).toBeLessThan(30_000);
});

it("recovers if tables are too slow for a question's step", async () => {
  const flow = messageFlow("hears", async (flow) => {
    const first = await flow.waitFor("message_sent", { where: { sender: "zoe" }, within: { days: 1 } });
    return first?.message.id;
  });
  let isSlow = true;
  const world = createFlowWorld([flow], {
    atPoint: (name) => (isSlow && name === "before query" ? new Promise<never>(() => {}) : undefined),
    sleep: () => new Promise((resolve) => (isSlow ? setImmediate(resolve) : undefined)),
  });
  const arn = await world.start("hears", {});
  await world.play(60);
  isSlow = false;
  await world.play(90);
  await world.deliver(spoken(1, "zoe"));
  await world.play(100);

  expect(world.statusOf(arn)).toMatchObject({ Status: "SUCCEEDED", Result: '"1"' });
});

const hearsZoe = (count: number) =>
  messageFlow("hears-zoe", async (flow) => {
    await flow.wait({ hours: 1 });
    const heard: unknown[] = [];
    while (heard.length < count) {
      const next = await flow.waitFor("message_sent", { where: { sender: "zoe" }, within: { days: 7 } });
      heard.push(next?.message.id);
    }
    return heard;
  });

/** A flow before its first question, and other users' events that were kept until then. */
async function keepOthers(count: number, answers: number, atPoint: (name: string) => void = () => {}) {
  const world = createFlowWorld([hearsZoe(answers)], { atPoint });
  const arn = await world.start("hears-zoe", {});
  await world.play(1);
  const begunMs = world.now();
  for (let id = 1; id <= count; id += 1) {
    world.moveTo(begunMs + id);
    await world.deliver(spoken(id, "ann"));
  }
  return { world, arn };
}

it("continues reading after the last page before a failure", async () => {
  let pages = 0;
  const { world, arn } = await keepOthers(2_500, 2, (name) => {
    if (name !== "before query") return;
    pages += 1;
    if (pages % 15 !== 0) return;
    const call = { service: "dynamodb", target: "DynamoDB_20120810.Query", input: {} } as const;
    throw new AwsCallError(call, { code: "ThrottlingException", status: 400, maybeExecuted: false });
  });
  await world.play(120);
  await world.deliver(spoken(2_501, "zoe"));
  await world.play(180);
  await world.deliver(spoken(2_502, "zoe"));
  await world.play(240);

  expect(world.statusOf(arn)).toMatchObject({ Status: "SUCCEEDED", Result: '["2501","2502"]' });
});

it("returns events in order of receipt, even if one is handled days later", async () => {
  const { world, arn } = await keepOthers(1, 2);
  await world.play(120);
  const receivedAt = world.now() + 60_000;
  await world.play(3 * 24 * 60);

  await world.deliver(spoken(3, "zoe"));
  await world.deliver(spoken(2, "zoe"), { receivedAt });
  await world.play(4 * 24 * 60);

  expect(world.resultOf(arn)).toEqual(["2", "3"]);
});

import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import type { Table } from "../../../lib/aws/table.ts";
import { PermanentError } from "../../../lib/base/errors.ts";
import { defineFlow } from "../../../lib/flows/define-flow.ts";
import type { Flow } from "../../../lib/flows/flow.ts";
import { createFlowMarks } from "../../../lib/flows/flow-marks.ts";
import { createFlowQuestions, waitKindOf } from "../../../lib/flows/flow-questions.ts";
import { createFlowWaits } from "../../../lib/flows/flow-waits.ts";
import { createWaitMemory, type OpenWait } from "../../../lib/flows/wait-memory.ts";
import { createFlowWaker } from "../../../lib/flows/wake-flows.ts";
import { events } from "../../../local/testing/events/events.ts";
import { eventOf } from "../../helpers/events/event-of.ts";
import { createMemoryTable } from "../../helpers/memory-table.ts";
import {
  beginFlow,
  createFlowWorld,
  eventFacts,
  type FlowWorldOptions,
  idIn,
  messageFlow,
  startMs,
} from "./flow-world.ts";

const appId = "app-1";
const trigger = "message_sent";
const minuteMs = 60_000;

/** A consumer on a table with counted reads, and flows that ask on it. */
function createWaiting() {
  const table = createMemoryTable("waits", "flow");
  const used = { reads: 0, units: 0, writes: 0 };
  let nowMs = startMs;
  const now = () => nowMs;
  const counted: typeof table = {
    ...table,
    query: async (...asked) => {
      const items = await table.query(...asked);
      used.reads += 1;
      // A consistent read of 4 kB is one unit, as is one that finds nothing.
      used.units += Math.max(1, Math.ceil(Buffer.byteLength(JSON.stringify(items)) / 4_096));
      return items;
    },
    put: (...asked) => {
      used.writes += 1;
      return table.put(...asked);
    },
  };
  const many: string[] = [];
  const questions = createFlowQuestions(table, now, (_app, name) => many.push(name));
  const memory = createWaitMemory();
  const woken: string[] = [];
  const marks = createFlowMarks(counted, now);
  const services = {
    marks,
    isOwn: async () => false,
    hasMessageTrigger: true,
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    callDurable: async () => ({}),
    now,
  };
  const wakerOf = (of = memory) =>
    createFlowWaker(new Set([trigger]), {
      ...services,
      waits: createFlowWaits(counted, now, of),
    });
  let count = 0;

  return {
    table,
    used,
    many,
    woken,
    questions,
    newProcess: createWaitMemory,
    pass: (ms: number) => {
      nowMs += ms;
    },
    ask: async (where: object, more: Partial<OpenWait> = {}) => {
      count += 1;
      const untilMs = nowMs + 60 * minuteMs;
      await questions.expect(appId, [trigger], waitKindOf(where), untilMs);
      const wait: OpenWait = {
        appId,
        trigger,
        where,
        untilMs,
        sinceMs: startMs,
        knownKeys: [],
        listens: [trigger],
        flowId: `flow_${count}`,
        callbackId: `callback ${count}`,
        ...more,
      };
      await questions.open(wait);
      return wait;
    },
    /** An event's cost, and the flows that it woke. */
    deliver: async (body: object, of = memory) => {
      Object.assign(used, { reads: 0, units: 0, writes: 0 });
      const woke: string[] = [];
      count += 1;
      const facts = { ...eventFacts, occurrenceKey: async () => `fact ${count}`, receivedAt: nowMs };
      await wakerOf(of).wake(eventOf(body), facts, (id) => woke.push(id));
      return { ...used, woke };
    },
  };
}

const say = (world: ReturnType<typeof createFlowWorld>, id: string, sender: string) =>
  world.deliver(events.messageSent({ id, sender }));
const stranger = events.messageSent({ id: "9", sender: "stranger", guid: "elsewhere", text: "hello" });

describe("an event for which none of many flows waits", () => {
  it("costs one read unit without waiting flows, and no write", async () => {
    expect(await createWaiting().deliver(stranger)).toMatchObject({ units: 1, writes: 0, woke: [] });
  });

  it("costs one unit for each kind of condition in use, at most five, and is not kept", async () => {
    const world = createWaiting();
    for (let index = 0; index < 500; index += 1) {
      await world.ask({ messageId: `message-${index}` });
      await world.ask({ sender: `user-${index}` });
      await world.ask({ conversation: `group_group-${index}` });
      await world.ask({ group: `group-${index}` });
    }

    expect(await world.deliver(stranger)).toEqual({ reads: 5, units: 5, writes: 0, woke: [] });
    expect(await world.deliver(events.messageSent({ sender: "user-7", guid: "elsewhere" }))).toMatchObject({
      woke: ["flow_30"],
    });
  });
});

describe("a reaction without a waiting flow", () => {
  const reaction = events.messageReactionAdded({ messageId: "1", uid: "ann" });
  const listens = defineFlow(
    "listens",
    { input: z.object({}), waitsFor: ["message_reaction_added"] },
    async () => undefined,
  );
  const daysKept = async (options: FlowWorldOptions, lateMs: number) => {
    const world = createFlowWorld([listens], options);
    await world.deliver(reaction, { receivedAt: startMs - lateMs });
    return world.flowsTable
      .items()
      .map(({ expiration }) => (Number(expiration) * 1_000 - startMs) / 86_400_000);
  };

  it.each([
    ["immediately: for two days", {}, 0, [2]],
    ["late: for 31, also for other flows", {}, minuteMs, [31, 31]],
    ["where no trigger of messages is on: not at all", { hasMessageTrigger: false }, 0, []],
  ])("is kept for the flow that its message may start, handled %s", async (_when, options, lateMs, days) => {
    const kept = await daysKept(options, lateMs);

    expect(kept).toEqual(days);
  });
});

describe("an event for which a flow waits", () => {
  it.each([
    ["its message", { messageId: "1" }],
    ["its thread", { parentId: "77" }],
    ["its sender, in any case", { sender: "ANN" }],
    ["one of several senders", { sender: ["bela", "ann"] }],
    ["its conversation", { conversation: "group_lobby" }],
    ["its group", { group: "Lobby" }],
    ["its receiver", { receiver: "lobby" }],
    ["its text", { text: { words: ["hello"] } }],
    ["any message", {}],
    ["an excluded sender that differs", { sender: { not: "bela" } }],
    ["groups like its own", { group: "lob*" }],
  ])("wakes it by %s, once, also in a new process", async (_what, where) => {
    const world = createWaiting();
    await world.ask(where);
    const body = events.messageSent({ id: "1", sender: "ann", guid: "lobby", text: "hello", parentId: "77" });

    expect(await world.deliver(body)).toMatchObject({ woke: ["flow_1"] });
    expect(await world.deliver(body)).toMatchObject({ woke: [] });
    expect(await world.deliver(body, world.newProcess())).toMatchObject({ woke: [] });
    const left = world.table.items().map(({ waits }) => String(waits));
    expect(left.filter((waits) => /^(flow |app-1 by |app-1 message_sent any)/.test(waits))).toEqual([]);
  });

  it("is kept for the flow's next question if it shares a sender but does not match this one", async () => {
    const world = createWaiting();
    await world.ask({ sender: "ann", text: { words: ["yes"] } });

    await world.deliver(events.messageSent({ id: "1", sender: "ann", guid: "lobby", text: "no" }));
    await world.deliver(events.messageSent({ id: "2", sender: "bela", guid: "lobby", text: "yes" }));

    const kept = await Array.fromAsync(world.questions.keptSince(appId, trigger, 0));
    expect(kept.map(({ text }) => JSON.parse(text).message.id)).toEqual(["1"]);
  });
});

const otherKey = (index: number) => ({
  waits: `app-1 message_sent any ${index % 4}`,
  flow: String(startMs + index).padStart(15, "0"),
});

function putOther(table: Table, index: number, untilMs: number) {
  const ids = { flowId: `other_${index}`, callbackId: `other ${index}` };
  const open = { appId, trigger, ...ids, where: "{}", sinceMs: 0, untilMs, knownKeys: [] };
  return table.put({ ...otherKey(index), ...open });
}

describe("questions without a sender or place", () => {
  it("are refused from 10,000 of an app and name on, with a remedy, and reported before", async () => {
    const world = createWaiting();
    // A hundred of them are closed.
    for (let index = 0; index < 10_099; index += 1)
      await putOther(world.table, index, startMs + (index < 100 ? -1 : 60 * minuteMs));
    world.pass(minuteMs);

    await world.ask({});
    const refused = await world.ask({}).catch((error: unknown) => error);
    await world.ask({ sender: "ann" });

    expect(world.many).toEqual([trigger, trigger]);
    expect(refused).toBeInstanceOf(PermanentError);
    expect(String(refused)).toMatch(
      /^PermanentError: 10000 flows of app app-1 .* Name a messageId, .* group/,
    );
  });

  it("are not reported after they are closed", async () => {
    const world = createWaiting();
    for (let index = 0; index < 9_000; index += 1)
      await putOther(world.table, index, startMs + 60 * minuteMs);
    await world.ask({});
    for (let index = 0; index < 9_000; index += 1) await world.table.delete(otherKey(index));
    world.pass(2 * minuteMs);
    await world.ask({});

    expect(world.many).toEqual([trigger]);
  });

  it("fail the flow's step with that cause, which the flow may catch", async () => {
    const flow = messageFlow("ask", async (flow) =>
      flow.waitFor(trigger, { within: { minutes: 1 } }).catch((error: Error) => error.message),
    );
    const world = createFlowWorld([flow]);
    for (let index = 0; index < 10_000; index += 1)
      await putOther(world.flowsTable, index, startMs + minuteMs);
    const arn = await world.start("ask", {});
    await world.play(1);

    expect(world.statusOf(arn)).toMatchObject({ Status: "SUCCEEDED" });
    expect(world.statusOf(arn).Result).toContain("10000 flows of app app-1 wait for message_sent");
  });
});

describe("a waiting flow", () => {
  const asking = messageFlow("ask", async (flow) => {
    const first = await flow.waitFor(trigger, { where: { sender: "ann" }, within: { minutes: 30 } });
    const second = await flow.waitFor(trigger, { where: { sender: "bela" }, within: { minutes: 30 } });
    return [first?.message.id, second?.message.id];
  });
  const keptIn = (world: ReturnType<typeof createFlowWorld>) =>
    world.flowsTable.items().filter(({ flow }) => String(flow).startsWith("kept ")).length;

  it("keeps only events for its question, and all events between two questions", async () => {
    const world = createFlowWorld([asking]);
    const arn = await world.start("ask", {});
    await say(world, "1", "carl");
    const before = keptIn(world);
    await world.play(1);
    await say(world, "2", "carl");
    const meanwhile = keptIn(world);
    await say(world, "3", "ann");
    // It has not continued yet.
    await say(world, "4", "bela");
    await world.play(2);

    expect([before, meanwhile]).toEqual([1, 1]);
    expect(world.resultOf(arn)).toEqual(["3", "4"]);
  });

  it("with several ways keeps all events until all ways wait", async () => {
    const ways = messageFlow("ways", async (flow) =>
      flow.all([
        (way) => way.waitFor(trigger, { where: { sender: "ann" }, within: { minutes: 30 } }),
        async (way) => {
          await way.wait({ minutes: 5 });
          return way.waitFor(trigger, { where: { sender: "bela" }, within: { minutes: 30 } });
        },
      ]),
    );
    const { world, arn } = await beginFlow(ways);
    await say(world, "1", "carl");
    const before = keptIn(world);
    await world.play(6);
    await say(world, "2", "carl");
    const meanwhile = keptIn(world);
    await say(world, "3", "bela");
    await say(world, "4", "ann");
    await world.play(7);

    expect([before, meanwhile]).toEqual([1, 1]);
    expect(world.resultOf(arn)).toMatchObject([{ message: { id: "4" } }, { message: { id: "3" } }]);
  });

  it.each<[string, (flow: Flow<typeof trigger>) => Promise<unknown>]>([
    [
      "that has its answer",
      (way) => way.waitFor(trigger, { where: { sender: "bela" }, within: { days: 1 } }),
    ],
    ["that slept", (way) => way.wait({ minutes: 3 })],
    ["that listens for a cancel", (way) => way.cancelled],
  ])("keeps no events for another way %s", async (_which, other) => {
    const waiting = (way: Flow<typeof trigger>) =>
      way.waitFor(trigger, { where: { sender: "ann" }, within: { days: 30 } });
    const ways = messageFlow("ways", async (flow) => flow.all([waiting, other]));
    const { world } = await beginFlow(ways);
    await say(world, "1", "bela");
    const before = keptIn(world);
    await world.play(5);
    await say(world, "2", "carl");

    expect(keptIn(world)).toBe(before);
  });

  it("keeps all events after it was cancelled and continues", async () => {
    const flow = messageFlow("ask", async (flow) => {
      await flow.any<unknown>([
        (way) => way.cancelled,
        (way) => way.waitFor(trigger, { where: { sender: "ann" }, within: { days: 1 } }),
      ]);
      await flow.wait({ minutes: 5 });
      return flow.waitFor(trigger, { where: { sender: "bela" }, within: { minutes: 10 } });
    });
    const { world, arn } = await beginFlow(flow);
    await world.operator.cancel(idIn(arn));
    await world.play(2);
    await say(world, "1", "bela");
    await world.play(60);

    expect(world.resultOf(arn)).toMatchObject({ message: { id: "1" } });
  });

  it.each([1, 2])("with %i ways receives both of two quick answers, whenever they arrive", async (count) => {
    const two = async (way: Flow<typeof trigger>, sender: string) => {
      const of = { where: { sender }, within: { days: 1 } };
      const [first, second] = [await way.waitFor(trigger, of), await way.waitFor(trigger, of)];
      return [first?.message.id, second?.message.id].toSorted();
    };
    const ways = [
      (way: Flow<typeof trigger>) => two(way, "bela"),
      (way: Flow<typeof trigger>) => two(way, "ann"),
    ].slice(0, count);
    const flow = messageFlow("quick", async (flow) => flow.all(ways));
    const quick = ["1", "2"].map((id) => events.messageSent({ id, sender: "bela" }));
    /** The answers arrive at the points `at` and `at` + 1, counted from the flow's start or ann's answer. */
    const run = async (at: number) => {
      const left = [...quick];
      let points = 0;
      let isPlaying = false;
      const world: ReturnType<typeof createFlowWorld> = createFlowWorld([flow], {
        atPoint: async () => {
          if (!isPlaying) return;
          points += 1;
          const next = points < at ? undefined : left.shift();
          if (next === undefined) return;
          isPlaying = false;
          await world.deliver(next);
          isPlaying = true;
        },
      });
      const arn = await world.start("quick", {});
      if (count === 2) {
        await world.play(1);
        await say(world, "3", "ann");
      }
      isPlaying = true;
      await world.play(2);
      isPlaying = false;
      if (count === 2) await say(world, "4", "ann");
      await world.play(3);
      return { isOver: left.length > 0, result: world.resultOf(arn)?.[0] };
    };

    const results: unknown[] = [];
    for (let at = 1; ; at += 1) {
      const { isOver, result } = await run(at);
      if (isOver) break;
      results.push(result);
    }
    expect(results).toEqual(results.map(() => ["1", "2"]));
    expect(results.length).toBeGreaterThan(20);
  });

  it("leaves only kept events, outcomes and the kinds of its questions behind", async () => {
    const { world } = await beginFlow(asking, {}, 120);

    const left = world.flowsTable.items().map(({ waits, flow }) => `${waits}|${flow}`);
    expect(left.filter((name) => !name.startsWith("outcome "))).toEqual(["app-1 message_sent|run"]);
  });
});

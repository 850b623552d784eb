import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { defineFlow } from "../../lib/flows/define-flow.ts";
import { createFlowQuestions, waitKindOf } from "../../lib/flows/flow-questions.ts";
import { openKitTable } from "../../local/testing/kit/kit-tables.ts";
import { tableNames } from "../../local/testing/simulated/aws.ts";
import { epochMs } from "../../local/testing/simulated/clock.ts";
import { firstByDay, isNight } from "../helpers/by-day.ts";
import { kept } from "./scenarios/kept.ts";
import { seed, unhurried } from "./seeds.ts";
import { judge, percentile } from "./world/judge.ts";
import { hour, inTurn, isWithin } from "./world/play.ts";
import { createWorld, type World, type WorldOptions } from "./world/world.ts";

const appId = "app-1";
const trigger = "message_sent";
const listener = defineFlow("listener", { input: z.object({}), waitsFor: [trigger] }, async () => undefined);

/** Writes the waits of flows that are suspended until an answer. */
async function openWaits(world: World, wheres: Iterable<object>): Promise<void> {
  const table = openKitTable(world.aws, tableNames.flows, "flow");
  let nowMs = epochMs - hour;
  const questions = createFlowQuestions(table, () => nowMs);
  const untilMs = epochMs + 24 * hour;
  let count = 0;
  for (const where of wheres) {
    count += 1;
    nowMs += 100;
    await questions.expect(appId, [trigger], waitKindOf(where), untilMs);
    const of = { appId, trigger, flowId: `listener_${count}`, callbackId: `callback ${count}` };
    const times = { untilMs, sinceMs: 0 };
    if (waitKindOf(where) !== "any") {
      await questions.open({ ...of, ...times, where, knownKeys: [], listens: [trigger] });
      continue;
    }
    // As `open` writes it, which reads all others each time.
    const place = { waits: `${appId} ${trigger} any ${count % 4}`, flow: String(nowMs).padStart(15, "0") };
    await table.put({ ...place, ...of, ...times, where: JSON.stringify(where), knownKeys: [] });
  }
}

interface Page {
  readonly Items?: Record<string, { S?: string }>[];
  readonly LastEvaluatedKey?: object;
}

/** The items of the flows table, by the beginning of their partition's name. */
function itemsOf(world: World, begin: string): readonly Record<string, { S?: string }>[] {
  const found: Record<string, { S?: string }>[] = [];
  let page: Page = {};
  do {
    const start = page.LastEvaluatedKey && { ExclusiveStartKey: page.LastEvaluatedKey };
    page = world.aws.tables.call("Scan", { TableName: tableNames.flows, ...start });
    found.push(...(page.Items ?? []).filter(({ waits }) => waits?.S?.startsWith(begin)));
  } while (page.LastEvaluatedKey !== undefined);
  return found;
}

/** Simulates minutes of messages in 20 conversations, and returns the average time per event. */
async function playWith(
  wheres: Iterable<object>,
  messages = isNight ? 600 : 200,
  options: Partial<WorldOptions> = {},
) {
  const tookMs: number[] = [];
  const world = createWorld({
    seed,
    flows: [listener],
    ...options,
    onLog: (_level, message, fields) => {
      if (message === "handled an event" && "tookMs" in fields) tookMs.push(Number(fields.tookMs));
    },
  });
  await openWaits(world, wheres);
  for (const fact of inTurn({ messages, conversations: 20, everyMs: 1_000 })) world.send(fact);
  await world.run(2 * hour);
  world.close();
  return { world, meanMs: tookMs.reduce((sum, ms) => sum + ms, 0) / tookMs.length };
}

describe("flows that wait for other events", unhurried, () => {
  const cases = [
    {
      name: "that name a sender",
      many: isNight ? 100_000 : 2_000,
      mostMs: 7.5, // one more read, which takes 2 to 8 ms
      whereOf: (index: number) => ({ sender: `user-${index}` }),
    },
    {
      name: "that name nobody",
      many: isNight ? 10_000 : 1_000,
      mostMs: 12.5,
      whereOf: (index: number) => ({ text: { words: [`code-${index}`] } }),
    },
  ];

  it.each(cases)("cost an event almost no time: $many $name", async ({ many, mostMs, whereOf }) => {
    const messages = isNight ? 2_000 : 200; // enough for a mean within half a millisecond
    const none = await playWith([], messages);
    const some = await playWith(
      Array.from({ length: many }, (_, index) => whereOf(index)),
      messages,
    );

    expect(judge(some.world)).toMatchObject(kept);
    expect(some.meanMs - none.meanMs).toBeLessThan(mostMs);
    expect(itemsOf(some.world, `${appId} ${trigger} kept`)).toEqual([]);
  });
});

describe("an outage of the flows table", unhurried, () => {
  it.each(firstByDay(["silence", "throttled", "failed"] as const))(
    "delays no conversation, and wakes each flow with its event: %s",
    async (fate) => {
      const conversations = Array.from({ length: 20 }, (_, index) => `g${index}`);
      const wheres = conversations.map((group) => ({ group, from: "anybody" }));
      const { world } = await playWith(wheres, undefined, {
        fateOf: (_operation, body, nowMs) =>
          body.includes(`"${tableNames.flows}"`) && isWithin(nowMs, 0, hour) ? fate : "answered",
      });
      const verdict = judge(world);

      expect(verdict).toMatchObject(kept);
      expect(percentile(verdict.latenciesMs, 0.99)).toBeLessThan(5_000);
      const outcomes = itemsOf(world, "outcome ").map(({ text }) => JSON.parse(text?.S ?? "{}").message.id);
      expect(outcomes.toSorted()).toEqual(conversations.map((_, index) => `m${index}`).toSorted());
    },
  );
});

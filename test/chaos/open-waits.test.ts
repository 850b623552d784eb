import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { defineFlow } from "../../lib/flows/define-flow.ts";
import { createFlowQuestions, waitKindOf } from "../../lib/flows/flow-questions.ts";
import { openKitTable } from "../../local/testing/kit/kit-tables.ts";
import { tableNames } from "../../local/testing/world/aws.ts";
import { epochMs } from "../../local/testing/world/clock.ts";
import { firstByDay, isNight } from "./by-day.ts";
import { kept, keptOf } from "./scenarios/kept.ts";
import { seeds, unhurried } from "./seeds.ts";
import { judge, percentile } from "./world/judge.ts";
import { createWorld, type World, type WorldOptions } from "./world/world.ts";

const appId = "app-1";
const trigger = "message_sent";
const hour = 3_600_000;
const listener = defineFlow("listener", { input: z.object({}), waitsFor: [trigger] }, async () => undefined);

/** Writes questions as flows do that rest until they are answered. */
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
    // As `open` writes it, which looks at all others each time.
    const place = { waits: `${appId} ${trigger} any ${count % 4}`, flow: String(nowMs).padStart(15, "0") };
    await table.put({ ...place, ...of, ...times, where: JSON.stringify(where), knownKeys: [] });
  }
}

function* many(count: number, whereOf: (index: number) => object) {
  for (let index = 0; index < count; index += 1) yield whereOf(index);
}

/** The items of the flows table, by the beginning of their partition's name. */
function itemsOf(world: World, begin: string): readonly Record<string, { S?: string }>[] {
  const { Items = [] }: { Items?: Record<string, { S?: string }>[] } = world.aws.tables.call("Scan", {
    TableName: tableNames.flows,
    ConsistentRead: true,
  });
  return Items.filter(({ waits }) => waits?.S?.startsWith(begin));
}

/** Plays ten minutes of messages in 20 conversations, and gives how long an event took at the median. */
async function play(seed: number, wheres: Iterable<object>, options: Partial<WorldOptions> = {}) {
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
  for (let index = 0; index < 600; index += 1) {
    world.send({ id: `m-${index}`, conversation: `g${index % 20}`, atMs: index * 1_000 });
  }
  await world.run(2 * hour);
  world.close();
  return {
    world,
    medianMs: percentile(
      tookMs.toSorted((one, other) => one - other),
      0.5,
    ),
  };
}

describe("flows that wait for other events", () => {
  it.each(seeds())("cost an event nothing to speak of (seed %i)", unhurried, async (seed) => {
    const none = await play(seed, []);
    const bySender = await play(
      seed,
      many(isNight ? 100_000 : 10_000, (index) => ({ sender: `user-${index}` })),
    );

    expect(keptOf(judge(bySender.world))).toEqual(kept);
    expect(bySender.medianMs / none.medianMs).toBeLessThanOrEqual(1.1);
    expect(itemsOf(bySender.world, `${appId} ${trigger} kept`)).toEqual([]);
  });

  it.each(seeds())("cost little where they name nobody (seed %i)", unhurried, async (seed) => {
    const none = await play(seed, []);
    const byText = await play(
      seed,
      many(isNight ? 10_000 : 1_000, (index) => ({ text: { words: [`code-${index}`] } })),
    );

    expect(keptOf(judge(byText.world))).toEqual(kept);
    expect(byText.medianMs / none.medianMs).toBeLessThanOrEqual(1.5);
    expect(itemsOf(byText.world, `${appId} ${trigger} kept`)).toEqual([]);
  });
});

describe("a flows table in trouble", () => {
  it.each(firstByDay(["silence", "throttled", "failed"] as const))(
    "keeps no conversation waiting, and wakes each flow with its event: %s",
    unhurried,
    async (fate) => {
      const conversations = Array.from({ length: 20 }, (_, index) => `g${index}`);
      const isFlows = (body: string) => body.includes(`"${tableNames.flows}"`);
      const { world } = await play(
        1,
        conversations.map((group) => ({ group, from: "anybody" })),
        {
          fateOf: (_operation, body, nowMs) => (isFlows(body) && nowMs < epochMs + hour ? fate : "answered"),
        },
      );
      const verdict = judge(world);

      expect(keptOf(verdict)).toEqual(kept);
      expect(percentile(verdict.latenciesMs, 0.99)).toBeLessThan(5_000);
      const outcomes = itemsOf(world, "outcome ").map(({ text }) => JSON.parse(text?.S ?? "{}").message.id);
      expect(outcomes.toSorted()).toEqual(conversations.map((_, index) => `m-${index}`).toSorted());
    },
  );
});

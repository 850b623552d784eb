import { DurableExecutionClientError, DurableExecutionClientErrorScope } from "@aws/durable-execution-sdk-js";
import { expect, it } from "vitest";
import * as z from "zod/mini";
import { sendText } from "../../../lib/effects/messages/send-text.ts";
import { lookBackOf } from "../../../lib/flows/continue-as.ts";
import { defineFlow } from "../../../lib/flows/define-flow.ts";
import type { Flow } from "../../../lib/flows/flow.ts";
import { watchFlowLimits } from "../../../lib/flows/flow-limits.ts";
import { onTrigger } from "../../../lib/handle/on-trigger.ts";
import { events } from "../../../local/testing/events/events.ts";
import { runAtEveryCrash } from "../../../local/testing/run-at-every-crash.ts";
import { runFlow } from "../../../local/testing/run-flow.ts";
import { runTrigger } from "../../../local/testing/run-trigger.ts";

const say = (text: string) =>
  sendText({ receiver: "bob", receiverType: "user", onBehalfOf: "support", text });

const input = z.object({ round: z.number(), seen: z.array(z.string()) });
const where = { group: "lobby" };
/** Continues after each message. */
const rounds = defineFlow("rounds", { input, waitsFor: ["message_sent"] }, async (flow, { round, seen }) => {
  const next = await flow.waitFor("message_sent", { where, within: { hours: 2 } });
  if (next === undefined) {
    await flow.do("tell", say(`${round}`));
    return { seen, id: flow.id };
  }
  return flow.continueAs({ round: round + 1, seen: [...seen, next.message.id] });
});
const says = (id: string) => events.messageSent({ id, sender: "ann", guid: "lobby" });
const later = ["1", "2", "3"].map((id) => ({ after: "1h", event: says(id) }) as const);

it.each([[], ["after start"], ["before start"], ["after checkpoint"]] as const)(
  "continues with the same id, and receives each event once, with a crash %s",
  async (...crash) => {
    const { sent, flows } = await runFlow(rounds, { round: 1, seen: [] }, { later, crash });

    expect(flows.map(({ state }) => state)).toEqual(Array.from({ length: 4 }, () => "succeeded"));
    expect(flows.at(-1)?.result).toEqual({ seen: ["1", "2", "3"], id: flows[0]?.id });
    expect(sent.map(({ text }) => text)).toEqual(["4"]);
  },
);

it.each([[], ["after wake", "after checkpoint"]] as const)(
  "keeps the order of events with one time across executions, with a crash %s",
  async (...crash) => {
    const ids = Array.from({ length: 8 }, (_, index) => `${100 + index}`);
    const start = onTrigger("message_sent", { where: { group: "start" } }, async ({ effects }) => {
      await effects.start(rounds, { round: 1, seen: [] });
    });
    const first = events.messageSent({ id: "1", sender: "ann", guid: "start" });
    const atOnce = ids.map((id) => ({ after: "1h", event: says(id) }) as const);

    const { flows } = await runTrigger(start, first, { flows: [rounds], later: atOnce, crash });

    expect(flows.at(-1)?.result).toMatchObject({ seen: ids });
  },
);

it("looks back to all events that it was given, or refuses", () => {
  const known = Array.from({ length: 2_001 }, (_, index) => ({ key: `${index}`, receivedAt: 1_000 + index }));
  const of = (count: number, sinceMs: number, earlyMs = 0) => {
    const early = { messageId: "1", sinceMs: earlyMs };
    const {
      since,
      known: keys,
      causedByMessage,
    } = lookBackOf({ sinceMs, known: known.slice(0, count), early });
    return [since, keys[0], keys.length, causedByMessage];
  };

  expect(of(2_000, 9_000, 9_000)).toEqual([9_000, "0", 2_000, "1"]);
  expect(of(2_001, 1_001)).toEqual([1_001, "1", 2_000, undefined]);
  expect(() => of(2_001, 1_000)).toThrow("more than 2000 events");
});

it("refuses an invalid input", async () => {
  // @ts-expect-error
  const strict = defineFlow("strict", input, async (flow) => flow.continueAs({ round: "one" }));

  expect(await runFlow(strict, { round: 1, seen: [] })).toMatchObject({
    state: "failed",
    cause: expect.stringContaining("round"),
  });
});

it("starts and continues with an undefined input", async () => {
  const optional = z.optional(z.object({ round: z.number() }));
  const again = defineFlow("again", optional, async (flow, given) =>
    given?.round === 1 ? flow.continueAs(undefined) : [given ?? "none"],
  );
  const start = onTrigger("message_sent", async ({ effects }) => {
    await effects.start(again, undefined);
  });

  expect((await runTrigger(start, says("1"), { flows: [again] })).flows).toMatchObject([
    { result: ["none"] },
  ]);
  expect((await runFlow(again, { round: 1 })).flows.at(-1)?.result).toEqual(["none"]);
});

type Way = (flow: Flow) => Promise<unknown>;
const goOn: Way = (way) => way.continueAs({});
const goOnQuietly: Way = (way) => way.continueAs({}).catch(() => "caught");
const one: Way = async () => 1;
const sleep: Way = (way) => way.wait({ days: 1 });
const misplaced = (ways: Way) =>
  defineFlow("misplaced", z.object({}), async (flow) => {
    const result = await ways(flow);
    await flow.do("tell", say("On"));
    return result;
  });

it.each<[string, Way]>([
  ["the first of `any`", (flow) => flow.any([goOn, sleep])],
  [
    "a way within ways",
    (flow) => flow.any([(way) => way.all([one, (inner) => inner.any([goOn, sleep])]), sleep]),
  ],
  ["a way after a wait", (flow) => flow.any([(way) => way.wait({ hours: 1 }).then(() => goOn(way)), sleep])],
])("ends the whole flow that would continue by %s", async (_case, ways) => {
  const { sent, state, cause } = await runFlow(misplaced(ways), {});

  expect([sent, state, cause]).toEqual([[], "failed", expect.stringContaining("Cannot call continueAs")]);
});

it.each<[string, Way]>([
  ["that succeeds", (flow) => flow.any([goOnQuietly, sleep])],
  ["that fails", (flow) => flow.all([goOn, sleep]).catch(() => "caught")],
])("ends the whole flow that would continue by a way %s, wherever a process crashes", async (_case, way) => {
  const runs = await runAtEveryCrash(misplaced(way), {});

  for (const { crash, sent, state } of runs) expect([crash, sent, state]).toEqual([crash, [], "failed"]);
});

it("ignores a continuation by a way that lost", async () => {
  const late = defineFlow("late", z.object({}), async (flow) => {
    const won = await flow.any([one, (way) => way.wait({ seconds: 1 }).then(() => goOn(way))]);
    await flow.wait({ days: 1 });
    return won;
  });

  expect(await runFlow(late, {})).toMatchObject({ state: "succeeded", result: 1 });
});

it("accepts another input after an invalid one", async () => {
  const second = defineFlow("second", z.object({ round: z.number() }), async (flow, { round }) => {
    if (round > 1) return round;
    // @ts-expect-error
    return flow.continueAs({ round: "one" }).catch(() => flow.continueAs({ round: 2 }));
  });

  expect((await runFlow(second, { round: 1 })).flows.at(-1)?.result).toBe(2);
});

// flow-limits.test.ts counts operations.
it("warns immediately at four fifths of its bytes, and names the limit where it ends", async () => {
  const warnedAt: number[] = [];
  let sent = 0;
  const quiet = () => {};
  const log = { debug: quiet, info: quiet, warn: () => void warnedAt.push(sent), error: quiet };
  const refused = new DurableExecutionClientError("No.", {
    scope: DurableExecutionClientErrorScope.EXECUTION,
  });
  const lambda = {
    checkpoint: async () => {
      if (sent >= 501) throw refused;
      return { NewExecutionState: {} };
    },
    getExecutionState: async () => ({ Operations: [] }),
  };
  const none = { Operations: [], NextMarker: "" };
  const invocation = { DurableExecutionArn: "arn", CheckpointToken: "", InitialExecutionState: none };
  const { client } = watchFlowLimits(lambda, log, invocation, {});
  const checkpoint = async () => {
    sent += 1;
    const Payload = "y".repeat(200_000);
    const update = { Id: `${sent}`, Type: "STEP", Action: "SUCCEED", Payload } as const;
    return client.checkpoint({ DurableExecutionArn: "arn", CheckpointToken: "", Updates: [update] });
  };

  while (sent < 500) await checkpoint();

  expect(warnedAt).toEqual([400]);
  await expect(checkpoint()).rejects.toThrow(/reached 100 MB written.*flow.continueAs/);
});

it("does nothing more after its error is caught", async () => {
  const caught = defineFlow("caught", input, async (flow, { round }) => {
    if (round > 1) return round;
    try {
      return await flow.continueAs({ round: 2, seen: [] });
    } catch {
      await flow.do("sorry", say("Sorry"));
      return 0;
    }
  });

  const { sent, flows } = await runFlow(caught, { round: 1, seen: [] });

  expect([sent, flows.map(({ state }) => state), flows.at(-1)?.result]).toEqual([
    [],
    ["succeeded", "succeeded"],
    2,
  ]);
});

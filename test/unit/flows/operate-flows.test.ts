import { describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import type { Item } from "../../../lib/aws/table.ts";
import { PermanentError } from "../../../lib/base/errors.ts";
import { defineFlow, type FlowDefinition } from "../../../lib/flows/define-flow.ts";
import type { Flow } from "../../../lib/flows/flow.ts";
import { createFlowMarks } from "../../../lib/flows/flow-marks.ts";
import { events } from "../../../local/testing/events/events.ts";
import { act, createFlowWorld, hear, idIn, messageFlow, startMs } from "./flow-world.ts";

const nothing = z.object({});
let world: ReturnType<typeof createFlowWorld>;
const does = (name: string) => act(() => world, name);

/** Starts a flow, runs its first minutes, and returns its id. */
async function begin(flow: FlowDefinition, minutes = 1, input: object = {}) {
  world = createFlowWorld([flow]);
  const arn = await world.start(flow.name, input);
  await world.play(minutes);
  return idIn(arn);
}

/** Awaits cancellation this long. */
const isCancelledWithin = (flow: Flow, time: { readonly hours: number }) =>
  flow.any([(way) => way.wait(time).then(() => false), (way) => way.cancelled.then(() => true)]);

/** Awaits cancellation in each round, not between two. */
const rounds = defineFlow("rounds", nothing, async (flow) => {
  while (!(await isCancelledWithin(flow, { hours: 1 }))) await flow.wait({ hours: 12 });
  return flow.do("tidy", does("tidy"));
});

describe("createFlowOperator", () => {
  it("lists flows and shows each step with its result", async () => {
    const flow = defineFlow("greet", nothing, async (flow) => {
      await flow.do("hello", does("hello"));
      await flow.wait({ days: 1 });
    });
    const id = await begin(flow);

    const [listed] = await world.operator.list({ status: "RUNNING" });
    const shown = await world.operator.show(id);

    expect(listed).toMatchObject({ id, flow: "greet", status: "RUNNING", startedAt: new Date(startMs) });
    expect(shown).toMatchObject({ appId: "app-1", input: {} });
    expect(shown?.steps).toMatchObject([
      { what: "StepStarted", name: "hello" },
      { what: "StepSucceeded", name: "hello", value: { id: "hello" } },
      { what: "WaitStarted", name: "wait" },
    ]);
    expect(await world.operator.show("greet_unknown")).toBeUndefined();
  });

  it("shows the outcome of a step that Lambda reports as succeeded", async () => {
    const refused = {
      kind: "ask",
      stepsWith: () => ({ act: () => Promise.reject(new PermanentError("refused")) }),
    };
    const id = await begin(defineFlow("greet", nothing, (flow) => flow.do("ask", refused)));

    expect((await world.operator.show(id))?.steps).toMatchObject([
      { what: "StepStarted", outcome: undefined },
      { what: "StepSucceeded", outcome: "failed", cause: expect.stringContaining("refused") },
    ]);
  });

  it("shows the invocations that failed", async () => {
    const steady = defineFlow("steady", nothing, async (flow) => void (await flow.do("hi", does("hi"))));
    world = createFlowWorld([steady], { killAt: 6 });
    const arn = await world.start("steady", {});
    await world.play(60);

    const { steps = [] } = (await world.operator.show(idIn(arn))) ?? {};

    expect(steps.filter(({ what }) => what === "InvocationFailed")).toMatchObject([
      { name: "", cause: expect.stringContaining("The process died at point 6") },
    ]);
  });

  it("lists flows of all versions, the newest first, and finds one by its full id", async () => {
    world = createFlowWorld([]);
    for (const [version, name, minute] of [
      ["1", "greet_1", 0],
      ["2", "greet_12", 1],
      ["10", "greet_3", 2],
      ["2", "greet_4", 3],
    ] as const) {
      world.moveTo(startMs + minute * 60_000);
      world.store.start({ ...world.durableFunction, version }, { name, payload: "{}" });
    }
    const ids = async (limit: number) => (await world.operator.list({ limit })).map(({ id }) => id);

    expect(await ids(3)).toEqual(["greet_4", "greet_3", "greet_12"]);
    expect(await ids(100)).toEqual(["greet_4", "greet_3", "greet_12", "greet_1"]);
    expect((await world.operator.show("greet_1"))?.id).toBe("greet_1");
    expect(await world.operator.cancel("greet_1")).toBe("stopped");
    expect(await world.operator.show("greet")).toBeUndefined();
  });

  it("reads a listed flow directly, without the versions, and notices its end", async () => {
    world = createFlowWorld([]);
    for (const [version, name] of [
      ["1", "greet_1"],
      ["2", "greet_2"],
    ] as const)
      world.store.start({ ...world.durableFunction, version }, { name, payload: "{}" });
    await world.operator.list();
    world.asked.length = 0;

    expect((await world.operator.show("greet_1"))?.status).toBe("RUNNING");
    expect(await world.operator.cancel("greet_1")).toBe("stopped");
    expect(await world.operator.cancel("greet_1")).toBe("over");
    expect(world.asked.filter((name) => name.startsWith("List"))).toEqual([]);

    world.moveTo(startMs + 366 * 86_400_000);
    await world.store.runDue();
    expect(await world.operator.show("greet_1")).toBeUndefined();
    expect(await world.operator.show("greet_1")).toBeUndefined();
  });

  it("stops a flow that does not handle cancellation, and stops watching it", async () => {
    const flow = defineFlow("greet", { input: nothing, waitsFor: ["message_sent"] }, async (flow) => {
      await flow.wait({ days: 1 });
      await flow.do("late", does("late"));
    });
    const id = await begin(flow);

    const became = [];
    for (const asked of [id, id, "greet_unknown"]) became.push(await world.operator.cancel(asked));
    await world.play(2880);

    expect(became).toEqual(["stopped", "over", "unknown"]);
    expect(world.acts).toEqual([]);
    expect(world.flowsTable.items()).toEqual([]);
  });

  it("asks a flow that handles cancellation, which cleans up, and stops it at the second request", async () => {
    const flow = defineFlow("greet", nothing, async (flow) => {
      await isCancelledWithin(flow, { hours: 24 });
      await flow.do("tidy", does("tidy"));
      await flow.wait({ hours: 1 });
    });
    const id = await begin(flow);

    const first = await world.operator.cancel(id);
    await world.play(2);

    expect([first, world.acts]).toEqual(["asked", ["tidy"]]);
    expect(await world.operator.cancel(id)).toBe("stopped");
  });

  it("stops a flow at the second request that did not handle the first", async () => {
    const id = await begin(rounds, 120);

    expect([await world.operator.cancel(id), await world.operator.cancel(id)]).toEqual(["asked", "stopped"]);
  });

  const hears = messageFlow("hears", async (flow) => {
    await hear(flow);
  });

  const isOfFlow = ({ flow, callbackId }: Item) => callbackId !== undefined || `${flow}`.startsWith("run ~");

  /** Plays the flow; stops it at this point, and waits for its running step if requested. */
  async function playHearing(stopAt?: number) {
    const stepEnds = Promise.withResolvers<void>();
    const waiting = Promise.withResolvers<void>();
    let ended: Promise<string> | undefined;
    let seen = 0;
    let waits = 0;
    const stopped = createFlowWorld([hears], {
      atPoint: async () => {
        seen += 1;
        if (seen !== stopAt) return;
        ended = stopped.operator.cancel(idIn(arn));
        await Promise.race([ended, waiting.promise]);
      },
      waitForStep: () => {
        waits += 1;
        waiting.resolve();
        return stepEnds.promise;
      },
    });
    const arn = await stopped.start("hears", {});
    await stopped.play(1);
    await stopped.deliver(events.messageSent({ sender: "ann", guid: "g" }));
    await stopped.play(60);
    stepEnds.resolve();
    return {
      seen,
      became: await ended,
      waits,
      counted: stopped.counted,
      left: stopped.flowsTable.items().filter(isOfFlow),
    };
  }

  it("leaves nothing of a flow that it stops in the middle of a step, whenever it is called", async () => {
    const { seen } = await playHearing();
    for (let at = 1; at <= seen; at += 1) {
      const { became, waits, counted, left } = await playHearing(at);
      expect([at, became, waits, counted, left]).toEqual([at, "stopped", 1, [], []]);
    }
    expect(seen).toBeGreaterThan(50);
  });

  it("does not wait for a step of a flow that waits", async () => {
    const waitForStep = vi.fn(async () => {});
    const waits = messageFlow("waits", async (flow) => void (await hear(flow)));
    world = createFlowWorld([waits], { waitForStep });
    const arn = await world.start("waits", {});
    await world.play(1);

    expect(await world.operator.cancel(idIn(arn))).toBe("stopped");
    expect(waitForStep).not.toHaveBeenCalled();
  });

  it("does not wait for a step that ended before its invocation failed", async () => {
    const waitForStep = vi.fn(async () => {});
    const greets = defineFlow("greets", nothing, async (flow) => {
      await flow.do("hi", does("hi"));
      await flow.wait({ days: 1 });
    });
    world = createFlowWorld([greets]);
    const whatIn = async (arn: string) =>
      (await world.operator.show(idIn(arn)))?.steps.map(({ what }) => what) ?? [];
    let arn = "";
    for (let killAt = 1; !(await whatIn(arn)).includes("StepSucceeded"); killAt += 1) {
      world = createFlowWorld([greets], { killAt, waitForStep });
      arn = await world.start("greets", {});
      await world.play(0);
    }

    expect((await whatIn(arn)).at(-1)).toBe("InvocationFailed");
    expect(await world.operator.cancel(idIn(arn))).toBe("stopped");
    expect(waitForStep).not.toHaveBeenCalled();
  });

  it("removes what an ended flow left, in case Lambda ended it", async () => {
    const id = await begin(
      messageFlow("greet", async () => {}),
      5,
    );
    const marks = createFlowMarks(world.flowsTable, world.now);
    await marks.begin("app-1", ["message_sent"], id);

    expect(await world.operator.cancel(id)).toBe("over");

    expect((await marks.listening("app-1", "message_sent")).isOpen).toBe(false);
  });

  it("asks every way that handles cancellation", async () => {
    const flow = defineFlow("both", nothing, async (flow) => {
      const one = async (way: Flow, name: string) => {
        await isCancelledWithin(way, { hours: 24 });
        await way.do(name, does(name));
      };
      await flow.all([(way) => one(way, "one"), (way) => one(way, "other")]);
    });
    const id = await begin(flow);

    const became = await world.operator.cancel(id);
    await world.play(2);

    expect([became, world.acts.toSorted()]).toEqual(["asked", ["one", "other"]]);
  });

  const round = z.object({ round: z.number() });

  it("reaches the execution that continues the cancelled one", async () => {
    const flow = defineFlow("repeats", round, async (flow, { round }) => {
      if (await isCancelledWithin(flow, { hours: 1 })) return flow.do("tidy", does("tidy"));
      await flow.wait({ hours: 12 });
      return round === 3 ? undefined : flow.continueAs({ round: round + 1 });
    });
    const id = await begin(flow, 120, { round: 1 });

    const became = await world.operator.cancel(id);
    await world.play(100 * 60);

    expect([became, world.acts]).toEqual(["asked", ["tidy"]]);
    expect(world.flowsTable.items()).toEqual([]);
  });

  it.each([
    ["asks", true, "asked"],
    ["stops", false, "stopped"],
  ] as const)("%s a flow by the id of its first execution", async (_, isListening, expected) => {
    const flow = defineFlow("repeats", round, async (flow, { round }) => {
      if (round < 3) return flow.continueAs({ round: round + 1 });
      if (isListening) await flow.cancelled;
      else await flow.wait({ days: 1 });
      return flow.do("tidy", does("tidy"));
    });
    const id = await begin(flow, 1, { round: 1 });

    const became = await world.operator.cancel(id);
    await world.play(60);

    const [last] = await world.operator.list();
    const shown = await world.operator.show(id);
    expect([became, world.acts]).toEqual([expected, isListening ? ["tidy"] : []]);
    expect(await world.operator.cancel(id)).toBe("over");
    expect((await world.operator.show(shown?.continuedAs ?? ""))?.continuedAs).toBe(last?.id);
    expect(world.lines.flatMap(({ fields }) => ("continuedAs" in fields ? fields.continuedAs : []))).toEqual([
      shown?.continuedAs,
      last?.id,
    ]);
  });

  it("has the reported effect, whenever it is called", async () => {
    await begin(rounds, 14 * 60);
    const points = world.points();
    for (let at = 1; at <= points; at += 2) {
      let became: string | undefined;
      let seen = 0;
      const asked = createFlowWorld([rounds], {
        atPoint: async () => {
          seen += 1;
          if (seen === at) became = await asked.operator.cancel(idIn(arn));
        },
      });
      world = asked;
      const arn = await asked.start("rounds", {});
      await asked.play(30 * 60);
      expect([at, became, asked.acts]).toEqual([at, became, became === "asked" ? ["tidy"] : []]);
    }
    expect(points).toBeGreaterThan(20);
  });
});

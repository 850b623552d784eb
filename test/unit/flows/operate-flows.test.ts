import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { PermanentError } from "../../../lib/base/errors.ts";
import { defineFlow } from "../../../lib/flows/define-flow.ts";
import { act, createFlowWorld, messageFlow, startMs } from "./flow-world.ts";

const nothing = z.object({});

describe("createFlowOperator", () => {
  it("lists flows and shows each of their steps with what it gave", async () => {
    const flow = defineFlow("greet", nothing, async (flow) => {
      await flow.do(
        "hello",
        act(() => world, "hello"),
      );
      await flow.wait({ days: 1 });
    });
    const world = createFlowWorld([flow]);
    await world.start("greet", {});
    await world.play(1);

    const [listed] = await world.operator.list({ status: "RUNNING" });
    const shown = await world.operator.show(listed?.id ?? "");

    expect(listed).toMatchObject({ flow: "greet", status: "RUNNING", startedAt: new Date(startMs) });
    expect(shown).toMatchObject({ appId: "app-1", input: {} });
    expect(shown?.steps).toMatchObject([
      { what: "StepStarted", name: "hello" },
      { what: "StepSucceeded", name: "hello", value: { id: "hello" } },
      { what: "WaitStarted", name: "wait" },
    ]);
    expect(await world.operator.show("greet_unknown")).toBeUndefined();
  });

  it("shows the outcome of a step that Lambda reports as succeeded", async () => {
    const flow = defineFlow("greet", nothing, async (flow) => {
      await flow.do("ask", {
        kind: "ask",
        stepsWith: () => ({ act: () => Promise.reject(new PermanentError("refused")) }),
      });
    });
    const world = createFlowWorld([flow]);
    await world.start("greet", {});
    await world.play(1);

    const [listed] = await world.operator.list();
    const shown = await world.operator.show(listed?.id ?? "");

    expect(shown?.steps).toMatchObject([
      { what: "StepStarted", outcome: undefined },
      { what: "StepSucceeded", outcome: "failed", cause: expect.stringContaining("refused") },
    ]);
  });

  it("lists flows of all versions, the newest first, and finds one by its whole id", async () => {
    const world = createFlowWorld([]);
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

  it("asks for a listed flow itself, not for the versions again, and knows when it is gone", async () => {
    const world = createFlowWorld([]);
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

  it("stops a flow that does not listen, and nothing of it is watched for any more", async () => {
    const flow = messageFlow("greet", async (flow) => {
      await flow.wait({ days: 1 });
      await flow.do(
        "late",
        act(() => world, "late"),
      );
    });
    const world = createFlowWorld([flow]);
    await world.start("greet", {});
    await world.play(1);
    const [listed] = await world.operator.list();

    const told = await world.operator.cancel(listed?.id ?? "");
    const again = await world.operator.cancel(listed?.id ?? "");
    await world.play(2880);

    expect([told, again, await world.operator.cancel("greet_unknown")]).toEqual([
      "stopped",
      "over",
      "unknown",
    ]);
    expect(world.acts).toEqual([]);
    expect(world.flowsTable.items()).toEqual([]);
  });

  it("asks a flow that listens, which tidies up, and stops it when it is asked again", async () => {
    const flow = defineFlow("greet", nothing, async (flow) => {
      const isOver = await flow.any([
        async (way) => {
          await way.wait({ days: 1 });
          return false;
        },
        async (way) => {
          await way.cancelled;
          return true;
        },
      ]);
      if (isOver)
        await flow.do(
          "tidy",
          act(() => world, "tidy"),
        );
      await flow.wait({ hours: 1 });
      return isOver;
    });
    const world = createFlowWorld([flow]);
    await world.start("greet", {});
    await world.play(1);
    const [listed] = await world.operator.list();

    const first = await world.operator.cancel(listed?.id ?? "");
    await world.play(2);
    const acts = [...world.acts];
    const second = await world.operator.cancel(listed?.id ?? "");

    expect(first).toBe("asked");
    expect(acts).toEqual(["tidy"]);
    expect(second).toBe("stopped");
  });

  const tidyUp = () => act(() => world, "tidy");
  let world: ReturnType<typeof createFlowWorld>;
  const idIn = (arn: string) => arn.split("/").at(-2) ?? "";
  /** Listens in each round, and not between two. */
  const rounds = defineFlow("rounds", nothing, async (flow) => {
    for (;;) {
      const isCancelled = await flow.any([
        async (way) => {
          await way.wait({ hours: 1 });
          return false;
        },
        async (way) => {
          await way.cancelled;
          return true;
        },
      ]);
      if (isCancelled) return flow.do("tidy", tidyUp());
      await flow.wait({ hours: 12 });
    }
  });

  it("asks a flow that does not listen now, which tidies up when it listens again", async () => {
    world = createFlowWorld([rounds]);
    const arn = await world.start("rounds", {});
    await world.play(120);

    const became = await world.operator.cancel(idIn(arn));
    await world.play(14 * 60);

    expect(became).toBe("asked");
    expect(world.acts).toEqual(["tidy"]);
    expect(world.statusOf(arn).Status).toBe("SUCCEEDED");
    expect(world.flowsTable.items()).toEqual([]);
  });

  it("asks a flow whose listener an earlier version stored", async () => {
    const flow = defineFlow("once", nothing, async (flow) => {
      await flow.cancelled;
      await flow.do("tidy", tidyUp());
    });
    world = createFlowWorld([flow]);
    const arn = await world.start("once", {});
    await world.play(1);
    const [{ waits = "", expiration = 0, ...stored } = {}] = world.flowsTable.items();
    const callbackId = Object.entries(stored).find(([name]) => name.startsWith("callbackId"))?.[1] ?? "";
    await world.flowsTable.put({ waits, flow: "cancel", callbackId, expiration });

    const became = await world.operator.cancel(idIn(arn));
    await world.play(2);

    expect([became, world.acts]).toEqual(["asked", ["tidy"]]);
  });

  it("asks every way that listens", async () => {
    const flow = defineFlow("both", nothing, async (flow) => {
      const one = async (way: typeof flow, name: string) => {
        await way.any<unknown>([(inner) => inner.cancelled, (inner) => inner.wait({ days: 1 })]);
        const tidy = act(() => world, name);
        await way.do(name, tidy);
      };
      await flow.all([(way) => one(way, "one"), (way) => one(way, "other")]);
    });
    world = createFlowWorld([flow]);
    const arn = await world.start("both", {});
    await world.play(1);

    const became = await world.operator.cancel(idIn(arn));
    await world.play(2);

    expect(became).toBe("asked");
    expect(world.acts.toSorted()).toEqual(["one", "other"]);
  });

  it("is heard by the execution that continues the one that was asked", async () => {
    const flow = defineFlow("repeats", z.object({ round: z.number() }), async (flow, { round }) => {
      const isOver = async (way: typeof flow) => {
        await way.wait({ hours: 1 });
        return false;
      };
      const isCancelled = async (way: typeof flow) => {
        await way.cancelled;
        return true;
      };
      if (await flow.any([isOver, isCancelled])) return flow.do("tidy", tidyUp());
      await flow.wait({ hours: 12 });
      return round === 3 ? undefined : flow.continueAs({ round: round + 1 });
    });
    world = createFlowWorld([flow]);
    const arn = await world.start("repeats", { round: 1 });
    await world.play(120);

    const became = await world.operator.cancel(idIn(arn));
    await world.play(100 * 60);

    expect(became).toBe("asked");
    expect(world.acts).toEqual(["tidy"]);
    expect(world.flowsTable.items()).toEqual([]);
  });

  it.each([
    ["asks", true, "asked"],
    ["stops", false, "stopped"],
  ] as const)("%s a flow by the id of its first execution", async (_, isListening, expected) => {
    const input = z.object({ round: z.number() });
    const flow = defineFlow("repeats", input, async (flow, { round }) => {
      if (round < 3) return flow.continueAs({ round: round + 1 });
      if (isListening) await flow.cancelled;
      else await flow.wait({ days: 1 });
      return flow.do("tidy", tidyUp());
    });
    world = createFlowWorld([flow]);
    const id = idIn(await world.start("repeats", { round: 1 }));
    await world.play(1);

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

  it("does what it answers, whenever it is asked", async () => {
    world = createFlowWorld([rounds]);
    await world.start("rounds", {});
    await world.play(14 * 60);
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

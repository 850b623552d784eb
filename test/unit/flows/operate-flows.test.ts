import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
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
});

import { describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { PermanentError } from "../../../lib/base/errors.ts";
import type { Effect } from "../../../lib/effects/effect.ts";
import { ShadowEndedError } from "../../../lib/effects/effect-errors.ts";
import { defineFlow } from "../../../lib/flows/define-flow.ts";
import { act, beginFlow, createFlowWorld, idIn, messageFlow } from "./flow-world.ts";

const nothing = z.object({});

function failing(error: () => Error, tried: string[]): Effect<string> {
  return {
    kind: "test",
    stepsWith: () => ({
      act: async () => {
        tried.push("try");
        throw error();
      },
    }),
  };
}

async function play(error: () => Error) {
  const tried: string[] = [];
  const flow = defineFlow("try", nothing, async (flow) => flow.do("it", failing(error, tried)));
  const { world, arn } = await beginFlow(flow, {}, 2880);
  return { tried, world, execution: world.statusOf(arn) };
}

describe("a step of a flow", () => {
  it("is tried once if it cannot succeed", async () => {
    const { tried, execution } = await play(() => new PermanentError("Never."));

    expect([tried.length, execution.Status]).toEqual([1, "FAILED"]);
  });

  it("gives up when the process crashes in it five times", async () => {
    const flow = defineFlow("try", nothing, async (flow) =>
      flow.do(
        "it",
        act(() => world, "it"),
      ),
    );
    const world = createFlowWorld([flow], { killIn: "before act it" });
    const arn = await world.start("try", {});

    await world.play(2880);

    expect(world.statusOf(arn).Error?.ErrorMessage).toContain("The process crashed 5 times");
  });

  it("ends a flow in shadow without a failure", async () => {
    const { execution, world } = await play(() => new ShadowEndedError("it"));

    expect(execution).toMatchObject({ Status: "SUCCEEDED", Result: "null" });
    expect(world.counted).toEqual([]);
  });

  it.each([
    ["more than a checkpoint holds", "x".repeat(250_000), "is larger than what may be kept"],
    ["what is not JSON", 5n, "is not JSON"],
  ])("fails with its name instead of returning null if its work returns %s", async (_, given, why) => {
    const flow = defineFlow("try", nothing, async (flow) =>
      flow.do("it", { kind: "it", stepsWith: () => ({ act: async () => given }) }),
    );
    const { world, arn } = await beginFlow(flow, {}, 60);

    expect(world.statusOf(arn)).toMatchObject({
      Status: "FAILED",
      Error: {
        ErrorMessage: expect.stringMatching(
          `StoredResultError: Effect "it" of .* is done, but its result ${why}`,
        ),
      },
    });
  });

  it("can be caught, and the flow continues", async () => {
    const flow = defineFlow("try", nothing, async (flow) => {
      try {
        await flow.do(
          "it",
          failing(() => new PermanentError("Never."), []),
        );
      } catch (error) {
        return error instanceof Error ? error.name : "";
      }
      return "";
    });
    const { world, arn } = await beginFlow(flow, {}, 60);

    expect(world.statusOf(arn)).toMatchObject({ Status: "SUCCEEDED", Result: '"FlowStepError"' });
  });
});

it("a flow fails immediately if it is unknown or its input is no longer valid", async () => {
  const flow = defineFlow("strict", z.object({ uid: z.string() }), async () => "over");
  const world = createFlowWorld([flow]);
  const unknown = await world.start("gone", {});
  const misfit = await world.start("strict", { uid: 7 });

  await world.play(60);

  const errorOf = (arn: string) => world.statusOf(arn).Error?.ErrorMessage;
  const again = (arn: string) =>
    `and deploy. New starts then succeed; start this one again (add --stage): npx cometchat-functions flows ${idIn(arn)} --restart`;
  expect(errorOf(unknown)).toMatch(/^There is no flow named "gone".* Add it again, /);
  expect(errorOf(unknown)).toContain(again(unknown));
  expect(errorOf(misfit)).toMatch(/ uid: \w+\. .* Let the schema take what an older version gave, /);
  expect(errorOf(misfit)).toContain(again(misfit));
});

it.each([
  ["ends", async () => "done", { Status: "SUCCEEDED", Result: '"done"' }],
  ["fails", async () => Promise.reject(new TypeError("A bug.")), { Status: "FAILED" }],
])(
  "a flow that %s while its mark cannot be deleted deletes it at the next invocation",
  async (_, run, end) => {
    let failures = 2;
    const world = createFlowWorld([messageFlow("greet", run)], {
      atPoint: (name) => {
        if (name !== "before delete" || failures === 0) return;
        failures -= 1;
        throw new Error("The table does not answer.");
      },
    });
    const arn = await world.start("greet", {});

    await world.play(5);

    expect(world.statusOf(arn)).toMatchObject(end);
    expect(failures).toBe(0);
    expect(world.flowsTable.items()).toEqual([]);
  },
);

it("a flow fails if it awaits something that never ends, outside of a step", async () => {
  const flow = defineFlow("stuck", nothing, async (flow) => {
    await flow.now();
    await new Promise(() => {});
  });
  const world = createFlowWorld([flow]);
  const arn = await world.start("stuck", {});

  const ofRuntime = vi.fn();
  process.on("beforeExit", ofRuntime);
  const played = world.play(60);
  await vi.waitFor(() => expect(world.store.peek()[0]?.operations).toHaveLength(2));
  process.emit("beforeExit", 0);
  await played;

  expect(ofRuntime).not.toHaveBeenCalled();
  expect(process.listeners("beforeExit")).toContain(ofRuntime);
  process.off("beforeExit", ofRuntime);

  const cause = "The flow awaits something that never ends, outside of a step.";
  expect(world.statusOf(arn)).toMatchObject({ Status: "FAILED", Error: { ErrorMessage: cause } });
  expect(world.lines).toMatchObject([
    { level: "error", fields: { flow: "stuck", flowId: idIn(arn), cause: expect.stringContaining(cause) } },
  ]);
  expect(world.counted).toEqual(["FlowFailed"]);
});

it("a flow whose invocation runs out of time is named before Lambda ends it", async () => {
  const flow = defineFlow("slow", nothing, () => new Promise(() => {}));
  const world = createFlowWorld([flow], { remainingMs: 600 });
  const arn = await world.start("slow", {});

  void world.play(1);

  await vi.waitFor(() =>
    expect(world.lines).toMatchObject([{ level: "error", fields: { flow: "slow", flowId: idIn(arn) } }]),
  );
});

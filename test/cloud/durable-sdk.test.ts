import type { DurableContext } from "@aws/durable-execution-sdk-js";
import { expect, it } from "vitest";
import { flows, startMs, storeWithSdk } from "./play-durable.ts";

const day = 86_400_000;

it("replays a flow whose state comes in pages", async () => {
  const done: number[] = [];
  const large = "x".repeat(1_000_000);
  const { store, playUntil, inputs } = storeWithSdk(async (_input: object, context: DurableContext) => {
    for (let step = 0; step < 6; step += 1) {
      await context.step(`step ${step}`, async () => {
        done.push(step);
        return large;
      });
      await context.wait({ minutes: 1 });
    }
  });
  const { arn } = store.start(flows, { payload: "{}" });

  await playUntil(startMs + day);

  expect(store.get(arn).Status).toBe("SUCCEEDED");
  expect(done).toEqual([0, 1, 2, 3, 4, 5]);
  expect(inputs.at(-1)?.InitialExecutionState.NextMarker).toBeDefined();
});

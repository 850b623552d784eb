import type { DurableContext } from "@aws/durable-execution-sdk-js";
import { expect, it } from "vitest";
import { flows, startMs, storeWithSdk } from "./play-durable.ts";

const day = 86_400_000;

it("plays a flow of three days in a moment, each step once", async () => {
  const done: string[] = [];
  const { store, playUntil, inputs } = storeWithSdk(
    async (input: { uid: string }, context: DurableContext) => {
      await context.step("first", async () => done.push(`first ${input.uid}`));
      await context.wait("one day", { days: 1 });
      await context.step("second", async () => done.push("second"));
      await context.wait("two days", { days: 2 });
      return await context.step("third", async () => done.push("third"));
    },
  );
  const { arn } = store.start(flows, { name: "welcome-1", payload: '{"uid":"ada"}' });

  await playUntil(startMs + 4 * day);

  expect(done).toEqual(["first ada", "second", "third"]);
  expect(store.get(arn)).toMatchObject({ Status: "SUCCEEDED", Result: "3" });
  expect(store.get(arn).EndTimestamp).toEqual(new Date(startMs + 3 * day));
  expect(inputs).toHaveLength(3);
});

import { type DurableContext, StepSemantics } from "@aws/durable-execution-sdk-js";
import { describe, expect, it } from "vitest";
import { type CrashPoint, flows, startMs, storeWithSdk } from "./play-durable.ts";

const minute = 60_000;
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

it("runs branches side by side and takes the first", async () => {
  const { store, playUntil } = storeWithSdk(async (_input: object, context: DurableContext) => {
    const branches = await context.parallel(
      [
        async (branch) => await branch.wait({ days: 2 }).then(() => "slow"),
        async (branch) => await branch.wait({ minutes: 5 }).then(() => "quick"),
      ],
      { completionConfig: { minSuccessful: 1 } },
    );
    return branches.getResults();
  });
  const { arn } = store.start(flows, { payload: "{}" });

  await playUntil(startMs + day);

  expect(store.get(arn)).toMatchObject({ Status: "SUCCEEDED", Result: '["quick"]' });
});

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

describe("killed", () => {
  /** A flow with an effect that is done once by its key, as the ledger does it. */
  const play = async (crash?: CrashPoint) => {
    const effects = new Set<string>();
    const attempts: string[] = [];
    const effect = async (name: string) => {
      attempts.push(name);
      effects.add(name);
    };
    const made = storeWithSdk(
      async (_input: object, context: DurableContext) => {
        await context.step("ask", () => effect("ask"));
        const answer = await context.waitForCallback("answer", async (id) => void callbackIds.add(id), {
          timeout: { minutes: 10 },
        });
        await context.parallel([
          async (branch) => await branch.step("left", () => effect("left")),
          async (branch) => {
            await branch.wait({ days: 1 });
            await branch.step("right", () => effect("right"));
          },
        ]);
        await context.step("thank", () => effect("thank"), { semantics: StepSemantics.AtMostOncePerRetry });
        return answer;
      },
      crash ? { crash } : {},
    );
    const callbackIds = new Set<string>();
    const { arn } = made.store.start(flows, { payload: "{}" });
    await made.playUntil(startMs + 5 * minute);
    for (const id of callbackIds) {
      try {
        made.store.completeCallback(id, { result: "yes" });
      } catch {
        // of an attempt that died
      }
    }
    await made.playUntil(startMs + 3 * day);
    return {
      ...made.store.get(arn),
      effects: [...effects].toSorted(),
      attempts,
      checkpoints: made.checkpoints(),
    };
  };

  it("at any checkpoint, before or after it is written, a flow comes to its end with every effect", async () => {
    const whole = await play();
    expect(whole).toMatchObject({ Status: "SUCCEEDED", Result: '"yes"' });
    expect(whole.attempts).toHaveLength(4);
    expect(whole.checkpoints).toBeGreaterThan(8);

    for (let nth = 1; nth <= whole.checkpoints; nth += 1) {
      for (const when of ["before", "after"] as const) {
        const killed = await play({ nth, when });

        expect(killed, `${when} checkpoint ${nth}`).toMatchObject({ Status: "SUCCEEDED", Result: '"yes"' });
        expect(killed.effects, `${when} checkpoint ${nth}`).toEqual(whole.effects);
        expect(killed.attempts.length, `${when} checkpoint ${nth}`).toBeLessThanOrEqual(6);
      }
    }
  });
});

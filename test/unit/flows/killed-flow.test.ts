import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { defineFlow } from "../../../lib/flows/define-flow.ts";
import type { Flow } from "../../../lib/flows/flow.ts";
import { events } from "../../../local/testing/events/events.ts";
import { act, createFlowWorld } from "./flow-world.ts";

describe("a flow whose process dies", () => {
  /** Everything that a flow can do, with an answer to a question that comes before the flow waits for it. */
  async function play(killAt: number) {
    const flow = defineFlow(
      "all-of-it",
      { input: z.object({}), waitsFor: ["message_sent"] },
      async (flow: Flow<"message_sent">) => {
        await flow.do(
          "ask",
          act(() => world, "ask"),
        );
        const answer = await flow.waitFor("message_sent", { within: { minutes: 30 } });
        await flow.wait({ minutes: 10 });
        const both = await flow.all([
          (way) =>
            way.do(
              "left",
              act(() => world, "left"),
            ),
          async (way) => {
            await way.wait({ minutes: 1 });
            return way.do(
              "right",
              act(() => world, "right"),
            );
          },
        ]);
        const first = await flow.any([
          async (way) => {
            await way.wait({ days: 1 });
            return "slow";
          },
          async (way) =>
            (await way.waitFor("message_sent", { within: { minutes: 5 } })) === undefined
              ? "nobody"
              : "somebody",
        ]);
        const isRead = answer?.head.occurredAt instanceof Date;
        return {
          text: answer?.message.data.text,
          isRead,
          both,
          first,
          at: (await flow.now()) instanceof Date,
        };
      },
    );
    const world = createFlowWorld([flow], {
      killAt,
      atPoint: async (name) => {
        // The quickest answer there is: before the question has been written down as done.
        if (name === "after act ask")
          await world.deliver(events.messageSent({ text: "yes" }), { key: "yes" });
      },
    });
    const arn = await world.start("all-of-it", {});
    await world.play(1440);
    return { world, execution: world.statusOf(arn) };
  }

  const expected = {
    text: "yes",
    isRead: true,
    both: [{ id: "left" }, { id: "right" }],
    first: "nobody",
    at: true,
  };

  it("does each step once and comes to the same end, wherever it died", { timeout: 600_000 }, async () => {
    const { world: undisturbed, execution } = await play(Number.MAX_SAFE_INTEGER);
    expect(JSON.parse(execution.Result ?? "null")).toEqual(expected);
    const points = Array.from({ length: undisturbed.points() }, (_, index) => index + 1);

    // Side by side: most of the time each of them waits for the SDK to suspend it.
    const plays = points.map(async (killAt) => {
      const { world, execution } = await play(killAt);
      const seen = { acts: [...world.acts].sort(), result: JSON.parse(execution.Result ?? "null") };
      const isRight =
        JSON.stringify(seen) === JSON.stringify({ acts: ["ask", "left", "right"], result: expected });
      return isRight ? [] : [{ killAt, status: execution.Status, ...seen }];
    });
    const wrong = (await Promise.all(plays)).flat();

    expect(undisturbed.points()).toBeGreaterThan(60);
    expect(wrong).toEqual([]);
  });
});

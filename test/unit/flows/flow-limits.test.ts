import { expect, it } from "vitest";
import * as z from "zod/mini";
import { defineFlow } from "../../../lib/flows/define-flow.ts";
import type { Flow } from "../../../lib/flows/flow.ts";
import { beginFlow } from "./flow-world.ts";

it("warns about a flow that repeats ways, and names the limit that ends it", async () => {
  const sleep = (way: Flow) => way.wait({ minutes: 1 });
  const rounds = defineFlow("rounds", z.object({}), async (flow) => {
    for (;;) await flow.any(Array.from({ length: 24 }, () => sleep));
  });
  const { world, arn } = await beginFlow(rounds, {}, 120);

  const { Status, Error: error } = world.statusOf(arn);
  const warned = world.lines.find(({ message }) => message.includes("is near the limits"));
  expect([Status, error?.ErrorMessage]).toEqual([
    "FAILED",
    expect.stringContaining("reached 3000 operations"),
  ]);
  // Each round has 49. The first is the execution.
  expect(warned?.fields).toMatchObject({ operations: 1 + 49 * 49 });
});

import { expect, it } from "vitest";
import { createWaitForStep } from "../../../cli/flows/open-flows.ts";

it("says what it waits for, and how to continue if it is interrupted", async () => {
  const said: string[] = [];
  const slept: unknown[] = [];
  const interruption = new AbortController();
  const { signal } = interruption;
  const sleep = async (...how: readonly unknown[]) => void slept.push(how);
  const waitForStep = createWaitForStep({
    out: { progress: (text) => said.push(text) },
    edges: { sleep, signal },
  });

  await waitForStep("remind_1", 10_000);
  interruption.abort();
  const interrupted = waitForStep("remind_1", 10_000);

  await expect(interrupted).rejects.toMatchObject({
    exitCode: 130,
    message: expect.stringContaining("The flow remind_1 is stopped"),
    hint: expect.stringContaining("flows remind_1 --cancel"),
  });
  expect(slept).toEqual([
    [10_000, signal],
    [10_000, signal],
  ]);
  expect(said[0]).toMatch(
    /remind_1 is stopped: waiting for its running step to end, for 2.5 minutes at most/,
  );
});

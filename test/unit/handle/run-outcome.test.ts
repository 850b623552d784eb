import { expect, it } from "vitest";
import { RunOutcome } from "../../../lib/handle/run-outcome.ts";

it.each([
  ["now", "acted"],
  ["found", "acted"],
  ["earlier", "already-done"],
  ["shadow", "shadow"],
] as const)("reports the outcome of an effect that was done %s: %s", (how, outcome) => {
  const run = new RunOutcome();

  run.noteEffect({ name: "reply", kind: "message", how, made: 7 });

  expect(run.fields()).toMatchObject({ outcome, why: expect.stringContaining("reply (made 7)") });
});

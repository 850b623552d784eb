import { describe, expect, it } from "vitest";
import { judgeFunctions } from "../../../../cli/doctor/check-aws.ts";
import { judgeRuns } from "../../../../cli/see/status-metrics.ts";
import { remediesFor } from "../../../../lib/operate/doctor/remedies.ts";

const nowMinute = 100;

/** `runs/failures` of the minutes until now, as in "1/1 0/0": the last is now. */
function judge(minutes: string, isFedByQueue = false) {
  const counts = minutes.split(" ").map((minute) => minute.split("/").map(Number));
  const seriesOf = (place: number) =>
    counts.map(
      (minute, index) => [(nowMinute - counts.length + 1 + index) * 60, minute[place] ?? 0] as const,
    );
  const judged = judgeRuns(seriesOf(0), seriesOf(1), { nowMs: nowMinute * 60_000 + 30_000, isFedByQueue });
  return judged.state;
}

describe("judgeRuns", () => {
  it.each([
    ["nothing ran", "0/0 0/0", "well"],
    ["nothing failed", "3/0 2/0", "well"],
    ["the last run failed, just now", "1/0 1/1", "fails"],
    ["all runs failed, and the next one succeeded", "2/2 3/3 1/0", "well"],
    ["one run in two fails, and two succeeded since", "4/2 2/0", "fails"],
    ["one run in two fails, and six succeeded since", "4/2 6/0", "well"],
    ["five minutes have passed without a failure", "4/2 1/0 0/0 0/0 0/0 0/0", "well"],
    ["the last run failed more than five minutes ago", "1/1 0/0 0/0 0/0 0/0 0/0", "unproven"],
    ["it failed between successful runs, and did not run since", "2/1 0/0 0/0 0/0 0/0 0/0", "well"],
  ])("judges a function by what it did since: %s", (_, minutes, state) => {
    expect(judge(minutes)).toBe(state);
  });

  it("reports a crash of the queue's function as failing until its event can return", () => {
    const ends = ["1/1 1/0", "3/1 2/0 0/0", "3/1 1/0 0/0 0/0", "1/1 0/0 0/0 0/0"].map((minutes) =>
      judge(minutes, true),
    );

    expect(ends).toEqual(["fails", "fails", "well", "fails"]);
  });
});

it("judgeFunctions reports a function that did not run after its failure as unknown", () => {
  const counts = { invocations: 1, errors: 1, throttles: 0, isThrottledNow: false };
  const seed = { ...counts, function: "seed", failsNow: false, lastFailedAt: "2026-11-26T02:48:00.000Z" };

  const found = judgeFunctions([seed], remediesFor("--local"));

  expect(found).toEqual([
    {
      status: "unknown",
      says: "seed ended with an error or without an answer at 2026-11-26T02:48Z, and did not run since.",
      remedy: "npx cometchat-functions logs --function seed --level error --since 1h --local",
    },
  ]);
});

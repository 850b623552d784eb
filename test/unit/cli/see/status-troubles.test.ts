import { expect, it } from "vitest";
import { findTroubles } from "../../../../cli/see/status-troubles.ts";

const app = { appId: "shop", handledPerMinute: 0, closed: [], isInTrouble: false, paused: [] };
const deadLetters = { queue: "dead letters", waiting: 1, taken: 0 };
const again = { unsettled: [], isFailing: () => true };
const well = { at: "2026-01-01T00:00:00Z", stack: "UPDATE_COMPLETE", queues: [], functions: [] };

it("is content with what failed within the hour and was mended", () => {
  const fails = { function: "webhook", invocations: 2, errors: 1, throttles: 1 };
  const functions = [{ ...fails, failsNow: false, isThrottledNow: false }];
  const apps = [{ ...app, failures: { EventTooOld: 1, DeliveryUnauthorized: 3 }, failing: [] }];

  expect(findTroubles({ ...well, functions, apps }, [], again, "--local")).toEqual([]);
});

it.each([
  [61, "App shop: 61 events skipped as too old in the last hour."],
  [1, "App shop: 1 event skipped as too old in the last hour."],
])("says how many events became too old, and where they are: %i", (count, says) => {
  const apps = [{ ...app, failures: { EventTooOld: count } }];

  const troubles = findTroubles({ ...well, queues: [deadLetters], apps }, [], again, "--local");

  expect(troubles).toEqual([
    expect.objectContaining({ says: "Dead-lettered events: 1." }),
    { says, type: "npx cometchat-functions dead-letters list --app shop --text passed-over --local" },
  ]);
});

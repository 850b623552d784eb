import { expect, it } from "vitest";
import { findTroubles } from "../../../../cli/see/status-troubles.ts";

const app = { appId: "shop", handledPerMinute: 0, closed: [], isInTrouble: false, paused: [] };
const well = { at: "2026-01-01T00:00:00Z", stack: "UPDATE_COMPLETE", queues: [], functions: [] };

it.each([
  [61, "App shop: 61 events skipped as too old in the last hour."],
  [1, "App shop: 1 event skipped as too old in the last hour."],
])("says how many events became too old, and where they are: %i", (count, says) => {
  const apps = [{ ...app, failures: { EventTooOld: count } }];

  const troubles = findTroubles({ ...well, apps }, [], "--local");

  expect(troubles).toEqual([
    { says, type: "npx cometchat-functions dead-letters list --app shop --text passed-over --local" },
  ]);
});

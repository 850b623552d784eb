import { expect, it } from "vitest";
import { findTroubles } from "../../../../cli/see/look-again.ts";

const app = { appId: "shop", handledPerMinute: 0, closed: [], isInTrouble: false, paused: [] };
const again = { unsettled: [], isFailing: () => true, tooOld: new Map<string, number>() };
const well = { at: "2026-01-01T00:00:00Z", stack: "UPDATE_COMPLETE", queues: [], functions: [] };

it("ignores resolved failures of the last hour", () => {
  const fails = { function: "webhook", invocations: 2, errors: 1, throttles: 1 };
  const functions = [{ ...fails, failsNow: false, isThrottledNow: false }];
  const apps = [{ ...app, failures: { EventTooOld: 1, DeliveryUnauthorized: 3 }, failing: [] }];

  expect(findTroubles({ ...well, functions, apps }, [], again, "--local")).toEqual([]);
});

const read = "npx cometchat-functions dead-letters list";
const ofShop = `${read} --app shop --text passed-over --local`;

it.each([
  ["61 of 61", 61, 61, [["App shop: 61 events were skipped as too old.", ofShop]]],
  [
    "1 of 3",
    3,
    1,
    [
      ["Dead-lettered events: 2.", `${read} --local`],
      ["App shop: 1 event was skipped as too old.", ofShop],
    ],
  ],
  ["none of 1", 1, 0, [["Dead-lettered events: 1.", `${read} --local`]]],
])("counts too-old events apart from dead letters: %s", (_case, waiting, tooOld, expected) => {
  const queues = [{ queue: "dead letters", waiting, taken: 0 }];
  const apps = [{ ...app, failures: { EventTooOld: 61 } }];

  const troubles = findTroubles(
    { ...well, queues, apps },
    [],
    { ...again, tooOld: new Map(tooOld === 0 ? [] : [["shop", tooOld]]) },
    "--local",
  );

  expect(troubles.map(({ says, type }) => [says, type])).toEqual(expected);
});

it("reports a backlog from the same age as the doctor", () => {
  const queues = [{ queue: "events", waiting: 1, taken: 0, oldestSeconds: 660 }];

  const troubles = findTroubles({ ...well, queues, apps: [] }, [], again, "--local");

  expect(troubles.map(({ says }) => says)).toEqual(["The oldest event waits for 11 minutes."]);
});

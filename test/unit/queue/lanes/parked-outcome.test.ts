import { expect, it } from "vitest";
import type { ParkedLane } from "../../../../lib/queue/lanes/lane-store.ts";
import { parkedOutcome } from "../../../../lib/queue/lanes/parked-outcome.ts";
import { noProgress } from "../../../../lib/queue/lanes/progress.ts";

const nowMs = Date.UTC(2026, 2, 2, 8);
const later = { wakeAt: nowMs + 5_000 };
const past = { wakeAt: nowMs - 3_600_000 };
const begun = { head: { sequence: "1", since: nowMs, progress: { ...noProgress, deaths: 2 } } };

it.each([
  [
    "a future time",
    later,
    0,
    "It waits until 2026-03-02T08:00:05Z: it is number 1 of 2 of its conversation.",
  ],
  ["no past time", past, 0, "It waits: it is number 1 of 2 of its conversation."],
  [
    "an attempt that has not ended, and when the next one begins",
    { ...past, ...begun },
    0,
    "It waits: it is number 1 of 2 of its conversation; it was begun 2 times and has not ended: if its process died, the next attempt begins within 75 s.",
  ],
  [
    "an attempt at the event before it that has not ended",
    { ...past, ...begun },
    1,
    "It waits: it is number 2 of 2 of its conversation; the first one was begun 2 times and has not ended: if its process died, the next attempt begins within 75 s.",
  ],
  [
    "an earlier attempt that has not ended, until the next one begins",
    { ...later, ...begun },
    0,
    "It waits until 2026-03-02T08:00:05Z: it is number 1 of 2 of its conversation; it was begun 2 times and has not ended.",
  ],
  [
    "no attempt of a lane whose turn ended",
    { ...past, ...begun, turnEnded: true as const },
    0,
    "It waits: it is number 1 of 2 of its conversation.",
  ],
])("names %s", (_what, lane, place, why) => {
  const parked: ParkedLane = { version: 0, head: undefined, ...lane };

  expect(parkedOutcome(parked, { place, length: 2, trigger: undefined, nowMs })).toEqual({
    outcome: "waiting",
    why,
  });
});

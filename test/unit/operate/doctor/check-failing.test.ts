import { expect, it } from "vitest";
import { checkFailing } from "../../../../lib/operate/doctor/check-failing.ts";
import { remediesFor } from "../../../../lib/operate/doctor/remedies.ts";
import { laneOf } from "../../../../lib/queue/lanes/lane-record.ts";
import { openLaneStores } from "../../../../lib/queue/lanes/lane-store.ts";
import { noProgress } from "../../../../lib/queue/lanes/progress.ts";
import { createMemoryTable } from "../../../helpers/memory-table.ts";

const nowMs = Date.UTC(2026, 2, 2, 8);
const { id: laneId } = laneOf("events", "group", "greet");

it.each([
  [
    "the same event",
    { deliveryKey: "app-1|message_sent|1", deaths: 1 },
    ["The trigger greet ended without a result once"],
  ],
  [
    "an event before it",
    { deliveryKey: "app-1|message_sent|0", deaths: 5 },
    ["No trigger or flow fails now"],
  ],
  ["none", undefined, ["No trigger or flow fails now"]],
])("counts logged crashes, not a running attempt: %s", async (_case, crash, expected) => {
  const lanes = createMemoryTable("lane", "item");
  const { store } = openLaneStores(lanes, () => nowMs);
  const head = { sequence: "1", progress: { ...noProgress, deaths: 2 }, since: nowMs };
  await store.park(laneId, { wakeAt: nowMs, head });
  const key = "app-1|message_sent|1";
  const messageBody = JSON.stringify({ appId: "app-1", trigger: "message_sent", key, receivedAt: 1 });
  await store.append(laneId, { messageId: "1", messageBody, sequence: "1" });
  const logs = {
    failing: async () => [],
    crashes: async () => new Map(crash && [[laneId, crash]]),
    runningTrigger: async () => undefined,
  };

  const found = await checkFailing(
    "app-1",
    { lanes, now: () => nowMs, remedies: remediesFor("--local") },
    logs,
    undefined,
  );

  expect(found.map(({ says }) => says)).toEqual(expected.map((text) => expect.stringContaining(text)));
});

it("reports failures that are too many to read as wrong", async () => {
  const services = {
    lanes: createMemoryTable("lane", "item"),
    now: () => nowMs,
    remedies: remediesFor("--local"),
  };
  const logs = {
    failing: async () => undefined,
    crashes: async () => new Map(),
    runningTrigger: async () => undefined,
  };

  expect(await checkFailing("app-1", services, logs, undefined)).toMatchObject([
    { status: "wrong", says: expect.stringContaining("too many failures") },
  ]);
});

it.each([
  ["fails while other events wait for it", true, [{ status: "wrong" }, { status: "wrong" }]],
  [
    "no longer fails once no event waits for it",
    false,
    [{ status: "ok", says: "No trigger or flow fails now." }],
  ],
])("a trigger whose last event is a dead letter %s", async (_case, isParked, expected) => {
  const lanes = createMemoryTable("lane", "item");
  const { store } = openLaneStores(lanes, () => nowMs);
  if (isParked) await store.park(laneId, { wakeAt: nowMs, head: undefined });
  const services = { lanes, now: () => nowMs, remedies: remediesFor("--local") };
  const greet = { sinceMs: nowMs, count: 5, cause: "no luck", waitsIn: new Set([laneId]) };
  const failing = [
    { what: "trigger greet", ...greet },
    { what: "trigger echo", ...greet, waitsIn: new Set(["events another lane", laneId]) },
  ];
  const logs = {
    failing: async () => failing,
    crashes: async () => new Map(),
    runningTrigger: async () => undefined,
  };

  const found = await checkFailing("app-1", services, logs, undefined);

  expect(found).toMatchObject(expected);
});

import { expect, it } from "vitest";
import { findParked, readPlaces } from "../../../../cli/see/trace-places.ts";
import { createLaneStore } from "../../../../lib/queue/lanes/lane-store.ts";
import { createMemoryTable } from "../../../helpers/memory-table.ts";

const { signal } = new AbortController();
const keyOf = (number: number) => `shop|message_sent|${number}`;

async function laneOf(count: number) {
  const store = createLaneStore(createMemoryTable("lane", "item"), () => 1_000);
  await store.park("events g", { wakeAt: 5_000, head: undefined });
  for (let number = 1; number <= count; number += 1) {
    const message = { appId: "shop", trigger: "message_sent", key: keyOf(number), receivedAt: number };
    const record = { messageId: `m-${number}`, sequence: String(number).padStart(20, "0") };
    await store.put("events g", { ...record, messageBody: JSON.stringify(message) });
  }
  return store;
}

it("reads a lane to its end, page by page", async () => {
  const { places, length } = await readPlaces(await laneOf(450), "events g", signal);

  expect([places.size, length]).toEqual([450, 450]);
  expect(places.get(keyOf(450))).toEqual({ place: 449, receivedAt: 450 });
});

it.each([
  [
    "within the read part",
    3,
    ["It waits until 1970-01-01T00:00:05Z: it is number 3 of its conversation."],
    [],
  ],
  [
    "perhaps after it",
    999,
    [],
    [`${keyOf(999)}: whether it waits behind the first 200 events of its conversation`],
  ],
])(
  "reports neither length nor absence in a lane that is too long, for an event %s",
  async (_case, number, why, noted) => {
    const store = await laneOf(250);
    const missing: string[] = [];
    const lanes = { find: store.find, readPlaces: (id: string) => readPlaces(store, id, signal, 200) };

    const { places, isCut } = await findParked(keyOf(number), ["events g"], lanes, {
      missing,
      now: () => 1_000,
    });

    expect(places.map(({ outcome }) => outcome.why)).toEqual(why);
    expect({ isCut, missing }).toEqual({ isCut: noted.length > 0, missing: noted });
  },
);

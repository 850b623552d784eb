import { expect, it } from "vitest";
import type { ShownFlow } from "../../../../lib/flows/operate-flows.ts";
import { flowStore } from "../../../../lib/operate/personal-data/flow-store.ts";
import { createMentions } from "../../../../lib/operate/personal-data/mentions.ts";
import {
  collect,
  eraseFrom,
  type PersonalStore,
} from "../../../../lib/operate/personal-data/personal-store.ts";

const { signal } = new AbortController();

it("erases the rest when it runs again after a failure in the middle of a store", async () => {
  const left = new Set(Array.from({ length: 20 }, (_, index) => `${index}`));
  let failures = 1;
  const store: PersonalStore = {
    name: "store",
    find: async function* () {
      for (const id of left) {
        const erase = async () => {
          if (left.size === 10 && failures-- > 0) throw new Error("killed");
          left.delete(id);
        };
        yield { id, content: {}, erase };
      }
    },
  };

  await expect(eraseFrom([store], () => {}, signal)).rejects.toThrow("killed");
  expect(left.size).toBeGreaterThan(0);
  await eraseFrom([store], () => {}, signal);

  expect((await collect([store])).get("store")).toEqual([]);
});

it("stops a running flow that listens for its cancellation, and no flow of another app", async () => {
  const asked: string[] = [];
  const startedAt = new Date(0);
  const flow = (id: string, appId: string, endedAt?: Date): ShownFlow => ({
    ...{ id, appId, flow: "f", status: endedAt ? "SUCCEEDED" : "RUNNING", startedAt, endedAt },
    ...{ input: { uid: "mia" }, result: undefined, cause: undefined, steps: [] },
  });
  const flows = [flow("own", "shop"), flow("other", "school"), flow("ended", "shop", startedAt)];
  const store = flowStore(
    { appId: "shop", uid: "mia", mentions: createMentions("mia") },
    {
      list: async () => flows,
      show: async (wanted) => flows.find(({ id }) => id === wanted),
      cancel: async (id) => (asked.push(id) === 1 ? "asked" : "stopped"),
    },
  );

  await eraseFrom([store], () => {}, signal);

  expect(asked).toEqual(["own", "own"]);
  const found = (await collect([store])).get("flows") ?? [];
  expect(found.map(({ id, endsAt }) => [id, endsAt])).toEqual([
    ["own", undefined],
    ["ended", "1970-01-15T00:00:00.000Z"],
  ]);
});

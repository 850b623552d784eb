import { expect, it } from "vitest";
import { ChatApiError } from "../../../../lib/chat/errors.ts";
import type { ShownFlow } from "../../../../lib/flows/operate-flows.ts";
import {
  collect,
  createMentions,
  eraseFrom,
  type PersonalStore,
} from "../../../../lib/operate/personal-data/personal-store.ts";
import { flowStore, tableStores } from "../../../../lib/operate/personal-data/table-stores.ts";

const { signal } = new AbortController();

it("erases the rest in a second run after a failure within a store", async () => {
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

  expect([...(await eraseFrom([store], () => {}, signal)).failures.keys()]).toEqual(["store"]);
  expect(left.size).toBeGreaterThan(0);
  await eraseFrom([store], () => {}, signal);

  expect((await collect([store])).get("store")).toEqual([]);
});

const refused = { operation: "o", code: "ERR_MESSAGE_NO_ACCESS", status: 403, maybeExecuted: false } as const;
const storeOf = (name: string, tries: string[], error?: Error): PersonalStore => ({
  name,
  find: async function* () {
    for (const id of ["1", "2"]) {
      const erase = async () => {
        tries.push(`${name} ${id}`);
        if (id === "1" && error) throw error;
      };
      yield { id, content: {}, erase };
    }
  },
});

it.each<[string, Error, readonly string[]]>([
  ["a refusal", new ChatApiError("no", { ...refused, retryable: false }), ["bad", "next", "last"]],
  ["a failure that may pass", new ChatApiError("no", { ...refused, retryable: true }), ["bad", "next"]],
  ["another failure", new Error("no"), ["bad", "next"]],
])("continues with the other stores after %s", async (_, error, stores) => {
  const tries: string[] = [];
  const all = [
    storeOf("bad", tries, error),
    storeOf("next", tries),
    { ...storeOf("last", tries), isLast: true as const },
  ];

  const { failures } = await eraseFrom(all, () => {}, signal);

  expect([...failures]).toEqual([["bad", error]]);
  expect([...new Set(tries.map((text) => text.split(" ")[0]))]).toEqual(stores);
});

it("stops after the current store when aborted", async () => {
  const stop = new AbortController();
  const tries: string[] = [];
  const stopping = eraseFrom(
    [storeOf("first", tries), storeOf("next", tries)],
    () => stop.abort(new Error("stop")),
    stop.signal,
  );

  await expect(stopping).rejects.toThrow("stop");
  expect(tries).toEqual(["first 1", "first 2"]);
});

it("reads ten flows in parallel, and a finished flow only once", async () => {
  const startedAt = new Date(0);
  const flows = Array.from({ length: 250 }, (_, at) => ({
    id: `flow-${at}`,
    flow: "f",
    ...(at < 5
      ? { status: "RUNNING" as const, endedAt: undefined }
      : { status: "SUCCEEDED" as const, endedAt: startedAt }),
    startedAt,
  }));
  const shown: string[] = [];
  const said: string[] = [];
  let running = 0;
  let most = 0;
  const store = flowStore(
    { appId: "shop", uid: "mia", mentions: createMentions("mia") },
    {
      list: async () => flows,
      show: async (wanted) => {
        most = Math.max(most, ++running);
        shown.push(wanted);
        await new Promise(setImmediate);
        running -= 1;
        const found = flows.find(({ id }) => id === wanted);
        const input = { uid: /[15]$/.test(wanted) ? "mia" : "ben" };
        const none = { waitsFor: [], result: undefined, cause: undefined, steps: [] };
        return found && { ...found, appId: "shop", input, ...none };
      },
      cancel: async () => "over",
      erase: async () => {},
    },
    { onProgress: (text) => void said.push(text) },
  );

  const searches = [await collect([store]), await collect([store])].map((found) => found.get("flows"));

  expect(most).toBe(10);
  expect(searches[0]).toHaveLength(50);
  expect(searches[1]?.map(({ id }) => id)).toEqual(searches[0]?.map(({ id }) => id));
  expect(shown).toHaveLength(255);
  expect(said.slice(0, 2)).toEqual(["looked at 100 of 250 flows", "looked at 200 of 250 flows"]);
});

it("returns the remaining items of the last search for stores without erasable items", async () => {
  const kept = { id: "1", content: {}, stays: "The platform keeps it." };
  const staying: PersonalStore = {
    name: "staying",
    find: async function* () {
      yield kept;
    },
  };
  const filled = [storeOf("filled", [])];
  const fills: PersonalStore = { name: "fills", find: async function* () {} };
  const filledLater: PersonalStore = { ...fills, find: () => (filled.pop() ?? fills).find() };

  const first = await eraseFrom([staying, filledLater], () => {}, signal);
  const second = await eraseFrom([staying, storeOf("staying", []), filledLater], () => {}, signal);

  expect([...first.clean]).toEqual([["staying", [kept]]]);
  expect([...second.clean]).toEqual([["fills", []]]);
});

it("cancels a running flow until it stops, and deletes an ended one, but none of another app", async () => {
  const asked: string[] = [];
  const erased: string[] = [];
  const startedAt = new Date(0);
  const flow = (id: string, appId: string, endedAt?: Date): ShownFlow => ({
    id,
    appId,
    flow: "f",
    status: id === "deleting" ? "DELETING" : endedAt ? "SUCCEEDED" : "RUNNING",
    startedAt,
    endedAt,
    waitsFor: [],
    input: { uid: "mia" },
    result: undefined,
    cause: undefined,
    steps: [],
  });
  const flows = [
    flow("own", "shop"),
    flow("other", "school"),
    flow("ended", "shop", startedAt),
    flow("deleting", "shop", startedAt),
  ];
  const store = flowStore(
    { appId: "shop", uid: "mia", mentions: createMentions("mia") },
    {
      list: async () => flows,
      show: async (wanted) => flows.find(({ id }) => id === wanted),
      cancel: async (id) => (asked.push(id) === 1 ? "asked" : "stopped"),
      erase: async (id) => void erased.push(id),
    },
  );

  await eraseFrom([store], () => {}, signal);

  expect([asked, erased]).toEqual([["own", "own"], ["ended"]]);
});

it("verifies with consistent reads", async () => {
  const replica = { Items: [{ id: { S: "1" }, app: { S: "shop" }, value: { S: "mia" } }] };
  const stores = tableStores({
    person: { appId: "shop", uid: "mia", mentions: createMentions("mia") },
    callAws: async ({ input }) => (input.ConsistentRead === true ? {} : replica),
    nameOf: (name: string) => name,
    now: () => 0,
    loginWindowMs: 86_400_000,
  }).filter(({ name }) => name === "StateTable");

  const [searched, proven] = [await collect(stores), await collect(stores, undefined, true)];

  expect(searched.get("StateTable")).toHaveLength(1);
  expect(proven.get("StateTable")).toEqual([]);
});

it("finds a user's answers of this app, also without an app's name, but of no other app", async () => {
  const page = (id: string, app?: string) => ({
    id: { S: id },
    answers: { L: [{ S: "answer 1 effect mia" }] },
    ...(app !== undefined && { app: { S: app } }),
  });
  const [store] = tableStores({
    person: { appId: "shop", uid: "mia", mentions: createMentions("mia") },
    callAws: async () => ({ Items: [page("own", "shop"), page("other", "school"), page("unnamed")] }),
    nameOf: (name: string) => name,
    now: () => 0,
    loginWindowMs: 86_400_000,
  }).filter(({ name }) => name === "EffectsTable");

  const found = await collect(store === undefined ? [] : [store]);

  expect(found.get("EffectsTable")?.map(({ id }) => id)).toEqual(["own", "unnamed"]);
});

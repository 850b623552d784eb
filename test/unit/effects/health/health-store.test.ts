import { beforeEach, describe, expect, it } from "vitest";
import type { DeadLetterCount } from "../../../../lib/effects/health/breaker.ts";
import { createHealthStore, type HealthStore } from "../../../../lib/effects/health/health-store.ts";
import { createMemoryTable } from "../../../helpers/memory-table.ts";

const chat = "chat.test:8080 write";
const dayMs = 24 * 60 * 60_000;

describe("createHealthStore", () => {
  let table: ReturnType<typeof createMemoryTable>;
  let store: HealthStore;
  let nowMs = 0;

  beforeEach(() => {
    nowMs = 500;
    table = createMemoryTable("lane", "item");
    store = createHealthStore(table, () => nowMs);
  });

  const stateOf = async (destination = chat) => (await store.read("app")).destinations.get(destination);

  const deadLetter = (minute: number, lane: string, forget: readonly DeadLetterCount[] = []) =>
    store.noteDeadLetter("app", { minute, lane }, forget);
  async function failIn(...lanes: readonly string[]) {
    for (const lane of lanes) await store.noteBad("app", chat, lane, nowMs);
  }

  it("returns an empty record for an app without failures", async () => {
    expect(await store.read("app")).toEqual({
      troubleUntil: 0,
      parkedUntil: new Map(),
      destinations: new Map(),
      deadLetters: [],
      shadow: { set: new Map() },
      pauses: new Map(),
    });
  });

  it("keeps one item of each app's health, and one of its parked lanes", async () => {
    await store.noteBad("app", chat, "a", nowMs);
    await store.noteBad("app", "other.test read", "a", nowMs);
    await store.markTrouble("app", 5);
    await store.markParked("app", "3f", 5);
    await store.markParked("app", "a0", 5);
    await store.noteBad("app-2", chat, "a", nowMs);

    const keys = table.items().map(({ lane, item }) => `${lane}: ${item}`);
    expect(keys.toSorted()).toEqual(["app app-2: health", "app app: health", "app app: parked"]);
    expect([...(await store.read("app")).destinations.keys()]).toEqual([chat, "other.test read"]);
  });

  it("forgets healthy hosts when there are more than a hundred", async () => {
    for (let n = 0; n < 150; n += 1) {
      await store.noteBad("app", `tenant-${n}.test write`, "a", nowMs);
      if (n > 0) await store.noteOk("app", `tenant-${n}.test write`, 1);
    }

    const { destinations } = await store.read("app");
    expect(destinations.size).toBeLessThanOrEqual(101);
    expect(destinations.get("tenant-0.test write")?.sinceMs).toBe(nowMs);
    expect(destinations.get("tenant-149.test write")?.ok).toBe(1);
  });

  describe("after 14 days without an answer", () => {
    const tenant = "gone.test write";

    beforeEach(async () => {
      for (const lane of ["a", "b", "c", "d", "e"]) await store.noteBad("app", tenant, lane, nowMs);
    });

    const attributesOf = (host: string) =>
      table.items().flatMap((item) => Object.keys(item).filter((name) => name.endsWith(` ${host}`)));

    it.each([
      ["another host fails", () => store.noteBad("app", chat, `lane ${nowMs}`, nowMs)],
      ["the app gets into trouble", () => store.markTrouble("app", nowMs)],
    ])("forgets a host, with all that is kept of it, when %s", async (_case, write) => {
      nowMs += 14 * dayMs;
      await write();
      expect(attributesOf(tenant)).toHaveLength(4);

      nowMs += 30_001;
      await write();

      expect(attributesOf(tenant)).toEqual([]);
    });

    it("keeps a host that fails now, and one that a lane still probes", async () => {
      const probed = async () => (await stateOf(tenant))?.probeAt ?? 0;
      nowMs += 10 * dayMs;
      expect(await store.claimProbe("app", tenant, await probed(), nowMs)).toBe(true);
      nowMs += 10 * dayMs;

      await store.markTrouble("app", nowMs);
      await store.noteBad("app", chat, "a", nowMs);
      expect(await stateOf(tenant)).toMatchObject({ sinceMs: 500, bad: 5 });

      nowMs += 10 * dayMs;
      await store.noteBad("app", tenant, "a", nowMs);
      expect(await stateOf(tenant)).toMatchObject({ sinceMs: 500, bad: 6 });
    });

    it("keeps the breaker of dead-lettering, which has no first failure", async () => {
      await store.open("app", "burials", nowMs);
      nowMs += 20 * dayMs;

      await store.markTrouble("app", nowMs);

      expect(await stateOf("burials")).toMatchObject({ probeAt: 500, openedMs: 500 });
    });

    it("marks trouble even if it cannot remove the host", async () => {
      nowMs += 20 * dayMs;
      const { update } = table;
      const failing = createHealthStore(
        {
          ...table,
          update: async (key, change, condition) => {
            if (change.remove !== undefined) throw new Error("no table");
            return update(key, change, condition);
          },
        },
        () => nowMs,
      );

      await failing.markTrouble("app", nowMs);

      expect((await store.read("app")).troubleUntil).toBe(nowMs);
    });
  });

  it("keeps healthy hosts beside more than a hundred that fail", async () => {
    await store.noteOk("app", chat, 1);
    for (let n = 0; n < 110; n += 1) await store.noteBad("app", `tenant-${n}.test write`, "a", nowMs);

    expect(await stateOf()).toMatchObject({ ok: 1 });
  });

  it("forgets the latest of more than fifty failing hosts, none that answered before, and no trigger", async () => {
    await store.noteBad("app", "trigger own", "a", nowMs);
    for (let round = 0; round < 5; round += 1) {
      for (let n = 0; n < 60; n += 1) {
        nowMs += 1;
        await store.noteBad("app", `tenant-${n}.test write`, `lane ${round}`, nowMs);
      }
    }
    await store.noteOk("app", chat, 1);
    for (let lane = 0; lane < 5; lane += 1) await failIn(`lane ${lane}`);

    const { destinations } = await store.read("app");
    const open = [...destinations].filter(([, { probeAt }]) => probeAt !== undefined);
    expect(destinations.size).toBeLessThanOrEqual(53);
    expect(open.length).toBeGreaterThanOrEqual(50);
    expect(open.map(([name]) => name)).toEqual(expect.arrayContaining([chat, "tenant-0.test write"]));
    expect([...destinations.keys()]).toContain("trigger own");
  });

  it("remembers an app's health for two days after the last change", async () => {
    const writes: readonly (() => Promise<unknown>)[] = [
      () => store.markTrouble("app", 5),
      () => store.noteBad("app", chat, "a", nowMs),
      () => store.open("app", chat, 5),
      () => deadLetter(1, "a"),
    ];
    for (const write of writes) {
      nowMs += dayMs;
      await write();

      expect(table.items()).toMatchObject([{ expiration: Math.ceil(nowMs / 1000) + 2 * 24 * 60 * 60 }]);
    }
  });

  it("remembers for 18 days that lanes may be parked, a day longer than markParked holds", async () => {
    await store.markParked("app", "3f", 5);

    expect(table.items()).toMatchObject([{ expiration: Math.ceil(nowMs / 1000) + 18 * 24 * 60 * 60 }]);
  });

  it.each([
    ["later", 8, 8],
    ["earlier", 6, 7],
  ])("keeps the latest time of trouble, and of each share of lanes: %s", async (_case, second, expected) => {
    for (const until of [7, second]) {
      await store.markTrouble("app", until);
      await store.markParked("app", "3f", until);
      await store.markParked("app", "a0", 5);
      await deadLetter(5, "events a");
    }

    const { troubleUntil, parkedUntil, destinations } = await store.read("app");
    expect(troubleUntil).toBe(expected);
    expect(Object.fromEntries(parkedUntil)).toEqual({ "3f": expected, a0: 5 });
    expect(destinations).toEqual(new Map());
  });

  describe("noteBad", () => {
    it("counts failures, and remembers the distinct lanes since the last answer, in any order", async () => {
      await failIn("a b", "a b", "c", "c");

      const given = await store.noteBad("app", chat, "a b", nowMs);

      expect(given).toEqual({
        ok: 0,
        bad: 5,
        streakLanes: ["a b", "c"],
        probeAt: undefined,
        sinceMs: nowMs,
      });
      expect(await stateOf()).toEqual(given);
    });

    it("opens the breaker for 30 s when the fifth lane in a row fails, and keeps an open one unchanged", async () => {
      await failIn("a", "b", "c", "d");
      expect(await stateOf()).toMatchObject({ streakLanes: ["a", "b", "c", "d"], probeAt: undefined });

      await failIn("e");
      nowMs += 7;
      await failIn("f");

      expect(await stateOf()).toMatchObject({ streakLanes: ["b", "c", "d", "e", "f"], probeAt: 30_500 });
    });

    it("opens no breaker for four lanes, however often they take turns", async () => {
      for (let turn = 0; turn < 5; turn += 1) await failIn("a", "b", "c", "d");

      expect(await stateOf()).toMatchObject({
        bad: 20,
        streakLanes: ["a", "b", "c", "d"],
        probeAt: undefined,
      });
    });
  });

  describe("noteOk", () => {
    it("counts answers, closes the breaker and clears the streak", async () => {
      await failIn("a", "b", "c", "d", "e");

      await store.noteOk("app", chat, 3);
      await store.noteOk("app", chat, 4);

      expect(await stateOf()).toEqual({
        ok: 7,
        bad: 5,
        streakLanes: [],
        probeAt: undefined,
      });
    });

    it("lets the lane that failed last begin a new streak", async () => {
      await failIn("a");
      await store.noteOk("app", chat, 1);

      await failIn("a");

      expect(await stateOf()).toMatchObject({ bad: 2, streakLanes: ["a"] });
    });
  });

  describe("claimProbe", () => {
    it("grants one probe per probe time, and the next 30 s later", async () => {
      await store.open("app", chat, 7);
      expect(await stateOf()).toMatchObject({ probeAt: 7 });

      const claims = [
        await store.claimProbe("app", chat, 7, 1000),
        await store.claimProbe("app", chat, 7, 1000),
        await store.claimProbe("app", chat, 31_000, 40_000),
      ];

      expect(claims).toEqual([true, false, true]);
      expect(await stateOf()).toMatchObject({ probeAt: 70_000 });
    });

    it("grants no probe once the breaker is closed", async () => {
      await store.open("app", chat, 7);
      await store.noteOk("app", chat, 1);

      expect(await store.claimProbe("app", chat, 7, 1000)).toBe(false);
      expect(await stateOf()).toMatchObject({ probeAt: undefined });
    });
  });

  describe("noteDeadLetter", () => {
    const inOrder = (burials: readonly { minute: number; lane: string; count: number }[]) =>
      burials.map(({ minute, lane, count }) => `${minute} ${lane}: ${count}`).toSorted();

    it("counts by minute and lane, for any lane's name, and returns all counts", async () => {
      await deadLetter(5, "events a b");
      await deadLetter(5, "events a b");
      await deadLetter(6, "events a b");

      const given = await deadLetter(6, "events c");

      expect(inOrder(given)).toEqual(["5 events a b: 2", "6 events a b: 1", "6 events c: 1"]);
      expect(inOrder((await store.read("app")).deadLetters)).toEqual(inOrder(given));
    });

    it("removes the given counts, and nothing else of the app", async () => {
      await failIn("a");
      await deadLetter(5, "events a");
      const [old] = await deadLetter(6, "events a");
      if (old === undefined) throw new Error("It gave nothing.");

      const given = await deadLetter(7, "events a", [{ ...old, minute: 5 }]);
      expect(inOrder(given)).toEqual(["6 events a: 1", "7 events a: 1"]);
      expect(await stateOf()).toMatchObject({ bad: 1 });
    });
  });

  it("ignores fields of unexpected types", async () => {
    await table.put({
      lane: "app app",
      item: "health",
      [`ok ${chat}`]: "7",
      [`streakLanes ${chat}`]: 7,
      [`probeAt ${chat}`]: "7",
    });

    expect(await stateOf()).toEqual({ ok: 0, bad: 0, streakLanes: [], probeAt: undefined });
  });
});

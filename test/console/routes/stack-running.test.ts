import { beforeAll, describe, expect, it } from "vitest";
import type { LogList } from "../../../local/console/api/log.ts";
import type {
  ClockAnswer,
  FaultsAnswer,
  ItemsAnswer,
  MovedAnswer,
  TimersAnswer,
} from "../../../local/console/api/stack.ts";
import { stillOf } from "../../helpers/settle.ts";
import { useConsole } from "../../helpers/use-console.ts";
import { writeToSupport } from "../../helpers/write-to-support.ts";

// What the view of the local stack asks of a running one: its time, timers, state, faults.

const hourMs = 3_600_000;
const tested = useConsole();
const at = "/api/stack";
const put = (path: string, body: unknown, method = "PUT") => tested.send(`${at}${path}`, body, method);
const answer = <Answer>(path: string, body?: unknown, method?: string) =>
  tested.answer<Answer>(`${at}${path}`, body, method);
const timers = async () => (await answer<TimersAnswer>("/timers")).timers;

beforeAll(async () => {
  await writeToSupport(tested.world, "What is the price?");
  await stillOf(tested.world);
});

describe("/api/stack/clock", () => {
  it("returns the time, moves it forward, freezes and resumes it", async () => {
    const before = await answer<ClockAnswer>("/clock");
    const { isDone, clock } = await answer<MovedAnswer>("/clock", { byMs: hourMs }, "POST");
    const frozen = await answer<ClockAnswer>("/clock", { isFrozen: true }, "PUT");
    const running = await answer<ClockAnswer>("/clock", { isFrozen: false }, "PUT");

    expect([before, frozen, running].map(({ isFrozen }) => isFrozen)).toEqual([false, true, false]);
    expect(isDone).toBe(true);
    // The offset proves nothing: the clock stands while it is moved.
    expect(clock.nowMs - before.nowMs).toBeGreaterThanOrEqual(hourMs);
  });

  it("stops a move whose request is gone", async () => {
    const { clock } = tested.world;
    const leaving = new AbortController();
    const startMs = clock.now();
    clock.schedule(startMs + 60_000, () => {
      leaving.abort();
      return new Promise(() => {});
    });
    const init = { method: "POST", headers: { "content-type": "application/json" }, signal: leaving.signal };

    const gone = tested.ask(`${at}/clock`, { ...init, body: JSON.stringify({ byMs: hourMs }) });

    await expect(gone).rejects.toThrow("aborted");
    // A move waits up to 30 s for work that does not end.
    await expect.poll(() => clock.isMoving, { timeout: 10_000 }).toBe(false);
    expect(clock.now()).toBeLessThan(startMs + hourMs);
  });

  it.each([{ byMs: -1 }, { byMs: 0.5 }, { toMs: 5 }, { toNext: false }, { byMs: 1, toMs: 2 }, null])(
    "refuses %j",
    async (body) => {
      const { status } = await put("/clock", body, "POST");

      expect([400, 409]).toContain(status);
    },
  );
});

it("returns how far the clock can be moved", async () => {
  const nowMs = Date.now();

  for (const body of [{ byMs: 367 * 24 * hourMs }, { toMs: nowMs + 400 * 24 * hourMs }])
    expect(JSON.stringify(await put("/clock", body, "POST"))).toContain("by a year at most");
});

describe("/api/stack/timers", () => {
  it("lists timers, the next first, and wakes a parked lane early", async () => {
    const { world } = tested;
    const busy = { fault: "tooManyRequests", retryAfterSeconds: 300, skip: 1 } as const;
    const rule = { on: "request", operationId: "send-message", method: "POST", ...busy } as const;
    world.platform.faults.set({ seed: 1, clockSkewMs: 0, rules: [rule] });
    const replies = countReplies();
    await writeToSupport(world, "What is the price of parking?");
    await expect.poll(async () => (await lanes()).length).toBe(1);
    world.platform.faults.set({ seed: 1, clockSkewMs: 0, rules: [] });
    const all = await timers();
    const [lane] = await lanes();

    await put("/timers/fire", { id: lane?.id }, "POST");
    await expect.poll(() => countReplies()).toBe(replies + 1);

    expect(all).toEqual(all.toSorted((one, other) => one.dueMs - other.dueMs));
    expect(all.some(({ kind }) => kind === "schedule")).toBe(true);
    expect(lane?.what).toContain("local-app");
    expect((await put("/timers/fire", { id: "none" }, "POST")).status).toBe(404);
  });

  async function lanes() {
    return (await timers()).filter(({ kind }) => kind === "lane");
  }
});

describe("/api/stack/state", () => {
  it("shows, changes and removes a trigger's state", async () => {
    const { cloud } = tested.world;
    const table = cloud.stores.tables.get(cloud.resources.StateTable?.name ?? "").table;
    const next = {
      id: { S: "state#1" },
      app: { S: "local-app" },
      state: { S: "visits" },
      key: { S: "alice" },
      value: { S: "3" },
      until: { N: String(Date.now() + 1_000 * hourMs) },
      version: { S: "one" },
    };
    table.commit({ id: { S: "state#1" } }, next);
    const shown = async (query = "") => (await answer<ItemsAnswer>(`/state${query}`)).rows[0];
    const item = await shown("?table=StateTable&search=VISITS");
    const named = { table: "StateTable", key: item?.key };

    const changed = await put("/state", { ...named, value: "[4]" });
    const now = await shown();
    const refused = await put("/state", { ...named, value: "oops" });
    const removed = await put("/state", named, "DELETE");

    expect(item).toMatchObject({ title: "visits", about: "alice", status: "kept", value: "3" });
    expect([changed.status, refused.status, removed.status]).toEqual([200, 400, 200]);
    expect(now).toMatchObject({ value: "[4]" });
    expect(table.all()).toEqual([]);
  });

  it.each([
    ["?table=Nothing", 404],
    ["?table=constructor", 404],
    ["?page=x", 400],
  ])("refuses %s", async (query, status) => {
    expect((await tested.ask(`${at}/state${query}`)).status).toBe(status);
  });
});

describe("/api/stack/faults and /api/stack/secrets", () => {
  it("refuse invalid input, and report what is wrong", async () => {
    const { cloud } = await answer<FaultsAnswer>("/faults");
    const rule = { functionKey: "nobody", chance: 1, point: { service: "sqs", nth: 1, when: "before" } };

    const unknown = await put("/faults/cloud", { ...cloud, kills: [rule] });
    const tooLikely = await put("/faults/cloud", { ...cloud, doubled: 2 });
    const noRule = await put("/faults/platform", { rules: [{ on: "request", fault: "flood" }] });
    const noSecret = await put("/secrets", { secret: "none", field: "shopKey", value: "a-key" });

    expect([unknown, tooLikely, noRule, noSecret].map(({ status }) => status)).toEqual([400, 400, 400, 404]);
    expect(JSON.stringify(unknown.body)).toContain("nobody");
  });
});

describe("/api/stack/snapshots", () => {
  it("notify every open page, like all other changes", async () => {
    const { body } = await fetch(tested.at("/api/notices"));
    const lines = body?.pipeThrough(new TextDecoderStream()).getReader();
    await lines?.read();

    await put("/snapshots", { name: "told" }, "POST");
    let told = "";
    // News of earlier changes may come first.
    while (!told.includes('"stack"')) told += (await lines?.read())?.value ?? "";
    await lines?.cancel();
    await tested.ask("/api/stack/snapshots/told", { method: "DELETE" });

    expect(told).toContain('"stack"');
  });

  it("refuses a taken and an unknown name, and removes a snapshot", async () => {
    await put("/snapshots", { name: "before lunch" }, "POST");
    const taken = await put("/snapshots", { name: "before lunch" }, "POST");
    const missing = await put("/snapshots/restore", { name: "never" }, "POST");
    const removed = await tested.ask("/api/stack/snapshots/before%20lunch", { method: "DELETE" });

    expect([taken.status, missing.status]).toEqual([409, 404]);
    expect(removed.body).toMatchObject({ snapshots: [] });
  });
});

it("writes the log with the local stack's time", async () => {
  const { world } = tested;
  await put("/clock", { byMs: 24 * hourMs }, "POST");
  const fromMs = world.clock?.now() ?? 0;
  await writeToSupport(world, "What is the price of a day?");
  await stillOf(tested.world);

  const { rows: lines } = await tested.answer<LogList>("/api/log?level=debug&lambda=yes");
  const times = lines.map(({ atMs }) => atMs);

  expect(Math.max(...times)).toBeGreaterThanOrEqual(fromMs);
});

function countReplies(): number {
  const { platform } = tested.world;
  return platform.services.db.all("SELECT id FROM messages WHERE sender = 'support'").length;
}

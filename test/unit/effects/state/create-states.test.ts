import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import type { Item } from "../../../../lib/aws/table.ts";
import {
  StateBusyError,
  StateChangeError,
  StateMisfitError,
  StateValueError,
} from "../../../../lib/effects/effect-errors.ts";
import { createLedger, effectKey } from "../../../../lib/effects/ledger.ts";
import {
  createStates,
  readStateItem,
  type StateChange,
  writeStateItem,
} from "../../../../lib/effects/state/create-states.ts";
import { defineState } from "../../../../lib/effects/state/define-state.ts";
import { createMemoryTable } from "../../../helpers/memory-table.ts";
import { createTestEffects } from "../../../helpers/test-effects.ts";

const daily = { per: "app", keepFor: "1d" } as const;
const ofUser = { per: "user", keepFor: "2d" } as const;
const counter = defineState("counter", z.object({ count: z.number() }), ofUser);
const agent = defineState("agent", z.string(), { per: "conversation", keepFor: "1h" });
const total = defineState("total", z.number(), daily);
const lobby = "group_lobby";
const countUp = (before?: { count: number }) => ({ count: (before?.count ?? 0) + 1 });

/** A table of states, and handlers of different occurrences that use it. */
function createMemory() {
  const table = createMemoryTable("id");
  const ledgerTable = createMemoryTable("id");
  const time = { nowMs: 1_000_000_000_000 };
  const now = () => time.nowMs;
  let tokens = 0;
  const token = () => `token-${++tokens}`;
  /** The states of one attempt at one occurrence. */
  const waits: number[] = [];
  const attempt = (fact: string, { isShadow = false, appId = "app-1", assertAlive = () => {} } = {}) => {
    const { perform } = createTestEffects({
      table: ledgerTable,
      appId,
      key: effectKey(appId, fact),
      receivedAt: now(),
      now,
      token,
      limits: { deadlineMs: now() + 30_000, assertAlive },
    });
    const sleep = async (ms: number) => void waits.push(ms);
    const ledger = createLedger({ table: ledgerTable, now });
    return createStates({ table, ledger, appId, perform, isShadow, now, token, random: () => 0.5, sleep });
  };
  /** Increments Alice's value, as a handler of this occurrence. */
  const countIn = (fact: string) => attempt(fact)(counter, "alice").update(countUp);
  return { attempt, countIn, table, ledgerTable, time, waits };
}

describe("states", () => {
  it("remembers a value for each user, for any case of the uid", async () => {
    const { attempt, countIn } = createMemory();

    const first = await attempt("fact-1")(counter, "Alice").update(countUp);
    const second = await countIn("fact-2");

    expect(first).toEqual({ before: undefined, after: { count: 1 } });
    expect(second).toEqual({ before: { count: 1 }, after: { count: 2 } });
    expect(await attempt("fact-3")(counter, "bob").get()).toBeUndefined();
    expect(await attempt("fact-3")(counter, "ALICE").get()).toEqual({ count: 2 });
  });

  it("remembers any number of an app's values by exact custom keys", async () => {
    const { attempt, table } = createMemory();
    const seen = defineState("seen", z.string(), { per: "key", keepFor: "1d" });
    const keys = ["a.example", "A.example", "x".repeat(500)];

    for (const key of keys) await attempt(`fact ${key}`)(seen, key).update(() => "z".repeat(4_000));

    const states = attempt("fact");
    for (const key of keys) expect(await states(seen, key).get()).toHaveLength(4_000);
    expect(table.items()).toHaveLength(3);
    for (const key of ["", undefined, "x".repeat(501)])
      expect(() => states(seen, key)).toThrow("give it one of 1 to 500 characters");
  });

  it.each([
    ["many others", 700, 100, 3],
    ["a few others with large values", 40, 100, 4_000],
    ["another after an outage of hours", 1, 12 * 60 * minuteMs, 3],
  ])(
    "changes a value once if the process crashed before it noted the change, and %s changed it",
    async (_who, others, laterMs, size) => {
      const { attempt, ledgerTable, table, time } = createMemory();
      const list = defineState("list", z.array(z.string()), { per: "app", keepFor: "2d" });
      const enter = (fact: string) =>
        attempt(fact)(list).update((known = []) => [
          ...known.filter((one) => !one.startsWith("other")),
          fact,
        ]);
      const { update } = ledgerTable;
      ledgerTable.update = () => Promise.reject(new Error("dead"));
      await expect(enter("fact-1")).rejects.toThrow("dead");
      ledgerTable.update = update;

      time.nowMs += laterMs;
      for (let count = 1; count <= others; count += 1) await enter(`other-${count} `.padEnd(size, "."));
      time.nowMs += 120_000;
      const again = await enter("fact-1");

      expect(again).toEqual({ before: undefined, after: ["fact-1"] });
      expect(await attempt("fact-2")(list).get()).toEqual(["fact-1", expect.stringMatching(/^other-/)]);
      expect(JSON.stringify(table.items()).length).toBeLessThan(70_000);
    },
  );

  it("keeps few of the completed changes, and as many of the others as fit an item", async () => {
    const { attempt, ledgerTable, table } = createMemory();
    const changes = () => table.items().flatMap(({ changes }) => changes as unknown[]).length;
    const long = () => "é".repeat(2_000);
    for (let count = 1; count <= 60; count += 1)
      await attempt(`fact-${count}`)(counter, "alice").update(countUp);
    expect(changes()).toBeLessThanOrEqual(16);

    ledgerTable.update = () => Promise.reject(new Error("dead"));
    for (let count = 1; count <= 60; count += 1)
      await expect(attempt(`fact-${count}`)(agent, lobby).update(long)).rejects.toThrow("dead");
    expect(changes()).toBeGreaterThan(16 + 30);
    expect(Buffer.byteLength(JSON.stringify(table.items()))).toBeLessThan(390_000);
  });

  it("keeps changes whose effects it cannot look up", async () => {
    const { countIn, ledgerTable, table } = createMemory();
    ledgerTable.get = () => Promise.reject(new Error("throttled"));

    for (let count = 1; count <= 20; count += 1) await countIn(`fact-${count}`);

    expect(table.items().flatMap(({ changes }) => changes as unknown[])).toHaveLength(20);
  });

  it("keeps the latest changes in shadow, where no ledger records them", async () => {
    const { attempt, table } = createMemory();
    for (let count = 1; count <= 20; count += 1)
      await attempt(`fact-${count}`, { isShadow: true })(counter, "alice").update(countUp);

    expect(table.items().flatMap(({ changes }) => changes as unknown[])).toHaveLength(16);
  });

  it("treats a second update of a handler as another one, also when the handler is repeated", async () => {
    const { attempt } = createMemory();
    const handle = async () => {
      const state = attempt("fact-1");
      await state(counter, "alice").update(countUp);
      return state(counter, "alice").update(countUp);
    };

    const [first, again] = [await handle(), await handle()];

    expect(first).toEqual({ before: { count: 1 }, after: { count: 2 } });
    expect(again).toEqual(first);
  });

  it("forgets a value when its time is over, or when an update returns undefined", async () => {
    const { attempt, time } = createMemory();
    await attempt("fact-1")(agent, lobby).update(() => "bela");
    await attempt("fact-2")(agent, "group_hall").update(() => "cleo");
    const forgotten = await attempt("fact-3")(agent, "group_hall").update(() => undefined);
    expect(await attempt("fact-4")(agent, lobby).get()).toBe("bela");

    time.nowMs += 60 * 60_000;

    expect(forgotten).toEqual({ before: "cleo", after: undefined });
    expect(await attempt("fact-4")(agent, "group_hall").get()).toBeUndefined();
    expect(await attempt("fact-4")(agent, lobby).get()).toBeUndefined();
    expect(await attempt("fact-4")(agent, lobby).update((before) => before ?? "none")).toEqual({
      before: undefined,
      after: "none",
    });
  });

  it("separates apps, kinds, keys and shadowed triggers", async () => {
    const { attempt, countIn } = createMemory();
    await countIn("fact-1");

    expect(await attempt("fact-1", { appId: "app-2" })(counter, "alice").get()).toBeUndefined();
    expect(await attempt("fact-1", { isShadow: true })(counter, "alice").get()).toBeUndefined();
    expect(await attempt("fact-1")(total).get()).toBeUndefined();
  });

  it.each([
    ["does not fit", () => ({ count: "1" }) as never, "would not fit its schema at count, once it is JSON"],
    ["is too big", () => ({ count: 1, more: "é".repeat(2_100) }) as never, "would have 4221 bytes"],
  ])("stores no value that %s", async (_how, change, message) => {
    const { attempt, table } = createMemory();

    const refused = attempt("fact-1")(counter, "alice").update(change);

    await expect(refused).rejects.toThrow(StateValueError);
    await expect(refused).rejects.toThrow(`The state "counter"`);
    await expect(refused).rejects.toThrow(message);
    expect(table.items()).toEqual([]);
  });

  it("accepts a value of 4096 bytes, and no larger one", async () => {
    const { attempt } = createMemory();
    const text = (bytes: number) => "x".repeat(bytes - 2);

    await attempt("fact-1")(agent, lobby).update(() => text(4_096));
    const refused = attempt("fact-2")(agent, lobby).update(() => text(4_097));

    await expect(refused).rejects.toThrow("would have 4097 bytes as JSON, and 4096 may be");
    expect(await attempt("fact-3")(agent, lobby).get()).toBe(text(4_096));
  });

  it("reports a value that JSON cannot express, without a place", async () => {
    const refused = createMemory()
      .attempt("fact-1")(agent, lobby)
      .update(() => (() => 1) as never);

    await expect(refused).rejects.toThrow('The state "agent" would not fit its schema, once it is JSON.');
  });

  it("stores app, state and key in readable form", async () => {
    const { attempt, table } = createMemory();
    await attempt("fact-1")(counter, "Alice").update(countUp);
    await attempt("fact-1")(total).update(() => 7);

    const [one, other] = table.items().toSorted((a) => (a.state === "counter" ? -1 : 1));
    expect(one).toMatchObject({ app: "app-1", state: "counter", key: "Alice", value: '{"count":1}' });
    expect(other).toMatchObject({ app: "app-1", state: "total", key: "", value: "7" });
  });

  it("fails after a while if others change the value each time, and can be retried", async () => {
    const { attempt, table, waits } = createMemory();
    let turns = 0;
    const put = table.put;
    const hurried = Object.assign(table, {
      put: async (item: Parameters<typeof put>[0]) => {
        turns += 1;
        return {
          ok: false,
          maybeOurs: false,
          old: { ...item, version: `other-${turns}`, changes: [] },
        } as const;
      },
    });

    await expect(attempt("fact-1")(total).update(() => 7)).rejects.toThrow(new StateBusyError("total"));
    expect(turns).toBe(12);
    expect(waits).toEqual(Array.from({ length: 12 }, () => 200));
    hurried.put = put as never;
    expect(await attempt("fact-1")(total).update((before = 0) => before + 1)).toMatchObject({ after: 1 });
  });

  it("reports what is wrong with a value that an older schema wrote, and leaves it", async () => {
    const { attempt, countIn } = createMemory();
    const older = defineState("counter", z.object({ total: z.number() }), ofUser);
    await attempt("fact-1")(older, "alice").update(() => ({ total: 3 }));

    await expect(attempt("fact-2")(counter, "alice").get()).rejects.toThrow(
      new StateMisfitError("counter", "count"),
    );
    await expect(countIn("fact-2")).rejects.toThrow(StateMisfitError);
    const list = defineState("counter", z.object({ of: z.array(z.number()) }), ofUser);
    const any = defineState("counter", z.unknown(), ofUser);
    await attempt("fact-1")(any, "bob").update(() => "bela");
    await expect(attempt("fact-2")(list, "bob").get()).rejects.toThrow(new StateMisfitError("counter", ""));
    await attempt("fact-1")(any, "carol").update(() => ({ of: [1, "2"] }));
    await expect(attempt("fact-2")(list, "carol").get()).rejects.toThrow(
      new StateMisfitError("counter", "of.1"),
    );
    expect(await attempt("fact-3")(older, "alice").get()).toEqual({ total: 3 });
  });

  it("can be retried immediately if the computation of the new value failed", async () => {
    const { attempt, countIn } = createMemory();
    const bug = new TypeError("a bug");

    const failed = attempt("fact-1")(counter, "alice").update(() => {
      throw bug;
    });
    await expect(failed).rejects.toMatchObject({ name: StateChangeError.name, cause: bug });

    expect(await countIn("fact-1")).toMatchObject({ after: { count: 1 } });
  });

  it("writes nothing for an attempt that is over", async () => {
    const { attempt, table } = createMemory();
    let isOver = false;
    const states = attempt("fact-1", {
      assertAlive: () => {
        if (isOver) throw new Error("over");
      },
    });

    const late = states(counter, "alice").update((before) => {
      isOver = true;
      return countUp(before);
    });

    await expect(late).rejects.toThrow("over");
    expect(table.items()).toEqual([]);
  });

  it.each([
    ["no key where one is needed", counter, undefined, "name the user as key"],
    ["an empty key", agent, "", "name the conversation as key"],
    ["a key for the app", total, "alice", "leave the key out"],
  ])("refuses %s", (_what, kind, key, advice) => {
    const { attempt } = createMemory();

    expect(() => attempt("fact-1")<unknown>(kind, key)).toThrow(advice);
  });
});

describe("defineState", () => {
  it.each([
    ["Upper", "1d"],
    ["with space", "1d"],
    ["", "1d"],
    ["x".repeat(61), "1d"],
    ["fine", "0s"],
    ["fine", "367d"],
    ["fine", "soon"],
  ])("refuses the name %j kept for %s", (name, keepFor) => {
    const define = () => defineState(name, z.string(), { per: "app", keepFor });

    expect(define).toThrow(/"0s"|"soon"|The state "/);
  });

  it.each([
    ["a number as name", [7, z.string(), daily], '"name" must be a text.'],
    ["a text as schema", ["fine", "string", {}], '"schema" must be a schema of zod 4.'],
    ["another object as schema", ["fine", {}, {}], '"schema" must be a schema of zod 4.'],
    ["a text as options", ["fine", z.string(), "1d"], '"options" must be { per, keepFor }.'],
    ["an unknown option", ["fine", z.string(), { ...daily, keep: 1 }], "keep"],
    ["another per", ["fine", z.string(), { ...daily, per: "group" }], '"per" must be app, key, user or'],
    [
      "a number of days",
      ["fine", z.string(), { ...daily, keepFor: 2 }],
      '"keepFor" must be a length of time',
    ],
  ])("refuses %s", (_what, given, message) => {
    const define = () => Reflect.apply(defineState, undefined, given);

    expect(define).toThrow(
      expect.objectContaining({ name: "InvalidInputError", message: expect.stringContaining(message) }),
    );
  });

  it.each([
    ["x".repeat(60), "1s", 1_000],
    ["last-day-2", "366d", 366 * 86_400_000],
  ])("accepts the name %j kept for %s", (name, keepFor, keepForMs) => {
    const schema = z.string();
    const kind = defineState(name, schema, { per: "conversation", keepFor });

    expect(kind).toMatchObject({ name, per: "conversation", keepForMs });
    expect(kind.schema()).toBe(schema);
  });
});

const nowMs = 1_000_000_000_000;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const changeOf = (by: string, more: Partial<StateChange> = {}) => ({
  by,
  atMs: nowMs,
  before: null,
  after: "1",
  ...more,
});
const names = (...all: string[]) => all.map((by) => expect.objectContaining({ by }));

const short = changeOf("z", { before: null, after: null });
const last = changeOf("new");
const expiration = (nowMs + 2 * hourMs) / 1000;

it.each<[string, StateChange[], StateChange, number, object]>([
  [
    "stores a value, its version, its end and its change",
    [],
    last,
    2 * hourMs,
    { value: "1", until: nowMs + 2 * hourMs, version: "v2", changes: [last], expiration },
  ],
  ["stores no value if it is forgotten", [], short, 2 * hourMs, { value: undefined }],
  [
    "lets the item outlast a short value by an hour, so that its change is known",
    [],
    last,
    1_500,
    { until: nowMs + 1_500, expiration: (nowMs + hourMs) / 1000 },
  ],
  [
    "expires when the value's time is over, with seconds rounded up",
    [],
    last,
    2 * hourMs + 1,
    { expiration: expiration + 1 },
  ],
])("writeStateItem %s", (_case, changes, change, keepForMs, expected) => {
  expect(writeStateItem(changes, change, { version: "v2", keepForMs })).toMatchObject(expected);
});

describe("readStateItem", () => {
  const item = { value: "1", version: "v1", until: nowMs, changes: [changeOf("a")] };
  const nothing = { value: undefined, version: undefined, changes: [] };
  const over = { value: undefined, version: "v1", changes: [changeOf("a")] };

  it.each<[string, Item | undefined, number, object]>([
    ["a value until its time is over", item, nowMs - 1, { value: "1" }],
    ["the version and the changes of a value that is over", item, nowMs, over],
    ["the same long after", item, nowMs + hourMs, over],
    ["nothing without an item", undefined, nowMs, nothing],
    ["nothing of an empty item", {}, nowMs, nothing],
    [
      "nothing for fields of other types",
      { value: 1, version: 2, until: "soon", changes: "none" },
      nowMs,
      nothing,
    ],
    ["nothing of a value without an end", { value: "1" }, nowMs, nothing],
    [
      "a change from and to nothing, as the table leaves nulls out or not",
      { ...item, changes: [{ by: "a", atMs: 1 }] },
      nowMs,
      { changes: [{ by: "a", atMs: 1, before: null, after: null }] },
    ],
  ])("returns %s", (_what, stored, atMs, expected) => {
    expect(readStateItem(stored, atMs)).toMatchObject(expected);
  });

  it.each([
    ["a text", "text"],
    ["null", null],
    ["a change without a name", { atMs: 1, before: null, after: null }],
    ["a change without a time", { by: "a", atMs: "1", before: null, after: null }],
    ["a change from a non-text value", { by: "a", atMs: 1, before: 1, after: null }],
    ["a change to a non-text value", { by: "a", atMs: 1, before: null, after: 1 }],
  ] as const)("omits %s, and nothing else", (_what, odd) => {
    const changes = [changeOf("a"), odd, changeOf("b", { before: "0", after: null })];

    expect(readStateItem({ ...item, changes }, nowMs).changes).toEqual(names("a", "b"));
  });
});

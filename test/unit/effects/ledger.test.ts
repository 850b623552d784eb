import { describe, expect, it } from "vitest";
import type { Table } from "../../../lib/aws/table.ts";
import { createLedger, judgeEntry, ledgerIdOf, readEntry } from "../../../lib/effects/ledger.ts";
import { createOccurrenceMemory } from "../../../lib/effects/occurrence-memory.ts";
import { createMemoryTable } from "../../helpers/memory-table.ts";

const day = 24 * 60 * 60_000;
const key = "app|fact|trigger|effect";

/** A ledger at a time that the test moves, whose table's calls pass through `through`. */
function createWorld(through: (table: Table) => Partial<Table> = () => ({})) {
  const time = { nowMs: 1_000_000_000_000 };
  const memory = createMemoryTable("id");
  const counted: string[] = [];
  const counting = (name: "put" | "update" | "delete") => ({
    [name]: (...args: never[]) => {
      counted.push(name);
      return (memory[name] as (...args: never[]) => ReturnType<Table["put"]>)(...args);
    },
  });
  const table: Table = {
    ...memory,
    ...counting("put"),
    ...counting("update"),
    ...counting("delete"),
    ...through(memory),
  };
  const ledger = createLedger({ table, now: () => time.nowMs });
  const claim = (owner: string, { receivedAt = time.nowMs } = {}) => ({
    owner,
    deadlineMs: time.nowMs + 30_000,
    receivedAt,
  });
  const vanish = (of: string) => memory.delete({ id: ledgerIdOf(of) });
  return { ledger, claim, time, items: memory.items, counted, vanish };
}

describe("createLedger", () => {
  it("lets the first begin, tells the second how long to wait, and both what it gave", async () => {
    const { ledger, claim, time } = createWorld();

    expect(await ledger.begin(key, claim("a"))).toEqual({ state: "fresh" });
    expect(await ledger.begin(key, claim("b"))).toEqual({ state: "busy", untilMs: time.nowMs + 30_001 });
    expect(await ledger.finish(key, "a", '{"id":"1"}')).toEqual({ state: "done", result: '{"id":"1"}' });
    expect(await ledger.begin(key, claim("b"))).toEqual({ state: "done", result: '{"id":"1"}' });
  });

  it("costs two writes when all is well, and one call when it was done before", async () => {
    const { ledger, claim, counted } = createWorld();

    await ledger.begin(key, claim("a"));
    await ledger.finish(key, "a", "1");
    await ledger.begin(key, claim("b"));

    expect(counted).toEqual(["put", "update", "put"]);
  });

  it("lets another take over after the deadline, who must look, and refuses what the first one writes", async () => {
    const { ledger, claim, time } = createWorld();
    const deadlineMs = time.nowMs + 30_000;
    await ledger.begin(key, claim("a"));

    time.nowMs = deadlineMs;
    const atTheDeadline = await ledger.begin(key, claim("b"));
    time.nowMs += 1;
    const after = await ledger.begin(key, claim("b"));
    await ledger.release(key, "a", "nothing happened");
    await ledger.release(key, "a", { unclearSinceMs: 5 });

    expect(atTheDeadline.state).toBe("busy");
    expect(after).toEqual({ state: "unclear", sinceMs: deadlineMs });
    expect(await ledger.finish(key, "a", "1")).toEqual({ state: "busy", untilMs: time.nowMs + 30_000 });
    expect(await ledger.begin(key, claim("c"))).toMatchObject({ state: "busy" });
    expect(await ledger.finish(key, "b", "2")).toEqual({ state: "done", result: "2" });
    expect(await ledger.finish(key, "a", "1")).toEqual({ state: "done", result: "2" });
  });

  it("forgets what surely did not happen, and nothing else", async () => {
    const { ledger, claim, time, items } = createWorld();

    await ledger.begin(key, claim("a"));
    await ledger.release(key, "a", "nothing happened");
    expect(items()).toEqual([]);
    expect(await ledger.begin(key, claim("b"))).toEqual({ state: "fresh" });

    await ledger.release(key, "b", { unclearSinceMs: time.nowMs + 3 });
    expect(items().map((item) => Object.keys(item).toSorted())).toEqual([
      ["app", "expiration", "id", "receivedAt", "since"],
    ]);
    expect(await ledger.begin(key, claim("c"))).toEqual({ state: "unclear", sinceMs: time.nowMs + 3 });

    await ledger.release(key, "c", "nothing happened");
    expect(await ledger.begin(key, claim("d"))).toEqual({ state: "unclear", sinceMs: time.nowMs + 3 });

    await ledger.finish(key, "d", "1");
    await ledger.release(key, "d", "nothing happened");
    expect(await ledger.begin(key, claim("e"))).toEqual({ state: "done", result: "1" });
  });

  it.each(["put", "update"] as const)(
    "knows its own write again when the answer to a %s got lost",
    async (name) => {
      const { ledger, claim, time } = createWorld((memory) => ({
        // What the caller of AWS does when no answer comes: the same again.
        [name]: async (...args: never[]) => {
          const write = memory[name] as (...args: never[]) => ReturnType<Table["put"]>;
          await write(...args);
          return { maybeOurs: true, ...(await write(...args)) };
        },
      }));

      const first = await ledger.begin(key, claim("a"));
      const finished = await ledger.finish(key, "a", "1");
      await ledger.begin(`${key}2`, claim("b"));
      const deadlineMs = time.nowMs + 30_000;
      time.nowMs += 31_000;
      const second = await ledger.begin(`${key}2`, claim("c"));

      expect(first).toEqual({ state: "fresh" });
      expect(finished).toEqual({ state: "done", result: "1" });
      expect(second).toEqual({ state: "unclear", sinceMs: deadlineMs });
    },
  );

  it("begins anew when the entry is given back between two looks at it", async () => {
    let turn = 0;
    const { ledger, claim } = createWorld((memory) => ({
      put: async (item, condition) => {
        turn += 1;
        return turn === 2 ? { ok: false, maybeOurs: false } : memory.put(item, condition);
      },
    }));
    await ledger.begin(key, claim("a"));
    await ledger.release(key, "a", "nothing happened");

    expect(await ledger.begin(key, claim("b"))).toEqual({ state: "fresh" });
    expect(turn).toBe(3);
  });

  it("gives what an owner writes down in its last moment to the one who was about to take over", async () => {
    let isTakingOver = false;
    const { ledger, claim, time } = createWorld((memory) => ({
      put: async (...args) => {
        const written = await memory.put(...args);
        if (isTakingOver) await ledger.finish(key, "a", "1");
        return written;
      },
    }));
    await ledger.begin(key, claim("a"));
    time.nowMs += 31_000;
    isTakingOver = true;

    expect(await ledger.begin(key, claim("b"))).toEqual({ state: "done", result: "1" });
  });

  it("leaves an entry alone for a second that others change again and again, after five turns", async () => {
    let turns = 0;
    const { ledger, claim, time } = createWorld((memory) => ({
      put: async (item, condition) => {
        turns += 1;
        return turns === 1 ? memory.put(item, condition) : { ok: false, maybeOurs: false };
      },
    }));
    await ledger.begin(key, claim("a"));

    expect(await ledger.begin(key, claim("b"))).toEqual({ state: "busy", untilMs: time.nowMs + 1_000 });
    expect(turns).toBe(6);
  });

  it("writes an entry that has vanished again, for the process that acted alone", async () => {
    const { ledger, claim, time, items, vanish } = createWorld();

    await ledger.begin(key, claim("a"));
    await vanish(key);
    expect(await ledger.finish(key, "a", "1")).toEqual({ state: "done", result: "1" });
    expect(await ledger.begin(key, claim("b"))).toEqual({ state: "done", result: "1" });

    await vanish(key);
    await ledger.begin(key, claim("c"));
    await vanish(key);
    await ledger.release(key, "c", { unclearSinceMs: time.nowMs });
    expect(items().map(({ expiration }) => (Number(expiration) * 1000 - time.nowMs) / day)).toEqual([35]);
    expect(await ledger.begin(key, claim("d"))).toEqual({ state: "unclear", sinceMs: time.nowMs });

    await vanish(key);
    await ledger.release(key, "d", "nothing happened");
    expect(items()).toEqual([]);

    await ledger.begin(key, claim("e"));
    expect(await ledger.finish(key, "d", "1")).toMatchObject({ state: "busy" });
  });

  it("remembers for 35 days since receipt, and what is acted on later long enough for its retries", async () => {
    const { ledger, claim, time, items } = createWorld();

    await ledger.begin("now", claim("a"));
    await ledger.begin("old", claim("a", { receivedAt: time.nowMs - 34 * day }));

    const days = items().map(({ expiration }) => (Number(expiration) * 1000 - time.nowMs) / day);
    expect(days.toSorted()).toEqual([2, 35]);
  });

  it("remembers for as long as the stage says, also when an occurrence was first received", async () => {
    const table = createMemoryTable("id");
    const receivedAt = 1_000_000_000_000;

    await createLedger({ table, now: () => receivedAt, effectDays: 90 }).begin("made", {
      ...{ owner: "a", deadlineMs: receivedAt, receivedAt },
    });
    await createOccurrenceMemory(table, 90).claim("name", receivedAt);

    const days = table.items().map(({ expiration }) => (Number(expiration) * 1000 - receivedAt) / day);
    expect(days).toEqual([90, 90]);
  });
});

const nothing = { owner: undefined, deadline: undefined, since: undefined, result: undefined };

describe("readEntry", () => {
  it("reads what is known, and takes what is odd for nothing", () => {
    const entry = { owner: "me", deadline: 5, since: 3, result: "{}" };

    expect(readEntry({ id: "x", ...entry, expiration: 9 })).toEqual(entry);
    expect(readEntry({ owner: 1, deadline: "5", since: null, result: true })).toEqual(nothing);
    expect(readEntry({})).toEqual(nothing);
  });
});

describe("judgeEntry", () => {
  const owned = { ...nothing, owner: "me", deadline: 100 };

  it.each([
    ["done, whoever has it", { ...owned, result: "1" }, "me", 50, { state: "done", result: "1" }],
    ["done, though long ago", { ...owned, result: "1" }, "you", 500, { state: "done", result: "1" }],
    ["the asker's own", owned, "me", 50, { state: "mine", sinceMs: undefined }],
    ["the asker's own, even late", owned, "me", 500, { state: "mine", sinceMs: undefined }],
    ["the asker's own, and unclear", { ...owned, since: 7 }, "me", 50, { state: "mine", sinceMs: 7 }],
    ["in somebody's hands", owned, "you", 50, { state: "busy", untilMs: 101 }],
    ["in somebody's hands until its last moment", owned, "you", 100, { state: "busy", untilMs: 101 }],
    ["free after that, since then", owned, "you", 101, { state: "free", sinceMs: 100 }],
    ["free, since the later of two", { ...owned, since: 300 }, "you", 500, { state: "free", sinceMs: 300 }],
    ["free, since the deadline", { ...owned, since: 30 }, "you", 500, { state: "free", sinceMs: 100 }],
    ["given back, unclear", { ...nothing, since: 7 }, "you", 500, { state: "free", sinceMs: 7 }],
    ["given back, since nobody knows when", nothing, "you", 500, { state: "free", sinceMs: 0 }],
    ["somebody's without a deadline", { ...nothing, owner: "me" }, "you", 1, { state: "free", sinceMs: 0 }],
  ])("tells what is %s", (_case, entry, asker, nowMs, expected) => {
    expect(judgeEntry(entry, asker, nowMs)).toEqual(expected);
  });
});

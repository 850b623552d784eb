import { describe, expect, it } from "vitest";
import { AwsCallError } from "../../../lib/aws/aws-call.ts";
import type { Table } from "../../../lib/aws/table.ts";
import {
  createLedger,
  createOccurrenceMemory,
  judgeEntry,
  ledgerIdOf,
  type Release,
  readEntry,
} from "../../../lib/effects/ledger.ts";
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
  const sleep = async (ms: number) => {
    time.nowMs += ms;
  };
  const ledger = createLedger({ table, now: () => time.nowMs, sleep });
  const claim = (owner: string, { receivedAt = time.nowMs } = {}) => ({
    owner,
    deadlineMs: time.nowMs + 30_000,
    receivedAt,
  });
  const vanish = () => memory.delete({ id: ledgerIdOf(key) });
  const begin = (owner: string) => ledger.begin(key, claim(owner));
  const finish = (owner: string, result = "1") => ledger.finish(key, owner, result);
  const release = (owner: string, how: Release = "nothing happened") => ledger.release(key, owner, how);
  return { ledger, claim, time, items: memory.items, counted, vanish, begin, finish, release };
}

describe("createLedger", () => {
  it("lets the first begin, returns the wait to the second, and the result to both", async () => {
    const { time, begin, finish } = createWorld();

    expect(await begin("a")).toEqual({ state: "fresh" });
    expect(await begin("b")).toEqual({ state: "busy", untilMs: time.nowMs + 30_001 });
    expect(await finish("a", '{"id":"1"}')).toEqual({ state: "done", result: '{"id":"1"}' });
    expect(await begin("b")).toEqual({ state: "done", result: '{"id":"1"}' });
  });

  it("costs two writes without failures, and one call if it was done before", async () => {
    const { counted, begin, finish } = createWorld();

    await begin("a");
    await finish("a");
    await begin("b");

    expect(counted).toEqual(["put", "update", "put"]);
  });

  it("lets another take over after the deadline, which must look, and refuses the first one's writes", async () => {
    const { time, begin, finish, release } = createWorld();
    const deadlineMs = time.nowMs + 30_000;
    await begin("a");

    time.nowMs = deadlineMs;
    const atTheDeadline = await begin("b");
    time.nowMs += 1;
    const after = await begin("b");
    await release("a");
    await release("a", { unclearSinceMs: 5 });

    expect(atTheDeadline.state).toBe("busy");
    expect(after).toEqual({ state: "unclear", sinceMs: deadlineMs });
    expect(await finish("a")).toEqual({ state: "busy", untilMs: time.nowMs + 30_000 });
    expect(await begin("c")).toMatchObject({ state: "busy" });
    expect(await finish("b", "2")).toEqual({ state: "done", result: "2" });
    expect(await finish("a")).toEqual({ state: "done", result: "2" });
  });

  it("forgets only an effect that definitely did not happen", async () => {
    const { time, items, begin, finish, release } = createWorld();

    await begin("a");
    await release("a");
    expect(items()).toEqual([]);
    expect(await begin("b")).toEqual({ state: "fresh" });

    await release("b", { unclearSinceMs: time.nowMs + 3 });
    expect(items().map((item) => Object.keys(item).toSorted())).toEqual([
      ["app", "expiration", "id", "receivedAt", "since"],
    ]);
    expect(await begin("c")).toEqual({ state: "unclear", sinceMs: time.nowMs + 3 });

    await release("c");
    expect(await begin("d")).toEqual({ state: "unclear", sinceMs: time.nowMs + 3 });

    await finish("d");
    await release("d");
    expect(await begin("e")).toEqual({ state: "done", result: "1" });
  });

  it.each(["put", "update"] as const)(
    "recognizes its own write if the answer to a %s was lost",
    async (name) => {
      const { ledger, claim, time, begin, finish } = createWorld((memory) => ({
        // The AWS caller repeats a call without an answer.
        [name]: async (...args: never[]) => {
          const write = memory[name] as (...args: never[]) => ReturnType<Table["put"]>;
          await write(...args);
          return { maybeOurs: true, ...(await write(...args)) };
        },
      }));

      const first = await begin("a");
      const finished = await finish("a");
      await ledger.begin(`${key}2`, claim("b"));
      const deadlineMs = time.nowMs + 30_000;
      time.nowMs += 31_000;
      const second = await ledger.begin(`${key}2`, claim("c"));

      expect(first).toEqual({ state: "fresh" });
      expect(finished).toEqual({ state: "done", result: "1" });
      expect(second).toEqual({ state: "unclear", sinceMs: deadlineMs });
    },
  );

  it("begins again if the entry is released between two reads", async () => {
    let turn = 0;
    const { begin, release } = createWorld((memory) => ({
      put: async (item, condition) => {
        turn += 1;
        return turn === 2 ? { ok: false, maybeOurs: false } : memory.put(item, condition);
      },
    }));
    await begin("a");
    await release("a");

    expect(await begin("b")).toEqual({ state: "fresh" });
    expect(turn).toBe(3);
  });

  it("returns an owner's last-moment result to the process that was about to take over", async () => {
    let isTakingOver = false;
    const { time, begin, finish } = createWorld((memory) => ({
      put: async (...args) => {
        const written = await memory.put(...args);
        if (isTakingOver) await finish("a");
        return written;
      },
    }));
    await begin("a");
    time.nowMs += 31_000;
    isTakingOver = true;

    expect(await begin("b")).toEqual({ state: "done", result: "1" });
  });

  it("leaves an entry that others change repeatedly for a second, after five turns", async () => {
    let turns = 0;
    const { time, begin } = createWorld((memory) => ({
      put: async (item, condition) => {
        turns += 1;
        return turns === 1 ? memory.put(item, condition) : { ok: false, maybeOurs: false };
      },
    }));
    await begin("a");

    expect(await begin("b")).toEqual({ state: "busy", untilMs: time.nowMs + 1_000 });
    expect(turns).toBe(6);
  });

  it("restores an entry that vanished, for the only process that acted", async () => {
    const { time, items, vanish, begin, finish, release } = createWorld();

    await begin("a");
    await vanish();
    expect(await finish("a")).toEqual({ state: "done", result: "1" });
    expect(await begin("b")).toEqual({ state: "done", result: "1" });

    await vanish();
    await begin("c");
    await vanish();
    await release("c", { unclearSinceMs: time.nowMs });
    expect(items().map(({ expiration }) => (Number(expiration) * 1000 - time.nowMs) / day)).toEqual([35]);
    expect(await begin("d")).toEqual({ state: "unclear", sinceMs: time.nowMs });

    await vanish();
    await release("d");
    expect(items()).toEqual([]);

    await begin("e");
    expect(await finish("d")).toMatchObject({ state: "busy" });
  });

  it("repeats what ends a claim while the table fails, for as long as it may, and no longer", async () => {
    let failsUntil = 0;
    const call = { service: "dynamodb", target: "UpdateItem", input: {} } as const;
    const { ledger, claim, time } = createWorld((memory) => ({
      update: (...given) => {
        if (time.nowMs >= failsUntil) return memory.update(...given);
        throw new AwsCallError(call, { code: "ThrottlingException", status: 400, maybeExecuted: false });
      },
    }));
    const begin = async (name: string, failsForMs: number) => {
      await ledger.begin(name, claim(name));
      failsUntil = time.nowMs + failsForMs;
      return time.nowMs + 10_000;
    };

    const finished = await ledger.finish("done", "done", "1", await begin("done", 5_000));
    await ledger.release("lost", "lost", { unclearSinceMs: 7 }, await begin("lost", 5_000));
    const late = ledger.finish("late", "late", "1", await begin("late", 11_000));

    await expect(late).rejects.toMatchObject({ code: "ThrottlingException" });
    failsUntil = 0;
    expect(finished).toEqual({ state: "done", result: "1" });
    expect(await ledger.begin("lost", claim("next"))).toEqual({ state: "unclear", sinceMs: 7 });
  });

  it("remembers for 35 days after receipt, and late effects long enough for their retries", async () => {
    const { ledger, claim, time, items } = createWorld();

    await ledger.begin("now", claim("a"));
    await ledger.begin("old", claim("a", { receivedAt: time.nowMs - 34 * day }));

    const days = items().map(({ expiration }) => (Number(expiration) * 1000 - time.nowMs) / day);
    expect(days.toSorted()).toEqual([2, 35]);
  });

  it("remembers effects and occurrences for the stage's configured time", async () => {
    const table = createMemoryTable("id");
    const receivedAt = 1_000_000_000_000;

    await createLedger({ table, now: () => receivedAt, effectDays: 90 }).begin("made", {
      owner: "a",
      deadlineMs: receivedAt,
      receivedAt,
    });
    await createOccurrenceMemory(table, 90).claim("name", receivedAt);

    const days = table.items().map(({ expiration }) => (Number(expiration) * 1000 - receivedAt) / day);
    expect(days).toEqual([90, 90]);
  });
});

const nothing = { owner: undefined, deadline: undefined, since: undefined, result: undefined };

it("readEntry reads known fields, and ignores invalid ones", () => {
  const entry = { owner: "me", deadline: 5, since: 3, result: "{}" };

  expect(readEntry({ id: "x", ...entry, expiration: 9 })).toEqual(entry);
  expect(readEntry({ owner: 1, deadline: "5", since: null, result: true })).toEqual(nothing);
  expect(readEntry({})).toEqual(nothing);
});

const owned = { ...nothing, owner: "me", deadline: 100 };

it.each([
  ["done, after a long time", { ...owned, result: "1" }, "you", 500, { state: "done", result: "1" }],
  ["the asker's own, even late", owned, "me", 500, { state: "mine", sinceMs: undefined }],
  ["the asker's own, and unclear", { ...owned, since: 7 }, "me", 50, { state: "mine", sinceMs: 7 }],
  ["free, since the later of two", { ...owned, since: 300 }, "you", 500, { state: "free", sinceMs: 300 }],
  ["free, since the deadline", { ...owned, since: 30 }, "you", 500, { state: "free", sinceMs: 100 }],
  ["released, unclear", { ...nothing, since: 7 }, "you", 500, { state: "free", sinceMs: 7 }],
  ["released, at an unknown time", nothing, "you", 500, { state: "free", sinceMs: 0 }],
  ["owned without a deadline", { ...nothing, owner: "me" }, "you", 1, { state: "free", sinceMs: 0 }],
])("judgeEntry recognizes an entry that is %s", (_case, entry, asker, nowMs, expected) => {
  expect(judgeEntry(entry, asker, nowMs)).toEqual(expected);
});

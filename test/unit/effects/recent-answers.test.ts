import { describe, expect, it } from "vitest";
import type { Table } from "../../../lib/aws/table.ts";
import { createLedger, ledgerIdOf } from "../../../lib/effects/ledger.ts";
import { createRecentAnswers } from "../../../lib/effects/recent-answers.ts";
import { createMemoryTable } from "../../helpers/memory-table.ts";

const minuteMs = 60_000;
type OnPut = (memory: Table, ...written: Parameters<Table["put"]>) => Promise<unknown>;

/** A table whose writes go through `onPut`, a time that the test moves, and any processes' answers. */
function createWorld({ limit = 3, onPut }: { limit?: number; onPut?: OnPut } = {}) {
  const memory = createMemoryTable("id");
  const calls: string[] = [];
  const table: Table = {
    ...memory,
    get: (...args) => {
      calls.push("get");
      return memory.get(...args);
    },
    put: async (...args) => {
      calls.push("put");
      await onPut?.(memory, ...args);
      return memory.put(...args);
    },
  };
  const time = { nowMs: 1_000_000_000_000 };
  const now = () => time.nowMs;
  const ledger = createLedger({ table, now });
  let tokens = 0;
  const recent = createRecentAnswers({
    table,
    ledger,
    limit,
    windowMs: 10 * minuteMs,
    now,
    token: () => `t${++tokens}`,
  });
  const open = (conversationId = "ann_user_support") => recent.open("app", conversationId);
  const enter = async (effectId: string, ofConversation?: string, askedAtMs = time.nowMs) =>
    (await open(ofConversation)).enter({ effectId, sender: "support", askedAtMs });
  /** Enters that many answers of one account to a user of the group. */
  const reply = async (asker: string, times = 1, sender = "support") => {
    const outcomes: string[] = [];
    for (let time = 0; time < times; time += 1) {
      const page = await open("group_lobby");
      outcomes.push(await page.enter({ effectId: `${++tokens}`, sender, asker, askedAtMs: time * 1_000 }));
    }
    return outcomes;
  };
  /** Enters an answer and stores its outcome. */
  const answer = async (name: string, messageId?: string) => {
    const claim = { owner: name, deadlineMs: time.nowMs + 30_000, receivedAt: time.nowMs };
    await ledger.begin(name, claim);
    await enter(ledgerIdOf(name));
    if (messageId !== undefined) await ledger.finish(name, name, JSON.stringify({ id: messageId }));
  };
  return { recent, open, enter, reply, answer, ledger, time, memory, calls };
}

describe("enter", () => {
  it("admits as many answers as the conversation may get, without those of other conversations", async () => {
    const { enter } = createWorld();

    const outcomes = [await enter("1"), await enter("2"), await enter("3"), await enter("4")];

    expect(outcomes).toEqual(["entered", "entered", "entered", "full"]);
    expect(await enter("5", "bela_user_support")).toBe("entered");
  });

  it("answers other members of a group after one of them has had all answers", async () => {
    const { reply } = createWorld();

    expect(await reply("Mallory", 4)).toEqual(["entered", "entered", "entered", "full"]);

    expect(await reply("mallory")).toEqual(["full"]);
    expect(await reply("alice", 4)).toEqual(["entered", "entered", "entered", "full"]);
  });

  it("answers a group at most five times as often as one of its members", async () => {
    const { reply } = createWorld();
    for (const name of ["a", "b", "c", "d", "e"]) await reply(name, 3);

    expect(await reply("f")).toEqual(["full"]);
  });

  it("stores the newest 200 answers, so that a busy group's list stays short", async () => {
    const { enter, memory } = createWorld({ limit: 20 });

    for (let minute = 0; minute < 210; minute += 1)
      await enter(`${minute}`, "group_lobby", minute * minuteMs);

    const [{ answers } = { answers: [] }] = memory.items();
    expect(answers).toHaveLength(200);
  });

  it("counts the answers of two bots to each other together", async () => {
    const { reply } = createWorld();
    const outcomes: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      outcomes.push(...(await reply("Sales", 1, "support")), ...(await reply("support", 1, "sales")));
    }

    expect(outcomes).toEqual(["entered", "entered", "entered", "full"]);
  });

  it("stores no asker's name", async () => {
    const { reply, memory } = createWorld();
    await reply("mallory");

    expect(JSON.stringify(memory.items())).not.toContain("mallory");
  });

  it("is full regardless of other entries meanwhile, and stays small", async () => {
    const { enter, open, memory } = createWorld({ limit: 2 });
    await enter("1");
    await enter("2");
    const page = await open();
    for (let index = 0; index < 1_100; index += 1) {
      await page.enter({ effectId: `welcome-${index}`, sender: "support", askedAtMs: undefined });
    }

    expect(await enter("3")).toBe("full");
    expect(JSON.stringify(memory.items()).length).toBeLessThan(20_000);
  });

  it("counts in a sliding window, not in fixed periods of the clock", async () => {
    const { enter, time } = createWorld();
    await enter("1");
    time.nowMs += 9 * minuteMs;
    await enter("2");
    await enter("3");

    const within = await enter("4");
    time.nowMs += minuteMs;

    expect([within, await enter("4"), await enter("5")]).toEqual(["full", "entered", "full"]);
  });

  it("counts by the time of the questions, so that a backlog gets all its answers and a loop does not", async () => {
    const { enter, time } = createWorld();
    const backlog: string[] = [];
    for (let number = 0; number < 50; number += 1) {
      time.nowMs += 100;
      backlog.push(await enter(`late-${number}`, undefined, time.nowMs - (50 - number) * 4 * minuteMs));
    }

    expect(new Set(backlog)).toEqual(new Set(["entered"]));
    // Two of the backlog's came within ten minutes before.
    expect([await enter("now"), await enter("again")]).toEqual(["entered", "full"]);
  });

  it("enters messages that are only remembered, and counts them for no limit", async () => {
    const { open, enter, ledger, time } = createWorld();
    const other = async (name: string) => {
      await ledger.begin(name, { owner: name, deadlineMs: time.nowMs + 1, receivedAt: time.nowMs });
      await ledger.finish(name, name, JSON.stringify({ id: `of ${name}` }));
      const page = await open();
      return page.enter({ effectId: ledgerIdOf(name), sender: "host", askedAtMs: undefined });
    };
    for (const name of ["a", "b", "c", "d"]) expect(await other(name)).toBe("entered");
    await enter("1");
    await enter("2");

    expect([await enter("3"), await enter("4"), await other("e")]).toEqual(["entered", "full", "entered"]);
    expect(await (await open()).has({ id: "of e", sender: "host" })).toBe(true);
  });

  it("is exact when all processes answer at the same time from an earlier read", async () => {
    const { open } = createWorld();
    const pages = await Promise.all(Array.from({ length: 8 }, () => open()));

    const outcomes = await Promise.all(
      pages.map((page, number) => page.enter({ effectId: String(number), sender: "support", askedAtMs: 0 })),
    );

    expect(outcomes.filter((outcome) => outcome === "entered")).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === "full")).toHaveLength(5);
  });

  it("recognizes its own write if the answer was lost", async () => {
    const { memory, enter } = createWorld({ onPut: (table, ...written) => table.put(...written) });

    expect(await enter("1")).toBe("entered");
    expect(memory.items()).toMatchObject([
      { app: "app", version: "t1", answers: [expect.stringContaining(" 1 - support")] },
    ]);
  });

  it("returns busy if other writers are always faster", async () => {
    let others = 0;
    const { enter } = createWorld({
      onPut: (table, { id }) => table.put({ id: String(id), version: `other ${++others}`, answers: [] }),
    });

    expect(await enter("1")).toBe("busy");
  });

  it("costs one read and one write, and keeps one item per conversation without old answers", async () => {
    const { open, enter, time, memory, calls } = createWorld({ limit: 100 });
    const page = await open();
    expect(await page.has({ id: "1", sender: "ann" })).toBe(false);
    await page.enter({ effectId: "0", sender: "support", askedAtMs: 0 });
    expect(calls).toEqual(["get", "put"]);

    for (let number = 1; number <= 20; number += 1) {
      time.nowMs += 10 * minuteMs;
      await enter(String(number));
    }

    expect(memory.items()).toHaveLength(1);
    expect(memory.items()[0]?.answers).toHaveLength(7);
    expect(Number(memory.items()[0]?.expiration) * 1000).toBeGreaterThan(time.nowMs + 60 * minuteMs);
  });
});

describe("has", () => {
  it("recognizes an answer by its ID, and looks up no other sender's", async () => {
    const { open, answer, calls } = createWorld();
    await answer("one", "11");
    await answer("two", "12");
    const page = await open();
    calls.length = 0;

    expect(await page.has({ id: "11", sender: "Support" })).toBe(true);
    expect(await page.has({ id: "13", sender: "support" })).toBe(false);
    calls.length = 0;
    expect(await page.has({ id: "11", sender: "ann" })).toBe(false);
    expect(calls).toEqual([]);
  });

  it("treats any message of its sender as possibly sent if no outcome was stored", async () => {
    const { open, answer } = createWorld();
    await answer("begun");

    expect(await (await open()).has({ id: "13", sender: "support" })).toBe(true);
    expect(await (await open()).has({ id: "13", sender: "sales" })).toBe(false);
  });

  it("does not treat a message as an answer that was definitely not sent", async () => {
    const { open, answer, ledger } = createWorld();
    await answer("refused");
    await ledger.release("refused", "refused", "nothing happened");

    expect(await (await open()).has({ id: "13", sender: "support" })).toBe(false);
  });
});

import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { effectKey } from "../../../lib/effects/effect-key.ts";
import { createLedger } from "../../../lib/effects/ledger.ts";
import { createPerform } from "../../../lib/effects/perform.ts";
import { createStates } from "../../../lib/state/create-states.ts";
import { defineState } from "../../../lib/state/define-state.ts";
import { StateChangeError, StateMisfitError, StateValueError } from "../../../lib/state/state-errors.ts";
import { createTestAnswers, createTestGuard } from "../../helpers/loop-guard.ts";
import { createMemoryTable } from "../../helpers/memory-table.ts";
import { noOutside } from "../../helpers/no-outside.ts";

const counter = defineState("counter", z.object({ count: z.number() }), { per: "user", keepFor: "2d" });
const agent = defineState("agent", z.string(), { per: "conversation", keepFor: "1h" });
const total = defineState("total", z.number(), { per: "app", keepFor: "1d" });
const countUp = (before?: { count: number }) => ({ count: (before?.count ?? 0) + 1 });

/** A table of states, and handlers of different facts, which remember on it. */
function createMemory() {
  const table = createMemoryTable("id");
  const ledgerTable = createMemoryTable("id");
  const time = { nowMs: 1_000_000_000_000 };
  const now = () => time.nowMs;
  let tokens = 0;
  const token = () => `token-${++tokens}`;
  /** The states of one attempt at one fact. */
  const attempt = (fact: string, { isShadow = false, appId = "app-1", assertAlive = () => {} } = {}) => {
    const scope = { deadlineMs: now() + 30_000, assertAlive };
    const tools = {
      appId,
      call: () => {
        throw new Error("States ask no platform.");
      },
      guard: createTestGuard(appId),
      ...noOutside,
      answers: createTestAnswers({ table: ledgerTable, now }),
      scope,
      now,
    };
    const perform = createPerform({
      ledger: createLedger({ table: ledgerTable, now }),
      tools,
      key: effectKey(appId, fact),
      receivedAt: now(),
      token,
    });
    const sleep = async () => {};
    return createStates({ table, appId, perform, isShadow, now, token, random: () => 0, sleep });
  };
  return { attempt, table, ledgerTable, time };
}

describe("states", () => {
  it("remembers a value for each user, whichever case the platform writes the uid in", async () => {
    const { attempt } = createMemory();

    const first = await attempt("fact-1")(counter, "Alice").update(countUp);
    const second = await attempt("fact-2")(counter, "alice").update(countUp);

    expect(first).toEqual({ before: undefined, after: { count: 1 } });
    expect(second).toEqual({ before: { count: 1 }, after: { count: 2 } });
    expect(await attempt("fact-3")(counter, "bob").get()).toBeUndefined();
    expect(await attempt("fact-3")(counter, "ALICE").get()).toEqual({ count: 2 });
  });

  it("changes a value once for a fact, and tells each attempt the same", async () => {
    const { attempt } = createMemory();

    const first = await attempt("fact-1")(counter, "alice").update(countUp);
    await attempt("fact-2")(counter, "alice").update(countUp);
    const again = await attempt("fact-1")(counter, "alice").update(countUp);

    expect(again).toEqual(first);
    expect(await attempt("fact-3")(counter, "alice").get()).toEqual({ count: 2 });
  });

  it("takes a second update of a handler for another one, also when the handler is repeated", async () => {
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

  it("loses no update of two at the same time", async () => {
    const { attempt } = createMemory();

    await Promise.all(
      Array.from({ length: 8 }, (_, index) => attempt(`fact-${index}`)(counter, "alice").update(countUp)),
    );

    expect(await attempt("fact-9")(counter, "alice").get()).toEqual({ count: 8 });
  });

  it("forgets a value when its time is over, or when it is told to", async () => {
    const { attempt, time } = createMemory();
    await attempt("fact-1")(agent, "group_lobby").update(() => "bela");
    await attempt("fact-2")(agent, "group_hall").update(() => "cleo");
    const forgotten = await attempt("fact-3")(agent, "group_hall").update(() => undefined);
    expect(await attempt("fact-4")(agent, "group_lobby").get()).toBe("bela");

    time.nowMs += 60 * 60_000;

    expect(forgotten).toEqual({ before: "cleo", after: undefined });
    expect(await attempt("fact-4")(agent, "group_hall").get()).toBeUndefined();
    expect(await attempt("fact-4")(agent, "group_lobby").get()).toBeUndefined();
    expect(await attempt("fact-4")(agent, "group_lobby").update((before) => before ?? "none")).toEqual({
      before: undefined,
      after: "none",
    });
  });

  it("keeps apps, kinds, keys and shadowed triggers apart", async () => {
    const { attempt } = createMemory();
    await attempt("fact-1")(counter, "alice").update(countUp);

    expect(await attempt("fact-1", { appId: "app-2" })(counter, "alice").get()).toBeUndefined();
    expect(await attempt("fact-1", { isShadow: true })(counter, "alice").get()).toBeUndefined();
    expect(await attempt("fact-1")(total).get()).toBeUndefined();
  });

  it.each([
    ["does not fit", () => ({ count: "1" }) as never, "does not fit its schema at count"],
    ["is too big", () => ({ count: 1, more: "é".repeat(2_100) }) as never, "4"],
  ])("writes nothing of a value that %s", async (_how, change) => {
    const { attempt, table } = createMemory();

    const refused = attempt("fact-1")(counter, "alice").update(change);

    await expect(refused).rejects.toThrow(StateValueError);
    expect(table.items()).toEqual([]);
  });

  it("tells what is wrong with a value that an older schema wrote, and leaves it", async () => {
    const { attempt } = createMemory();
    const older = defineState("counter", z.object({ total: z.number() }), { per: "user", keepFor: "2d" });
    await attempt("fact-1")(older, "alice").update(() => ({ total: 3 }));

    await expect(attempt("fact-2")(counter, "alice").get()).rejects.toThrow(
      new StateMisfitError("counter", "count"),
    );
    await expect(attempt("fact-2")(counter, "alice").update(countUp)).rejects.toThrow(StateMisfitError);
    expect(await attempt("fact-3")(older, "alice").get()).toEqual({ total: 3 });
  });

  it("can be tried again at once where computing the new value failed", async () => {
    const { attempt } = createMemory();
    const bug = new TypeError("a bug");

    const failed = attempt("fact-1")(counter, "alice").update(() => {
      throw bug;
    });
    await expect(failed).rejects.toMatchObject({ name: StateChangeError.name, cause: bug });

    expect(await attempt("fact-1")(counter, "alice").update(countUp)).toMatchObject({ after: { count: 1 } });
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
    expect(() => defineState(name, z.string(), { per: "app", keepFor })).toThrow(RangeError);
  });
});

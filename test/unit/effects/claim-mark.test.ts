import { expect, it } from "vitest";
import type { Table } from "../../../lib/aws/table.ts";
import { createClaimMark } from "../../../lib/effects/ledger.ts";
import { createMemoryTable } from "../../helpers/memory-table.ts";

const nowMs = 1_000_000_000_000;

/** A table that records its calls, and the claims of any number of processes. */
function createWorld(
  put?: (memory: Table, ...written: Parameters<Table["put"]>) => ReturnType<Table["put"]>,
) {
  const memory = createMemoryTable("id");
  const calls: string[] = [];
  const table: Table = {
    ...memory,
    get: (...args) => {
      calls.push("get");
      return memory.get(...args);
    },
    put: (...args) => {
      calls.push("put");
      return put === undefined ? memory.put(...args) : put(memory, ...args);
    },
  };
  const known = new Map<string, unknown>();
  const processOf = (ofProcess = new Map<string, unknown>()) =>
    createClaimMark(table, ofProcess, () => nowMs, 90);
  return { memory, calls, known, processOf };
}

it("grants a mark to the first message only, in every process, for as long as effects are remembered", async () => {
  const { memory, processOf } = createWorld();

  expect(await processOf()("a-mark", "1")).toBe(true);

  expect([await processOf()("a-mark", "1"), await processOf()("a-mark", "2")]).toEqual([true, false]);
  expect(memory.items()).toEqual([
    { id: "mark#a-mark", messageId: "1", expiration: nowMs / 1000 + 90 * 86_400 },
  ]);
});

it("grants it to one of two concurrent messages", async () => {
  const { processOf } = createWorld();
  const [one, other] = [processOf(), processOf()];

  expect(await Promise.all([one("a-mark", "1"), other("a-mark", "2")])).toEqual([true, false]);
});

it("recognizes its own write if the answer was lost", async () => {
  const { processOf } = createWorld(async (memory, ...written) => {
    await memory.put(...written);
    return memory.put(...written);
  });

  expect(await processOf()("a-mark", "1")).toBe(true);
});

it("writes to the table once for all events of a message", async () => {
  const { calls, processOf } = createWorld();
  const [claim, other] = [processOf(), processOf()];

  for (let time = 0; time < 3; time += 1) expect(await claim("a-mark", "1")).toBe(true);
  for (let time = 0; time < 3; time += 1) expect(await other("a-mark", "2")).toBe(false);

  expect(calls).toEqual(["put", "put"]);
});

it("remembers at most a thousand marks without the table", async () => {
  const { known, processOf } = createWorld();
  const claim = processOf(known);

  for (let number = 0; number <= 1_000; number += 1) await claim(`mark-${number}`, "1");

  expect(known.size).toBe(1);
  expect(await claim("mark-0", "2")).toBe(false);
});

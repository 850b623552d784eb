import { describe, expect, it } from "vitest";
import { createOccurrenceMemory } from "../../../lib/effects/ledger.ts";
import { nameOccurrence } from "../../../lib/events/occurrence.ts";
import { createMemoryTable } from "../../helpers/memory-table.ts";

const joined = { key: `app|group_member_joined|${"x".repeat(3000)}`, canRecur: true };
const receivedAt = 1_795_000_000_000;

describe("createOccurrenceMemory", () => {
  it("keeps the first of two times that are claimed for one name, also when a claim's answer was lost", async () => {
    const table = createMemoryTable("id");
    const memory = createOccurrenceMemory(table);

    const claims = [await memory.claim("a", 5), await memory.claim("a", 5), await memory.claim("a", 9)];

    expect(claims).toEqual([5, 5, 5]);
    expect(await memory.read(["b", "a"])).toEqual([undefined, 5]);
  });

  it("distinguishes two joins five minutes apart that are handled together hours later", async () => {
    const table = createMemoryTable("id");
    const moments = [0, 10_000, 40_000, 300_000, 310_000].map((ms) => receivedAt + ms);

    const names: string[] = [];
    for (const moment of moments) {
      names.push(await nameOccurrence(joined, moment, createOccurrenceMemory(table)));
    }

    const [first, , , second] = names;
    expect(names).toEqual([first, first, first, second, second]);
    expect(second).not.toBe(first);
    expect(table.items()).toHaveLength(2);
  });

  it("remembers for 35 days after the receipt, for any time of handling", async () => {
    const table = createMemoryTable("id");

    await nameOccurrence(joined, receivedAt, createOccurrenceMemory(table));

    const [item] = table.items();
    expect(item?.expiration).toBe((receivedAt + 35 * 24 * 60 * 60_000) / 1000);
  });

  it("throws, and claims nothing, when the table cannot be read", async () => {
    const table = createMemoryTable("id");
    const unreachable = async () => {
      throw new Error("The table is unreachable.");
    };
    const noTable = createOccurrenceMemory({ ...table, get: unreachable });

    await expect(nameOccurrence(joined, receivedAt, noTable)).rejects.toThrow();

    expect(table.items()).toEqual([]);
  });
});

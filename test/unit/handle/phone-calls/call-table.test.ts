import { describe, expect, it } from "vitest";
import { createCallTable } from "../../../../lib/handle/phone-calls/call-tracker.ts";
import { createMemoryTable } from "../../../helpers/memory-table.ts";

const call = { appId: "app-1", sessionId: "s-1" };
const nowMs = Date.UTC(2026, 2, 2, 8) + 1;

describe("createCallTable", () => {
  const begin = () => {
    const table = createMemoryTable("call", "fact");
    return { table, calls: createCallTable(table, () => nowMs) };
  };

  it("remembers reports and claims for 35 days, longer than a replayed check is acted on", async () => {
    const { table, calls } = begin();

    await calls.put(call, "key-1", { kind: "started", sessionKind: "call" });
    await calls.claim(call, "call_summary", "me");

    const expiration = Math.ceil(nowMs / 1000) + 35 * 24 * 60 * 60;
    expect(table.items().map((item) => item.expiration)).toEqual([expiration, expiration]);
  });

  it("stores each report once, and separates the calls of two apps and two sessions", async () => {
    const { calls } = begin();
    const fact = { kind: "started", sessionKind: "call" } as const;

    await calls.put(call, "key-1", { ...fact, at: 1 });
    await calls.put(call, "key-1", { ...fact, at: 2 });
    await calls.put({ ...call, appId: "app-2" }, "key-1", { ...fact, at: 3 });
    await calls.put({ ...call, sessionId: "s-2" }, "key-1", { ...fact, at: 4 });
    await calls.claim(call, "call_missed", "me");

    expect(await calls.list(call)).toEqual([{ ...fact, at: 2 }]);
  });

  it("grants a claim to the first caller and its repetition only", async () => {
    const { calls } = begin();

    const answers = [
      await calls.claim(call, "call_missed", "me"),
      await calls.claim(call, "call_missed", "you"),
      await calls.claim(call, "call_missed", "me"),
      await calls.claim(call, "call_summary 7", "you"),
    ];

    expect(answers).toEqual([true, false, true, true]);
  });
});

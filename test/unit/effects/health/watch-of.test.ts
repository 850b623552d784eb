import { describe, expect, it } from "vitest";
import { createAppHealth } from "../../../../lib/effects/health/app-health.ts";
import { blamedFor } from "../../../../lib/effects/health/destination.ts";
import { createHealthStore } from "../../../../lib/effects/health/health-store.ts";
import {
  RequestFailedError,
  RequestNotAllowedError,
  RequestRefusedError,
} from "../../../../lib/effects/http/outside-errors.ts";
import { createMemoryTable } from "../../../helpers/memory-table.ts";

const host = "tickets.example.com";

async function createWorld() {
  const time = { nowMs: 1_800_000_000_000 };
  const now = () => time.nowMs;
  const store = createHealthStore(createMemoryTable("lane", "item"), now);
  const health = createAppHealth({ appId: "app-1", record: await store.read("app-1"), store, now });
  const scopeOf = (lane: string, remainingMs = 28_000) => ({
    lane,
    deadlineMs: time.nowMs + remainingMs,
    assertAlive: () => {},
    probes: new Set<string>(),
    waitsFor: new Set<string>(),
  });
  const ask = (lane: string, error?: Error, { of = host, remainingMs = 28_000 } = {}) =>
    health.watchOf(scopeOf(lane, remainingMs))(of, "POST", async () => {
      if (error !== undefined) throw error;
      return "answered";
    });
  return { health, ask, time, scopeOf };
}

const failure = (reason = "status 503") =>
  new RequestFailedError(`POST ${host}`, { reason, maybeExecuted: true });

describe("watchOf", () => {
  it("asks a host no more once it failed for five lanes, others still, and finds out whether it is well", async () => {
    const { ask, time } = await createWorld();
    for (let lane = 1; lane <= 5; lane += 1) await ask(`lane-${lane}`, failure()).catch(() => undefined);

    await expect(ask("lane-6")).rejects.toThrow(
      /Nothing was sent for app app-1: tickets.example.com write failed/,
    );
    expect(await ask("lane-6", undefined, { of: "desk.example.com" })).toBe("answered");
    time.nowMs += 31_000;
    expect(await ask("lane-7")).toBe("answered");
    expect(await ask("lane-8")).toBe("answered");
  });

  it("blames the host, and counts a refusal as an answer", async () => {
    const { health, ask } = await createWorld();
    const error = failure();

    await ask("lane-1", error).catch(() => undefined);
    await ask("lane-2", new RequestRefusedError("POST x", 422)).catch(() => undefined);

    expect(blamedFor(error)).toBe(`${host} write`);
    expect(health.countsOf(`${host} write`)).toEqual({ ok: 1, bad: 1 });
  });

  it("holds nothing against a host that must not be asked", async () => {
    const { health, scopeOf } = await createWorld();
    const scope = scopeOf("lane-1");

    const asked = health.watchOf(scope)(host, "POST", async () => {
      throw new RequestNotAllowedError("its address is closed.");
    });

    await expect(asked).rejects.toThrow(RequestNotAllowedError);
    expect([...scope.waitsFor]).toEqual([]);
    expect(health.countsOf(`${host} write`)).toEqual({ ok: 0, bad: 0 });
  });

  it("does not hold it against a host that it had little time", async () => {
    const { health, ask } = await createWorld();

    await ask("lane-1", failure("TIMEOUT"), { remainingMs: 9_000 }).catch(() => undefined);

    expect(health.countsOf(`${host} write`)).toEqual({ ok: 0, bad: 0 });
  });
});

import { beforeEach, describe, expect, it } from "vitest";
import { ChatApiError, ChatUnreachableError } from "../../../../lib/chat/errors.ts";
import type { Guard } from "../../../../lib/chat/guard.ts";
import type { PreparedRequest, SendOptions } from "../../../../lib/chat/prepare-request.ts";
import {
  type AppHealth,
  createAppHealth,
  type RequestScope,
} from "../../../../lib/effects/health/app-health.ts";
import { blamedFor, DestinationClosedError } from "../../../../lib/effects/health/destination.ts";
import { createHealthStore, type HealthStore } from "../../../../lib/effects/health/health-store.ts";
import { createMemoryTable } from "../../../helpers/memory-table.ts";

const destination = "chat.test write";
const minute = 60_000;

const silence = () =>
  new ChatUnreachableError({
    operation: "send-message",
    phase: "answer",
    maybeExecuted: true,
    reason: "ECONNRESET",
  });
const refusal = (status: number, code: string) =>
  new ChatApiError("no", { status, code, operation: "send-message", retryable: false, maybeExecuted: false });

describe("createAppHealth", () => {
  let nowMs = 0;
  let store: HealthStore;
  let table: ReturnType<typeof createMemoryTable>;

  beforeEach(() => {
    nowMs = 100 * minute;
    table = createMemoryTable("lane", "item");
    store = createHealthStore(table, () => nowMs);
  });

  const begin = async (): Promise<AppHealth> =>
    createAppHealth({ appId: "app", record: await store.read("app"), store, now: () => nowMs });

  const scopeOf = (lane: string): RequestScope => ({
    lane,
    deadlineMs: nowMs + 30_000,
    assertAlive: () => undefined,
    probes: new Set(),
    waitsFor: new Set(),
  });

  /** Sends one request in a lane; gives the options it was sent with. */
  async function request(health: AppHealth, lane: string, fails?: () => Error, scope = scopeOf(lane)) {
    const sent: SendOptions[] = [];
    const guard: Guard = health.guardOf(scope, () => "chat.test");
    const prepared = { operation: "send-message", method: "POST", service: "api" } as PreparedRequest;
    const work = guard(prepared, {}, async (options) => {
      sent.push(options);
      if (fails) throw fails();
      return { kind: "answer", body: {} };
    });
    await work.catch((error: unknown) => {
      if (!fails && !(error instanceof DestinationClosedError)) throw error;
    });
    return { sent, work };
  }

  async function openBreaker(): Promise<void> {
    const health = await begin();
    for (const lane of ["a", "b", "c", "d", "e"]) await request(health, lane, silence);
  }

  it("writes nothing while all is well", async () => {
    const health = await begin();

    await request(health, "a");
    await request(health, "b");
    await health.flush();

    expect(table.items()).toEqual([]);
    expect(health.isInTrouble()).toBe(false);
  });

  it("opens after five failures in a row of different lanes, for every invocation", async () => {
    const health = await begin();
    for (const lane of ["a", "b", "c", "d"]) await request(health, lane, silence);
    expect((await request(health, "z", silence)).sent).toHaveLength(1);

    const { sent, work } = await request(await begin(), "f");

    expect(sent).toEqual([]);
    await expect(work).rejects.toThrow(DestinationClosedError);
    await expect(work).rejects.toMatchObject({ destination, retryAfterMs: 30_000, maybeExecuted: false });
  });

  it("stays closed when one lane alone fails, however often", async () => {
    for (let time = 0; time < 20; time += 1) await request(await begin(), "a", silence);

    expect((await request(await begin(), "b")).sent).toHaveLength(1);
  });

  it("starts anew after a success", async () => {
    for (const lane of ["a", "b", "c", "d"]) await request(await begin(), lane, silence);
    await request(await begin(), "e");
    for (const lane of ["a", "b", "c", "d"]) await request(await begin(), lane, silence);

    expect((await request(await begin(), "f")).sent).toHaveLength(1);
  });

  it("lets one request in 30 s find out, once and with the event's own others, and opens the way when it succeeds", async () => {
    await openBreaker();
    nowMs += 30_000;
    const [one, other] = [await begin(), await begin()];

    const probe = scopeOf("a");
    const first = await request(one, "a", silence, probe);
    const second = await request(other, "b");
    const third = await request(one, "a", undefined, probe);
    const fourth = await request(await begin(), "b");

    expect(first.sent).toMatchObject([{ maxTries: 1 }]);
    expect(second.sent).toEqual([]);
    expect(third.sent).toHaveLength(1);
    expect(fourth.sent).toHaveLength(1);
    expect(fourth.sent[0]).not.toHaveProperty("maxTries");
  });

  it("lets an event fresh from the queue find out where none that waits did for 30 s", async () => {
    await openBreaker();
    const ask = async () =>
      (await request(await begin(), "f", undefined, { ...scopeOf("f"), isFresh: true })).sent;

    nowMs += 59_999;
    expect(await ask()).toEqual([]);
    nowMs += 1;
    expect(await ask()).toHaveLength(1);
    expect((await request(await begin(), "g")).sent).toHaveLength(1);
  });

  it("takes the platform's own final no for health, and refused credentials, scopes and proxies for illness", async () => {
    const health = await begin();

    await request(health, "a", () => refusal(403, "ERR_GROUP_NOT_JOINED"));
    expect(health.countsOf(destination)).toEqual({ ok: 1, bad: 0 });
    for (const [status, code] of [
      [401, "AUTH_ERR_APIKEY_NOT_FOUND"],
      [403, "AUTH_ERR_NO_ACCESS"],
      [403, "HTTP_403"],
      [404, "ERR_OF_NOBODY"],
      [429, "ERR_TOO_MANY_REQUESTS"],
      [500, "ERR_UID_NOT_FOUND"],
    ] as const) {
      await request(health, "a", () => refusal(status, code));
    }

    expect(health.countsOf(destination)).toEqual({ ok: 1, bad: 6 });
  });

  it("remembers which destination an error came from, behind the caller's own error too", async () => {
    const health = await begin();
    const error = silence();

    await request(health, "a", () => error);

    expect(blamedFor(error)).toBe(destination);
    expect(blamedFor(new Error("mine", { cause: error }))).toBe(destination);
    expect(blamedFor(new Error("mine"))).toBeUndefined();
  });

  it("does not blame a destination for the event's own time running out", async () => {
    const health = await begin();
    const late = { ...scopeOf("a"), deadlineMs: nowMs + 9_999 };
    const timeout = () =>
      new ChatUnreachableError({ operation: "x", phase: "answer", maybeExecuted: true, reason: "TIMEOUT" });

    await request(health, "a", timeout, late);
    expect(health.countsOf(destination)).toEqual({ ok: 0, bad: 0 });
    await request(health, "a", timeout, { ...late, deadlineMs: nowMs + 10_000 });

    expect(health.countsOf(destination)).toEqual({ ok: 0, bad: 1 });
  });

  it("limits each request to the event's time", async () => {
    const { sent } = await request(await begin(), "a");

    expect(sent).toEqual([{ deadlineMs: nowMs + 30_000 }]);
  });

  it("says for an hour that lanes may be parked, and writes it seldom", async () => {
    const health = await begin();
    await health.markTrouble();
    const written = table.items();
    nowMs += 5 * minute;
    await (await begin()).markTrouble();

    expect(table.items()).toEqual(written);
    expect((await begin()).isInTrouble()).toBe(true);
    nowMs += 54 * minute;
    expect((await begin()).isInTrouble()).toBe(true);
    await (await begin()).markTrouble();
    nowMs += 59 * minute;
    expect((await begin()).isInTrouble()).toBe(true);
    nowMs += minute;
    expect((await begin()).isInTrouble()).toBe(false);
  });

  it("says for 17 days that the lanes of a share may be parked, and writes it once a day", async () => {
    const day = 24 * 60 * minute;
    const health = await begin();
    expect(health.mayBeParked("events a")).toBe(false);

    await health.markParked("events a");
    const written = table.items();
    nowMs += day - 1;
    await health.markParked("events a");
    await (await begin()).markParked("events a");

    expect(health.mayBeParked("events a")).toBe(true);
    expect(health.mayBeParked("events b")).toBe(false);
    expect(table.items()).toEqual(written);
    nowMs += 16 * day;
    expect((await begin()).mayBeParked("events a")).toBe(true);
    nowMs += 1;
    expect((await begin()).mayBeParked("events a")).toBe(false);
  });

  it("says longer that a lane may be parked when it was said more than a day ago", async () => {
    const day = 24 * 60 * minute;
    await (await begin()).markParked("events a");
    nowMs += day;
    await (await begin()).markParked("events a");
    nowMs += 17 * day - 1;

    expect((await begin()).mayBeParked("events a")).toBe(true);
  });

  it("counts successes for others only in trouble", async () => {
    const health = await begin();
    await health.markTrouble();
    await request(health, "a");
    await request(health, "b");
    await health.flush();

    expect((await begin()).countsOf(destination)).toEqual({ ok: 2, bad: 0 });
  });

  it("stops burying after twenty in a minute, and goes on when an effect succeeds", async () => {
    const bury = async (count: number) => {
      const allowed: boolean[] = [];
      for (let time = 0; time < count; time += 1)
        allowed.push(await (await begin()).mayDeadLetter(`lane ${time % 5}`));
      return allowed.filter(Boolean).length;
    };
    expect(await bury(20)).toBe(20);
    nowMs += 2 * minute;
    expect(await bury(25)).toBe(20);
    nowMs += 30 * minute;
    expect(await bury(1)).toBe(0);

    const health = await begin();
    health.noteSuccess();
    await health.flush();

    expect(await bury(1)).toBe(1);
  });

  it("goes on burying the events of one lane, however many they are", async () => {
    const allowed: boolean[] = [];
    for (let time = 0; time < 60; time += 1) allowed.push(await (await begin()).mayDeadLetter("a lane"));

    expect(allowed).not.toContain(false);
  });

  it("counts the minute before by what is left of it", async () => {
    nowMs = 200 * minute + 59_999;
    for (let time = 0; time < 15; time += 1) await (await begin()).mayDeadLetter(`lane ${time}`);
    nowMs += 1;

    const allowed: boolean[] = [];
    for (let time = 0; time < 7; time += 1) allowed.push(await (await begin()).mayDeadLetter(`lane ${time}`));

    expect(allowed).toEqual([true, true, true, true, true, false, false]);
  });
});

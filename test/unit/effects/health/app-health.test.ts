import { beforeEach, describe, expect, it } from "vitest";
import { InvalidInputError } from "../../../../lib/chat/errors.ts";
import type { PreparedRequest, SendOptions } from "../../../../lib/chat/prepare-request.ts";
import {
  RequestFailedError,
  RequestNotAllowedError,
  RequestRefusedError,
} from "../../../../lib/effects/effect-errors.ts";
import { type AppHealth, createAppHealth } from "../../../../lib/effects/health/app-health.ts";
import {
  blamedFor,
  DestinationClosedError,
  type LaneLimits,
} from "../../../../lib/effects/health/destinations.ts";
import { createHealthStore, type HealthStore } from "../../../../lib/effects/health/health-store.ts";
import {
  type Pause,
  type PauseSettings,
  pauseAttribute,
} from "../../../../lib/effects/health/pause-settings.ts";
import { chatRefusal, chatSilence } from "../../../helpers/failed-calls.ts";
import { createMemoryTable } from "../../../helpers/memory-table.ts";

const chat = "chat.test write";
const startMs = Date.UTC(2026, 2, 2, 8);
const minute = 60_000;
const day = 24 * 60 * minute;

const noTable = () => Promise.reject(new Error("no table"));
const lost = chatSilence({ reason: "ECONNRESET", maybeExecuted: false });
const outsideTimeout = new RequestFailedError("POST x", { reason: "TIMEOUT", maybeExecuted: true });
const finalRefusal = chatRefusal(403, "ERR_GROUP_NOT_JOINED");
const refusal = chatRefusal(400, "ERR_SOMETHING_NEW");
const trouble = chatRefusal(500, "ERR_EXCEPTION");
const overdue = chatSilence({ reason: "DEADLINE", phase: "wait" });

describe("createAppHealth", () => {
  let nowMs: number;
  let table: ReturnType<typeof createMemoryTable>;
  let store: HealthStore;
  let asked: string[];

  beforeEach(() => {
    nowMs = startMs;
    asked = [];
    table = createMemoryTable("lane", "item");
    store = watched(createHealthStore(table, () => nowMs));
  });

  /** Records the requests to the store. */
  function watched(real: HealthStore): HealthStore {
    return {
      ...real,
      noteOk: (...call) => {
        asked.push(`ok ${call[1]} ${call[2]}`);
        return real.noteOk(...call);
      },
      noteBad: (...call) => {
        asked.push(`bad ${call[1]}`);
        return real.noteBad(...call);
      },
      claimProbe: (...call) => {
        asked.push(`claim ${call[1]}`);
        return real.claimProbe(...call);
      },
      noteDeadLetter: (...call) => {
        asked.push("burial");
        return real.noteDeadLetter(...call);
      },
    };
  }
  const begin = async (by: HealthStore = store): Promise<AppHealth> =>
    createAppHealth({ appId: "app", record: await store.read("app"), store: by, now: () => nowMs });

  const limitsOf = (lane = "a", more: Partial<LaneLimits> = {}): LaneLimits => ({
    lane,
    deadlineMs: nowMs + 28_000,
    assertAlive: () => undefined,
    probes: new Set(),
    waitsFor: new Map(),
    ...more,
  });

  /** Sends one request; returns its outcome and its options. */
  async function send(
    health: AppHealth,
    {
      limits = limitsOf(),
      options = {},
      fails,
      method = "POST",
    }: { limits?: LaneLimits; options?: SendOptions; fails?: unknown; method?: string } = {},
  ) {
    const sent: SendOptions[] = [];
    const waitedFor: string[][] = [];
    const guard = health.outageGuardOf(limits, () => "chat.test");
    const request = { operation: "x", method, service: "api" } as PreparedRequest;
    const outcome = await guard(request, options, async (limited) => {
      sent.push(limited);
      waitedFor.push([...limits.waitsFor.keys()]);
      if (fails !== undefined) throw fails;
      return { kind: "answer", body: "the answer" };
    }).catch((error: unknown) => error);
    return { outcome, sent, waitedFor, waitsFor: [...limits.waitsFor.keys()] };
  }

  const failInFive = async () => {
    for (const lane of ["a", "b", "c", "d", "e"]) {
      await send(await begin(), { limits: limitsOf(lane), fails: lost });
    }
  };

  it("stays closed if requests are refused in any number of conversations, and counts them", async () => {
    await store.noteOk("app", chat, 1);
    for (const lane of ["a", "b", "c", "d", "e", "f"])
      await send(await begin(), { limits: limitsOf(lane), fails: refusal });

    const health = await begin();

    expect(health.outageOf(chat)).toBeUndefined();
    expect(health.countsOf(chat)).toEqual({ ok: 1, bad: 6 });
    expect((await send(health)).outcome).toEqual({ kind: "answer", body: "the answer" });
  });

  it("closes after a refusal, which shows that the host is up, for the other lanes, too", async () => {
    await failInFive();
    nowMs += 30_000;
    const { outcome, waitsFor } = await send(await begin(), { fails: refusal });

    expect(outcome).toBe(refusal);
    expect(waitsFor).toEqual([]);
    expect((await begin()).outageOf(chat)).toBeUndefined();
  });

  it.each([
    ["a failure of the platform", chatRefusal(500, "ERR_EXCEPTION")],
    ["silence", lost],
    ["a proxy's page", chatRefusal(403, "HTTP_403")],
    ["a refused key", chatRefusal(401, "AUTH_ERR_APIKEY_NOT_FOUND")],
    ["a wrong scope", chatRefusal(403, "AUTH_ERR_NO_ACCESS")],
    ["an ended subscription", chatRefusal(403, "ERR_SUBSCRIPTION_EXPIRED")],
  ])("opens after five conversations with %s", async (_case, fails) => {
    for (const lane of ["a", "b", "c", "d", "e"])
      await send(await begin(), { limits: limitsOf(lane), fails });

    expect((await begin()).outageOf(chat)).toMatchObject({ isOpen: true });
  });

  it.each([
    [403, undefined],
    [409, undefined],
    [401, true],
    [429, true],
    [500, true],
  ])("guards another host that answers five conversations with %i: open is %s", async (status, isOpen) => {
    const host = "tickets.example.com";
    const fails = new RequestFailedError(`POST ${host}`, { reason: "x", status, maybeExecuted: false });
    for (const lane of ["a", "b", "c", "d", "e"])
      await (await begin())
        .watchOf(limitsOf(lane))(host, "POST", () => Promise.reject(fails))
        .catch(() => undefined);

    expect((await begin()).outageOf(`${host} write`)?.isOpen).toBe(isOpen);
  });

  it("guards requests to other hosts, too", async () => {
    const health = await begin();
    const host = "tickets.example.com";
    const ask = (lane: string, error?: Error) =>
      health.watchOf(limitsOf(lane))(host, "POST", async () => {
        if (error !== undefined) throw error;
        return "answered";
      });
    const failure = new RequestFailedError(`POST ${host}`, { reason: "status 503", maybeExecuted: true });
    for (let lane = 1; lane <= 5; lane += 1) await ask(`lane-${lane}`, failure).catch(() => undefined);

    await expect(ask("lane-6")).rejects.toThrow(
      /Nothing was sent for app app: tickets.example.com write failed/,
    );
    expect(blamedFor(failure)).toBe(`${host} write`);
    expect((await send(health)).sent).toHaveLength(1);
  });

  it("sends nothing for an event whose attempt ended", async () => {
    const gone = new Error("given up");
    const assertAlive = () => {
      throw gone;
    };

    const { outcome, sent } = await send(await begin(), { limits: limitsOf("a", { assertAlive }) });

    expect(outcome).toBe(gone);
    expect([sent, asked]).toEqual([[], []]);
  });

  it.each([
    ["the event's", undefined, 28_000],
    ["the request's own, if that is sooner", 5_000, 5_000],
    ["the event's, if that is sooner", 50_000, 28_000],
  ])("limits a request to a deadline: %s", async (_case, ownMs, expectedMs) => {
    const options = { onBehalfOf: "ann", ...(ownMs !== undefined && { deadlineMs: startMs + ownMs }) };

    const { sent } = await send(await begin(), { options });

    expect(sent).toMatchObject([{ onBehalfOf: "ann", deadlineMs: startMs + expectedMs }]);
  });

  it.each([
    ["an answer", undefined, []],
    ["the platform's final refusal", finalRefusal, []],
    ["another host's refusal", new RequestRefusedError("POST x", 422), []],
    ["a user's own limit", chatRefusal(429, "X_Y", { isUserLimit: true }), []],
    ["a request that must not be sent", new RequestNotAllowedError("its address is closed."), []],
    ["no answer", lost, [chat]],
    ["a failure", trouble, [chat]],
  ])(
    "records which destination the event waits for, during a request and after %s",
    async (_case, fails, after) => {
      const { waitedFor, waitsFor } = await send(await begin(), { fails });

      expect(waitedFor).toEqual([[chat]]);
      expect(waitsFor).toEqual(after);
    },
  );

  it("forgets the destination that the event waited for once that answers", async () => {
    const limits = limitsOf();
    const health = await begin();
    await send(health, { limits, fails: lost });

    expect((await send(health, { limits })).waitsFor).toEqual([]);
  });

  it("waits for one of two requests to a host while the other is answered", async () => {
    const limits = limitsOf();
    const watch = (await begin()).watchOf(limits);
    const hanging = Promise.withResolvers<string>();
    const pending = watch("tickets.example.com", "GET", () => hanging.promise);
    await watch("tickets.example.com", "GET", async () => "answered");
    const whileOneHangs = [...limits.waitsFor.keys()];
    hanging.resolve("answered late");
    await pending;

    expect(whileOneHangs).toEqual(["tickets.example.com read"]);
    expect([...limits.waitsFor.keys()]).toEqual([]);
  });

  it.each([
    ["a time-out with little time left", chatSilence(), 9_999, 0],
    ["a wait for the own budget with little time left", overdue, 9_999, 0],
    ["a time-out with a whole try's time left", chatSilence(), 10_000, 1],
    ["a wait with a whole try's time left", overdue, 10_000, 1],
    ["a dead socket with little time left", lost, 9_999, 1],
    ["a failure with little time left", trouble, 9_999, 1],
    ["another host's time-out with little time left", outsideTimeout, 9_999, 0],
    ["an input that was never sent", new InvalidInputError("x", "uid", "short"), 28_000, 0],
    ["a bug", new TypeError("a bug"), 28_000, 0],
  ])(
    "counts failures of the destination, and none of the event's own: %s",
    async (_case, fails, leftMs, bad) => {
      const health = await begin();

      await send(health, { fails, limits: limitsOf("a", { deadlineMs: nowMs + leftMs }) });

      expect(health.countsOf(chat)).toEqual({ ok: 0, bad });
      expect((await begin()).countsOf(chat)).toEqual({ ok: 0, bad });
    },
  );

  it("rethrows the request's error if the failure cannot be stored", async () => {
    const failing = await begin({ ...store, noteBad: noTable });

    expect((await send(failing, { fails: lost })).outcome).toBe(lost);
  });

  it("returns the answer if the success cannot be stored", async () => {
    await send(await begin(), { fails: lost });
    const health = await begin({ ...store, noteOk: noTable });

    expect((await send(health)).outcome).toMatchObject({ kind: "answer" });
    expect((await send(health, { fails: finalRefusal })).outcome).toBe(finalRefusal);
  });

  describe("while the breaker is open", () => {
    it("sends nothing in any invocation, except reads where writing failed", async () => {
      await failInFive();

      const { sent, outcome } = await send(await begin(), { limits: limitsOf("f") });

      expect(sent).toEqual([]);
      expect(outcome).toMatchObject({ destination: chat, retryAfterMs: 30_000, maybeExecuted: false });
      expect((await send(await begin(), { method: "GET" })).sent).toHaveLength(1);
    });

    it("lets a new event probe if no waiting event did for 30 s", async () => {
      await failInFive();
      const ask = async () => (await send(await begin(), { limits: limitsOf("f", { isFresh: true }) })).sent;

      nowMs += 59_999;
      expect(await ask()).toEqual([]);
      nowMs += 1;
      expect(await ask()).toHaveLength(1);
      const [after] = (await send(await begin(), { limits: limitsOf("g") })).sent;
      expect(after).not.toHaveProperty("maxTries");
    });

    it("does not end with a redirect, which may be a page for visitors", async () => {
      await failInFive();
      nowMs += 30_000;
      const redirect = new RequestRefusedError("POST x", 302);
      const { waitsFor } = await send(await begin(), { limits: limitsOf("f"), fails: redirect });

      expect(waitsFor).toEqual([]);
      expect((await send(await begin(), { limits: limitsOf("g") })).sent).toEqual([]);
    });

    it("claims a probe once, and sends nothing else of the invocation meanwhile", async () => {
      await failInFive();
      nowMs += 30_000;
      const [one, other] = [await begin(), await begin()];
      await send(one, { limits: limitsOf("probe"), fails: lost });
      asked = [];

      const late = await send(other, { limits: limitsOf("late") });
      const later = await send(other, { limits: limitsOf("later") });

      expect(late.outcome).toMatchObject({
        name: "DestinationClosedError",
        destination: chat,
        retryAfterMs: 30_000,
      });
      expect(later.outcome).toMatchObject({ name: "DestinationClosedError", retryAfterMs: 30_000 });
      expect([late.sent, later.sent]).toEqual([[], []]);
      expect(asked).toEqual([`claim ${chat}`]);
    });

    it("sends only the probe's own event in the probe's invocation", async () => {
      await failInFive();
      nowMs += 30_000;
      const health = await begin();
      const probe = limitsOf("probe");
      await send(health, { limits: probe, fails: lost });

      expect((await send(health, { limits: limitsOf("other") })).sent).toEqual([]);
      expect((await send(health, { limits: probe })).sent).toMatchObject([{ maxTries: 1 }]);
    });

    it.each([
      ["an answer", undefined],
      ["the platform's final refusal", finalRefusal],
    ])("ends for all invocations when the probe met %s", async (_case, fails) => {
      await failInFive();
      nowMs += 30_000;
      const health = await begin();

      await send(health, { limits: limitsOf("probe"), fails });

      expect((await send(await begin())).sent).toHaveLength(1);
      expect((await send(health, { limits: limitsOf("other") })).sent).toHaveLength(1);
      expect(asked.filter((one) => one.startsWith("ok "))).toEqual([`ok ${chat} 1`]);
    });
  });

  it("stores a success immediately after failures, and only then", async () => {
    const health = await begin();
    await send(health);
    await health.flush();
    expect([asked, health.isInTrouble()]).toEqual([[], false]);
    await send(health, { fails: lost });

    await send(health);
    await send(health);

    expect(asked).toEqual([`bad ${chat}`, `ok ${chat} 2`]);
    expect(health.countsOf(chat)).toEqual({ ok: 3, bad: 1 });
  });

  describe("flush", () => {
    it("adds to the earlier counts, once", async () => {
      await (await begin()).markTrouble();
      const health = await begin();
      await send(health, { fails: lost });
      await send(health);
      asked = [];
      await send(health);
      await health.flush();
      await send(health);

      await health.flush();
      await health.flush();

      expect(health.countsOf(chat)).toEqual({ ok: 3, bad: 1 });
      expect((await begin()).countsOf(chat)).toEqual({ ok: 3, bad: 1 });
      expect(asked).toEqual([`ok ${chat} 1`, `ok ${chat} 1`]);
    });

    it.each([
      ["nothing of a healthy host after a hundred others failed and recovered", true, []],
      ["the successes of a healthy host while a hundred others fail", false, [`ok ${chat} 1`]],
    ])("writes %s", async (_case, isMended, written) => {
      await (await begin()).markTrouble();
      for (let n = 0; n < 100; n += 1) {
        await store.noteBad("app", `${n}.test write`, "a", nowMs);
        if (isMended) await store.noteOk("app", `${n}.test write`, 1);
      }
      const health = await begin();
      asked = [];
      await send(health);

      await health.flush();

      expect(asked).toEqual(written);
    });

    it("forgets successes after an hour without trouble", async () => {
      await (await begin()).markTrouble();
      nowMs += 60 * 60_000;
      const health = await begin();
      await send(health);

      await health.flush();

      expect(asked).toEqual([]);
    });

    it("ignores an unreachable table", async () => {
      await (await begin()).markTrouble();
      const health = await begin({ ...store, noteOk: noTable });
      await send(health);

      await expect(health.flush()).resolves.toBeUndefined();
    });
  });

  it("markTrouble extends the end only if it is at least ten minutes later", async () => {
    const health = await begin();
    await health.markTrouble();
    nowMs += 10 * 60_000 - 1;
    await health.markTrouble();
    expect((await store.read("app")).troubleUntil).toBe(startMs + 60 * 60_000);
    nowMs += 1;

    await health.markTrouble();

    expect((await store.read("app")).troubleUntil).toBe(startMs + 70 * 60_000);
    nowMs = startMs + 70 * minute - 1;
    expect((await begin()).isInTrouble()).toBe(true);
    nowMs += 1;
    expect((await begin()).isInTrouble()).toBe(false);
  });

  it("markParked holds for 17 days for the lanes of a share, and is written once a day", async () => {
    const health = await begin();
    expect(health.mayBeParked("events a")).toBe(false);

    await health.markParked("events a");
    const written = table.items();
    nowMs += day - 1;
    await health.markParked("events a");
    await (await begin()).markParked("events a");

    expect([health.mayBeParked("events a"), health.mayBeParked("events b")]).toEqual([true, false]);
    expect(table.items()).toEqual(written);
    nowMs += 1;
    await (await begin()).markParked("events a");
    nowMs += 17 * day - 1;
    expect((await begin()).mayBeParked("events a")).toBe(true);
    nowMs += 1;
    expect((await begin()).mayBeParked("events a")).toBe(false);
  });

  describe("mayDeadLetter", () => {
    it("stops at twenty in a minute, and continues when an effect succeeds", async () => {
      const bury = async (count: number) => {
        const allowed: boolean[] = [];
        for (let time = 0; time < count; time += 1)
          allowed.push(await (await begin()).mayDeadLetter(`lane ${time % 5}`));
        return allowed.filter(Boolean).length;
      };
      expect(await bury(25)).toBe(20);
      nowMs += 30 * minute;
      expect(await bury(1)).toBe(0);

      const health = await begin();
      health.noteSuccess();
      await health.flush();

      expect(await bury(1)).toBe(1);
    });

    const buryMany = async (health: AppHealth, count: number) => {
      for (let lane = 0; lane < count; lane += 1) await health.mayDeadLetter(`lane ${lane}`);
    };

    it("continues after a day without a success, and restarts its count", async () => {
      const health = await begin();
      await buryMany(health, 21);
      nowMs += 24 * 60 * minute + 29_999;
      expect(await (await begin()).mayDeadLetter("lane")).toBe(false);
      nowMs += 1;

      const later = await begin();
      expect(await later.mayDeadLetter("lane")).toBe(true);
      await later.flush();

      expect((await store.read("app")).destinations.get("burials")).not.toHaveProperty("openedMs");
      await buryMany(await begin(), 21);
      expect(await (await begin()).mayDeadLetter("lane")).toBe(false);
    });

    it("keeps the start of a trigger's wait until one of its events succeeds, not until any effect does", async () => {
      const sinceMs = nowMs;
      const outageOf = async () => (await begin()).outageOf("held-back trigger a");
      const health = await begin();
      await buryMany(health, 21);
      await health.noteHeldBack("a");
      nowMs += minute;
      await (await begin()).noteHeldBack("a");
      await health.noteHeldBack("a");
      health.noteSuccess();
      await health.flush();

      expect(await outageOf()).toEqual({ sinceMs, isOpen: false });

      await buryMany(await begin(), 21);
      const later = await begin();
      later.noteSuccess();
      await later.noteHeldBackDone("a");

      expect(await outageOf()).toBeUndefined();
      expect((await begin()).outageOf("burials")).toBeUndefined();
      expect((await store.read("app")).destinations.get("burials")?.probeAt).toBeUndefined();
    });

    it("counts nothing once dead-lettering is stopped, and sends the app's requests", async () => {
      const health = await begin();
      await buryMany(health, 21);
      asked = [];

      expect(await health.mayDeadLetter("lane")).toBe(false);
      expect(await (await begin()).mayDeadLetter("lane")).toBe(false);
      const { sent } = await send(health, { limits: limitsOf("other") });

      expect(asked).toEqual([]);
      expect(sent).toHaveLength(1);
      expect(sent[0]).not.toHaveProperty("maxTries");
    });

    it("allows a dead letter if dead letters cannot be counted", async () => {
      const health = await begin({ ...store, noteDeadLetter: noTable });

      expect(await health.mayDeadLetter("lane")).toBe(true);
    });

    it("forgets the dead letters of past minutes", async () => {
      await (await begin()).mayDeadLetter("lane");
      nowMs += 2 * 60_000;

      await (await begin()).mayDeadLetter("lane");

      expect((await store.read("app")).deadLetters).toHaveLength(1);
    });
  });

  describe("pauses", () => {
    const pauseOf = (id: string): Pause => ({ id, sinceMs: startMs, untilMs: startMs + minute, by: "ann" });
    const set = (...kinds: readonly ("app" | "lease")[]): PauseSettings =>
      new Map(kinds.map((kind) => [pauseAttribute({ kind }), pauseOf(kind)]));
    const beginPaused = async (pauses: PauseSettings, later = pauses, lease?: string) => {
      const record = { ...(await store.read("app")), pauses };
      const readPauses = async () => later;
      return createAppHealth({
        appId: "app",
        record,
        store: { ...store, readPauses },
        now: () => nowMs,
        lease,
      });
    };

    it.each([
      ["none", set(), undefined, undefined],
      ["the app's, for a lease's holder too", set("lease", "app"), "lease", pauseOf("app")],
      ["a lease, for others", set("lease"), undefined, pauseOf("lease")],
      ["a lease, not for its holder", set("lease"), "lease", undefined],
      [
        "a lease that has ended, for its holder",
        set(),
        "x",
        expect.objectContaining({ id: "x", untilMs: 0 }),
      ],
    ])("hold an app: %s", async (_case, settings, lease, expected) => {
      const health = await beginPaused(settings, settings, lease);

      expect(await health.pauseOfApp()).toEqual(expected);
    });

    it("are read again after five seconds, and, from each failure on, at once", async () => {
      const health = await beginPaused(set(), set("app"));
      nowMs += 5_000;
      expect(await health.pauseOf({ kind: "app" })).toBeUndefined();
      nowMs += 1;
      expect(await health.pauseOf({ kind: "app" })).toEqual(pauseOf("app"));

      let reads = 0;
      store.readPauses = () => {
        reads += 1;
        return Promise.reject(new Error("no table"));
      };
      const failing = await begin();
      for (const [time, sinceMs] of [5_001, 34_999].entries()) {
        nowMs += sinceMs;
        expect(await failing.pauseOfApp()).toBeUndefined();
        expect(reads).toBe(time + 1);
      }
    });

    it("let events be handled late until ten minutes after their end, and so does trouble", async () => {
      const paused = await beginPaused(set("app"));
      const troubled = await begin();
      expect(await troubled.mayHandleLate()).toBe(false);
      await troubled.markTrouble();
      expect([troubled.isInTrouble(), await troubled.mayHandleLate()]).toEqual([true, true]);

      nowMs = startMs + 11 * minute - 1;
      expect(await paused.mayHandleLate()).toBe(true);
      nowMs += 1;
      expect(await paused.mayHandleLate()).toBe(false);
    });
  });

  it("returns the start of a destination's outage, and whether its breaker is open", async () => {
    const health = await begin();
    expect([health.outageOf(chat), health.streakOf(chat)]).toEqual([undefined, []]);

    await send(health, { fails: lost });
    expect([health.outageOf(chat), health.streakOf(chat)]).toEqual([
      { sinceMs: startMs, isOpen: false },
      ["a"],
    ]);
    await failInFive();

    expect((await begin()).outageOf(chat)).toEqual({ sinceMs: startMs, isOpen: true });
  });

  it("tries a trigger that hung in five conversations with one event every 30 s, until it ends", async () => {
    await (await begin()).noteTriggerEnded("reply");
    for (const lane of ["a", "b", "c", "d", "d"]) {
      const batch = await begin();
      await batch.passTrigger("reply", {});
      await batch.noteTriggerHung("reply", lane);
      // As another lane that the process blocks.
      await batch.noteTriggerHung("reply", `${lane} too`);
    }
    const fifth = await begin();
    await fifth.passTrigger("reply", {});
    await fifth.noteTriggerHung("reply", "e");

    const next = await begin();
    await expect(next.passTrigger("reply", {})).rejects.toThrow(
      "The trigger reply did not run for app app: it hung or crashed in several conversations in a row",
    );
    await next.passTrigger("other", {});
    nowMs += 30_000;
    await expect(next.passTrigger("reply", { isFresh: true })).rejects.toThrow(DestinationClosedError);
    await next.passTrigger("reply", {});
    await expect((await begin()).passTrigger("reply", {})).rejects.toThrow(DestinationClosedError);
    await next.noteTriggerEnded("reply");
    await (await begin()).passTrigger("reply", {});

    expect(asked.filter((one) => one.startsWith("ok"))).toEqual(["ok trigger reply 1"]);
  });

  it("limits a request during a possible outage to one try", async () => {
    const health = await begin();
    await send(health, { fails: lost });
    nowMs += 30_000;
    const sure = await send(health, { limits: limitsOf("b"), fails: lost });
    nowMs += 1;
    const inDoubt = await send(health, { limits: limitsOf("b") });

    expect([sure.sent[0]?.maxTries, inDoubt.sent[0]?.maxTries]).toEqual([undefined, 1]);
  });
});

import { describe, expect, it } from "vitest";
import type { Failure } from "../../../lib/effects/classify-failure.ts";
import type { Counts } from "../../../lib/effects/health/breaker.ts";
import { createStepProgress } from "../../../lib/handle/step-progress.ts";
import { noProgress, type Progress } from "../../../lib/queue/lanes/progress.ts";

const ours: Failure = { kind: "ours", cause: "a bug" };
const permanent: Failure = { kind: "permanent", cause: "refused" };
const ill: Failure = { kind: "outage", destination: "chat write", cause: "silence" };

const none = () => ({ ok: 0, bad: 0 });

function begin({
  progress = noProgress,
  countsOf = none,
  nowMs = 1000,
  maxWaitEndsAt = 1_000_000_000,
  random = 0,
  maxTries = 5,
}: {
  progress?: Progress;
  countsOf?: () => Counts;
  nowMs?: number;
  maxWaitEndsAt?: number;
  random?: number;
  maxTries?: number;
} = {}) {
  return createStepProgress({
    progress,
    health: { countsOf },
    since: 0,
    maxWaitEndsAt,
    maxTries,
    now: () => nowMs,
    random: () => random,
  });
}

/** The outcome of an event whose only step fails. */
function outcomeOf(failure: Failure, options?: Parameters<typeof begin>[0]) {
  const steps = begin(options);
  steps.fail("a", failure);
  return steps.outcome();
}

/** Fails a step repeatedly, as attempts do; returns the last outcome. */
function failTimes(times: number, failure: Failure, countsAt: (attempt: number) => Counts = none) {
  let progress = noProgress;
  for (let attempt = 1; ; attempt += 1) {
    const steps = begin({ progress, countsOf: () => countsAt(attempt) });
    if (steps.needsToRun("s")) steps.fail("s", failure);
    const outcome = steps.outcome();
    if (outcome.kind !== "wait" || attempt === times) return { outcome, attempt };
    progress = outcome.progress;
  }
}

describe("createStepProgress", () => {
  it("is done when every step that ran is finished", () => {
    const steps = begin();
    steps.finish("a");

    expect(steps.outcome()).toEqual({ kind: "done" });
  });

  it("waits longer after each failure of the code, and dead-letters after the fifth", () => {
    const waits = [1, 2, 3, 4].map((times) => {
      const { outcome } = failTimes(times, ours);
      return outcome.kind === "wait" ? outcome.wakeAt - 1000 : 0;
    });

    expect(waits).toEqual([5_000, 15_000, 45_000, 135_000]);
    expect(failTimes(9, ours)).toMatchObject({
      attempt: 5,
      outcome: {
        kind: "dead-letter",
        reason: "tries",
        cause: "a bug",
        progress: { failed: { s: { reason: "tries", cause: "a bug" } } },
      },
    });
  });

  it("dead-letters an event that cannot succeed after the other steps ran", () => {
    const steps = begin();
    expect(steps.fail("a", permanent)).toMatchObject({ isFinal: true, tries: 0 });
    steps.finish("b");

    expect(steps.outcome()).toMatchObject({
      kind: "dead-letter",
      reason: "permanent",
      cause: "refused",
      progress: { finished: ["b"], failed: { a: { reason: "permanent", cause: "refused" } } },
    });
  });

  it("keeps a permanent failure while another step waits, and repeats no failed or finished step", () => {
    const steps = begin();
    steps.fail("a", permanent);
    steps.finish("b");
    steps.fail("c", ill);
    const first = steps.outcome();
    if (first.kind !== "wait") throw new Error("It did not wait.");

    const again = begin({ progress: first.progress });

    expect(["a", "b", "c"].map((step) => again.needsToRun(step))).toEqual([false, false, true]);
    again.finish("c");
    expect(again.outcome()).toMatchObject({ kind: "dead-letter", reason: "permanent" });
  });

  it("counts no try while the destination fails other events too, or their outcome is unknown", () => {
    const alone = failTimes(50, ill, () => ({ ok: 3, bad: 4 }));
    const outage = failTimes(50, ill, (attempt) => ({ ok: 3, bad: 10 * attempt }));
    const brownOut = failTimes(50, ill, (attempt) => ({ ok: 7 * attempt, bad: 3 * attempt }));
    const repeated = failTimes(50, ill, (attempt) => ({ ok: 15 * attempt, bad: attempt }));

    for (const { outcome } of [alone, outage, brownOut, repeated]) {
      expect(outcome).toMatchObject({ kind: "wait", progress: { tries: {} } });
    }
  });

  it("counts a try each time other requests succeeded meanwhile, and does not begin a sixth", () => {
    const { outcome, attempt } = failTimes(50, ill, (time) => ({ ok: 20 * time, bad: time }));

    expect(attempt).toBe(6);
    expect(outcome).toMatchObject({
      kind: "dead-letter",
      reason: "tries",
      cause: "silence",
      progress: { failed: { s: { reason: "refused", cause: "silence" } } },
    });
  });

  it("counts no try for a rate limit, which says nothing about the event", () => {
    const limit: Failure = { ...ill, isRateLimit: true };
    const { outcome } = failTimes(50, limit, (time) => ({ ok: 20 * time, bad: time }));

    expect(outcome).toMatchObject({ kind: "wait", progress: { tries: {}, failed: {} } });
  });

  it("waits for a user's own limit beyond the maximum wait, and at most 135 s at a time", () => {
    const limited: Failure = { kind: "limited", retryAfterMs: 1_000, cause: "limit" };
    const progress = { ...noProgress, waits: 20 };

    expect(outcomeOf(limited, { progress, maxWaitEndsAt: 1000 })).toMatchObject({
      kind: "wait",
      wakeAt: 136_000,
    });
  });

  it("waits for an outage until the maximum wait ends, and retries the code's failures despite it", () => {
    expect(begin({ maxWaitEndsAt: 1001 }).fail("a", ill)).toMatchObject({ isFinal: false, tries: 0 });

    expect(outcomeOf(ill, { maxWaitEndsAt: 1000 })).toMatchObject({
      kind: "dead-letter",
      reason: "patience",
      cause: "silence",
    });
    expect(outcomeOf(ours, { maxWaitEndsAt: 1000 }).kind).toBe("wait");
  });

  it("wakes when an effect can be looked up, but not before the waits of other steps", () => {
    const later: Failure = { kind: "later", retryAtMs: 9_000, cause: "not clear" };
    const outcome = outcomeOf(later);
    expect(outcome).toMatchObject({ kind: "wait", wakeAt: 9_000 });
    expect(outcome).toHaveProperty("progress.pending", {});

    const both = begin({ progress: { ...noProgress, waits: 3 } });
    both.fail("a", later);
    both.fail("b", ill);
    expect(both.outcome()).toMatchObject({ wakeAt: 136_000 });
  });

  it("waits as long as the destination asks, if that is longer, up to 15 minutes", () => {
    const wakeAt = (retryAfterMs: number) => {
      const outcome = outcomeOf({ ...ill, retryAfterMs });
      return outcome.kind === "wait" ? outcome.wakeAt - 1000 : 0;
    };

    expect([wakeAt(1), wakeAt(60_000), wakeAt(86_400_000)]).toEqual([5_000, 60_000, 900_000]);
  });

  it("counts one try for one failure", () => {
    const pending = { a: { destination: "chat write", ok: 0, bad: 0 } };
    const steps = begin({ progress: { ...noProgress, pending }, countsOf: () => ({ ok: 5, bad: 0 }) });

    expect(steps.fail("a", ill)).toMatchObject({ isFinal: false, tries: 1 });
    expect(steps.outcome()).toHaveProperty("progress.pending", { a: { ...pending.a, ok: 5 } });
  });

  it("collects the outcomes of other requests until they suffice, without its own failures", () => {
    /** Returns the last attempt if so many other requests are answered and fail between two attempts. */
    const attemptsUntilEnd = (others: Counts) => {
      let counts = { ok: 0, bad: 0 };
      let progress = noProgress;
      for (let attempt = 1; attempt < 100; attempt += 1) {
        const steps = begin({ progress, countsOf: () => counts });
        if (!steps.needsToRun("s")) return attempt;
        counts = { ...counts, bad: counts.bad + 1 };
        steps.fail("s", ill);
        const outcome = steps.outcome();
        if (outcome.kind !== "wait") return attempt;
        progress = outcome.progress;
        counts = { ok: counts.ok + others.ok, bad: counts.bad + others.bad };
      }
      return Number.POSITIVE_INFINITY;
    };

    expect(attemptsUntilEnd({ ok: 5, bad: 0 })).toBe(6);
    expect(attemptsUntilEnd({ ok: 2, bad: 0 })).toBe(16);
    expect(attemptsUntilEnd({ ok: 2, bad: 1 })).toBe(Number.POSITIVE_INFINITY);
    expect(attemptsUntilEnd({ ok: 0, bad: 0 })).toBe(Number.POSITIVE_INFINITY);
  });

  it("ignores a request that was never sent", () => {
    const unasked: Failure = { ...ill, isUnasked: true };
    const { outcome } = failTimes(40, unasked, (attempt) => ({ ok: 100 * attempt, bad: 0 }));

    expect(outcome).toMatchObject({ kind: "wait", progress: { tries: {}, pending: {} } });
  });

  it("gives fewer tries to a step that throws, and all to a step that the platform refuses", () => {
    const pending = { a: { destination: "chat write", ok: 0, bad: 1 } };
    const healthy = () => ({ ok: 100, bad: 1 });
    const refused = (tries: number) =>
      begin({ progress: { ...noProgress, tries: { a: tries }, pending }, countsOf: healthy, maxTries: 2 });

    expect(outcomeOf(ours, { progress: { ...noProgress, tries: { a: 1 } }, maxTries: 2 }).kind).toBe(
      "dead-letter",
    );
    expect(refused(3).needsToRun("a")).toBe(true);
    expect(refused(4).outcome()).toMatchObject({
      kind: "dead-letter",
      reason: "tries",
      progress: { failed: { a: { reason: "refused" } } },
    });
  });

  it("adds crashes of the process to a step's tries", () => {
    const steps = begin({ progress: { ...noProgress, deaths: 2, tries: { a: 2 } } });

    expect(steps.fail("a", ours)).toMatchObject({ isFinal: true, tries: 5 });
  });
});

describe("the progress of an event's steps", () => {
  it("shows which steps failed before", () => {
    const pending = { a: { destination: "chat write", ok: 0, bad: 1 } };
    const steps = begin({ progress: { ...noProgress, tries: { b: 1 }, pending } });

    expect(["a", "b", "c"].map(steps.hasFailedBefore)).toEqual([true, true, false]);
  });

  it("keeps that the event was held back", () => {
    const held = outcomeOf(ours, { progress: { ...noProgress, heldBack: true } });

    expect(held).toMatchObject({ progress: { heldBack: true } });
    expect(outcomeOf(ours)).not.toHaveProperty("progress.heldBack");
  });

  it.each([
    ["the destination's earlier failure", { ...noProgress, cause: "503" }, "503"],
    ["the breaker, without an earlier failure", noProgress, "its breaker is open"],
  ])("names as the cause of a wait for an open breaker %s", (_when, progress, cause) => {
    const unasked = { ...ill, cause: "its breaker is open", isUnasked: true } as const;

    expect(outcomeOf(unasked, { progress })).toMatchObject({
      kind: "wait",
      progress: { cause, pending: {} },
    });
  });

  it("names the newest cause for any other failure", () => {
    const outcome = outcomeOf(ill, { progress: { ...noProgress, cause: "503" } });

    expect(outcome).toMatchObject({ progress: { cause: "silence" } });
  });

  it("adds half as much jitter after a failure of the code as after an outage", () => {
    expect(outcomeOf(ours, { random: 1 })).toMatchObject({ wakeAt: 1000 + 5_625 });
    expect(outcomeOf(ill, { random: 1 })).toMatchObject({ wakeAt: 1000 + 6_250 });
  });

  it("can be returned for some steps only, which then count as finished", () => {
    const steps = begin({ progress: { ...noProgress, deaths: 1 } });
    steps.fail("a 1", ours);
    steps.fail("b 1", ill);
    steps.fail("a 2", permanent);
    steps.finish("a 3");
    steps.finish("b 2");

    const known = steps.progressOf(["a 1", "a 2", "a 3"]);
    expect(known).toMatchObject({ deaths: 1, waits: 1, finished: ["a 3"], cause: "a bug" });
    expect(known).toMatchObject({ tries: { "a 1": 1 }, pending: {} });
    expect(Object.keys(known.failed)).toEqual(["a 2"]);
    expect(steps.progressOf(["a 3"]).cause).toBe("refused");

    for (const step of ["a 1", "a 2", "a 3"]) steps.leave(step);
    expect(steps.waits().map(({ step }) => step)).toEqual(["b 1"]);
    expect(steps.outcome()).toMatchObject({
      kind: "wait",
      progress: { tries: {}, failed: {}, finished: ["a 3", "b 2", "a 1", "a 2"] },
    });
  });

  it("forgets that a step alone is refused if others fail too, and if the step finishes or moves", () => {
    const alone = { a: { since: 0, tries: 3 } };
    const pending = { a: { destination: "chat write", ok: 0, bad: 1 } };
    const progress = { ...noProgress, alone };
    const end = (steps: ReturnType<typeof begin>) => {
      steps.fail("z", ours);
      return steps.outcome();
    };
    const finished = begin({ progress });
    finished.finish("a");
    const left = begin({ progress });
    left.leave("a");

    expect(end(begin({ progress }))).toHaveProperty("progress.alone", alone);
    expect(end(finished)).not.toHaveProperty("progress.alone");
    expect(end(left)).not.toHaveProperty("progress.alone");
    const othersToo = begin({ progress: { ...progress, pending }, countsOf: () => ({ ok: 0, bad: 20 }) });
    expect(end(othersToo)).not.toHaveProperty("progress.alone");
  });
});

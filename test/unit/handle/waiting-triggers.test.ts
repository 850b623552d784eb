import { describe, expect, it } from "vitest";
import type { Failure } from "../../../lib/effects/classify-failure.ts";
import { createAppHealth } from "../../../lib/effects/health/app-health.ts";
import { triggerOf } from "../../../lib/effects/health/breaker.ts";
import { createHealthStore } from "../../../lib/effects/health/health-store.ts";
import { moveToTriggerLanes } from "../../../lib/handle/move-to-trigger-lanes.ts";
import { onTrigger } from "../../../lib/handle/on-trigger.ts";
import { createStepProgress } from "../../../lib/handle/step-progress.ts";
import { laneOf } from "../../../lib/queue/lanes/lane-record.ts";
import { outageRoomOf } from "../../../lib/queue/lanes/outage-room.ts";
import { maxTries, noProgress, type Progress } from "../../../lib/queue/lanes/progress.ts";
import type { UnfinishedTrigger } from "../../../lib/queue/lanes/trigger-lanes.ts";
import { events } from "../../../local/testing/events/events.ts";
import { eventOf } from "../../helpers/events/event-of.ts";
import { createMemoryTable } from "../../helpers/memory-table.ts";
import { noTriggerLanes } from "./attempt-world.ts";

const nowMs = Date.UTC(2026, 2, 2, 8);
const reads = "api.example read";
const writes = "api.example write";
const open = { sinceMs: 5, isOpen: true };
const closed = { sinceMs: 5, isOpen: false };
const ill = (destination: string, retryAfterMs?: number): Failure => ({
  kind: "outage",
  destination,
  cause: `${destination} is out`,
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});
const ours: Failure = { kind: "ours", cause: "a bug" };
const later: Failure = { kind: "later", retryAtMs: nowMs + 7_000, cause: "not known yet" };
const sent = events.messageSent({ id: "1" });
const edited = events.messageEdited({ id: "1" });

interface Situation {
  /** The trigger whose lane it is. Default: the conversation's. */
  readonly lane?: string;
  /** The event's steps that failed, of the triggers `a`, `b` and `c`. */
  readonly failures: Readonly<Record<string, Failure>>;
  readonly finished?: readonly string[];
  /** The triggers that had their turn. Default: those of the steps that failed or are finished. */
  readonly outage?: { readonly sinceMs: number; readonly isOpen: boolean } | undefined;
  /** The destination of `outage`. Default: each one of a host. */
  readonly outOf?: string;
  /** Answers that the destinations have given so far. */
  readonly ok?: number;
  readonly progress?: Partial<Progress>;
  readonly bodies?: readonly object[];
  readonly triggers?: readonly string[];
  readonly hasFlows?: boolean;
  readonly isOver?: boolean;
}

async function judge({
  lane,
  failures,
  finished = [],
  outage,
  outOf,
  ok = 3,
  progress: known,
  bodies = [sent],
  triggers: names = ["a", "b"],
  hasFlows = false,
  isOver = false,
}: Situation) {
  const now = () => nowMs;
  const store = createHealthStore(createMemoryTable("lane", "item"), now);
  const record = await store.read("app-1");
  const health = {
    ...createAppHealth({ appId: "app-1", record, store, now }),
    outageOf: (destination: string) =>
      (outOf === undefined ? triggerOf(destination) === undefined : destination === outOf)
        ? outage
        : undefined,
    countsOf: () => ({ ok, bad: 1 }),
  };
  const progress = { ...noProgress, ...known };
  const maxWaitEndsAt = nowMs + 86_400_000;
  const steps = createStepProgress({
    progress,
    health,
    since: nowMs,
    maxWaitEndsAt,
    maxTries,
    now,
    random: () => 0,
  });
  for (const [step, failure] of Object.entries(failures)) steps.fail(step, failure);
  for (const step of finished) steps.finish(step);
  const moved: UnfinishedTrigger[] = [];
  const log: { readonly message: string; readonly fields: object }[] = [];
  const note = (message: string, fields: object) => void log.push({ message, fields });
  const inLane = laneOf("events", "lane-1", lane);
  const outcome = await moveToTriggerLanes(
    {
      attempt: {
        record: { messageId: "m-1", messageBody: "", sequence: "1" },
        ticket: { appId: "app-1", lane: inLane },
        message: undefined,
        progress,
        health,
        since: nowMs,
        laneSince: nowMs,
        maxTries,
      },
      names: {},
      outcomes: new Map(),
      cut: new Map(),
      steps,
      services: {
        triggers: Object.fromEntries(
          names.map((name) => [name, onTrigger(["message_sent", "message_edited"], async () => undefined)]),
        ),
        triggerLanes: {
          ...noTriggerLanes,
          move: async (_attempt, trigger) => void moved.push(trigger),
        },
        waker: { isListed: () => hasFlows },
        log: { debug: note, info: note, warn: note, error: note },
        now,
      },
      events: bodies.map(eventOf),
      ownSteps: new Map(
        [...Object.keys(failures), ...finished].map((step) => [step, step.slice(step.indexOf(" ") + 1)]),
      ),
    },
    isOver,
  );
  return { outcome, moved, log };
}

describe("a lane that waits", () => {
  const a = "message_sent a";
  const again = "message_edited a";
  const room = outageRoomOf({ destination: reads, sinceMs: 5 });
  const pending = { destination: reads, ok: 3, bad: 1 };

  const waited = (waits: number) => ({ outage: closed, progress: { waits, pending: { [a]: pending } } });
  const judgeFailures = (first: Failure, second: Failure | undefined, more: Partial<Situation> = {}) =>
    judge({ lane: "a", failures: { [a]: first, ...(second && { [again]: second }) }, ...more });

  it.each<readonly [string, Failure | undefined, Partial<Situation>]>([
    ["whose breaker is open", undefined, { outage: open }],
    ["which gave no answer over three waits", undefined, waited(2)],
    ["for two of its steps", ill(reads), { outage: open }],
    ["whose host takes no writes either", ill(writes), { outage: open }],
  ])("waits with others for a destination %s", async (_which, second, more) => {
    const { outcome } = await judgeFailures(ill(reads), second, more);
    expect(outcome).toMatchObject({ kind: "wait", room });
  });

  it("waits with its trigger's other events if it hung and the trigger's breaker is open", async () => {
    const { outcome } = await judgeFailures(ours, undefined, { outage: open, outOf: "trigger a" });
    const itsRoom = outageRoomOf({ destination: "trigger a", sinceMs: 5 });
    expect(outcome).toMatchObject({ kind: "wait", room: itsRoom });
  });

  it.for<readonly [string, Failure, Failure | undefined, Partial<Situation>?]>([
    ["no outage", ill(reads), undefined],
    ["two hosts", ill(reads), ill("other.example write"), { outage: open }],
    ["a host that another step asks for the first time", ill(reads), ill(writes), waited(2)],
    ["its own fault", ours, undefined, { outage: open }],
    ["its own fault, and another trigger's breaker", ours, undefined, { outage: open, outOf: "trigger b" }],
    ["an outage, and its own fault", ill(reads), ours, { outage: open }],
    ["an unclear outcome", later, undefined, { outage: open }],
    ["a destination over two waits", ill(reads), undefined, waited(1)],
    ["a destination that answered others meanwhile", ill(reads), undefined, { ...waited(2), ok: 4 }],
    ["a destination that it asks for the first time", ill(reads), undefined, { outage: closed }],
    ["a destination that one step asks for the first time", ill(reads), ill(reads), waited(2)],
  ])("has its own wake-up time for %s", async ([, first, second, more]) => {
    const { outcome } = await judgeFailures(first, second, more);
    expect(outcome).toMatchObject({ kind: "wait", wakeAt: expect.any(Number) });
    expect(outcome).not.toHaveProperty("room");
  });

  it("does not wait if a step failed permanently", async () => {
    const failures = { [a]: { kind: "permanent", cause: "never" } } as const;

    const { outcome } = await judge({ lane: "a", failures, outage: open });

    expect(outcome).toMatchObject({ kind: "dead-letter", reason: "permanent" });
    expect(outcome).not.toHaveProperty("room");
  });
});

describe("the triggers of an event", () => {
  const sentA = "message_sent a";
  const sentB = "message_sent b";
  const editedA = "message_edited a";

  it.each<readonly [string, Failure, boolean, boolean, string]>([
    ["threw", ours, false, false, "failed"],
    ["took all the time", ours, true, true, "failed"],
    ["waits", ill(reads), false, false, "waits"],
    ["waited until the time was over", ill(reads), true, false, "waits"],
  ])("continue without the one that %s", async (_how, failure, isOver, hung, what) => {
    const said = `put an event beside its lane: its trigger ${what}`;
    const { outcome, moved, log } = await judge({
      failures: { [sentA]: failure },
      finished: [sentB],
      isOver,
    });

    expect(outcome).toEqual({ kind: "done" });
    expect(moved).toMatchObject([
      { name: "a", finished: [sentB, "message_sent (flows)"], hung, room: undefined },
    ]);
    const { cause } = failure;
    expect(log).toMatchObject([{ message: said, fields: { step: sentA, cause, wakeAt: moved[0]?.wakeAt } }]);
    const waits = { outcome: "waiting", why: expect.stringMatching(`^It waits until 20\\S+: ${cause}\\.?$`) };
    expect(log[0]?.fields).toEqual(
      what === "waits" ? expect.objectContaining(waits) : expect.not.objectContaining({ outcome: "waiting" }),
    );
  });

  it("name the outage for whose end one of them waits", async () => {
    const { moved } = await judge({ failures: { [sentA]: ill(reads) }, finished: [sentB], outage: open });

    expect(moved).toMatchObject([{ name: "a", room: outageRoomOf({ destination: reads, sinceMs: 5 }) }]);
  });

  it("wait once each, for the latest of their events, and as failed if one failed", async () => {
    const { moved, log } = await judge({
      failures: { [sentA]: ill(reads, 400_000), [editedA]: ours },
      finished: [sentB, "message_edited b"],
      bodies: [sent, edited],
    });

    expect(moved).toMatchObject([{ name: "a", wakeAt: nowMs + 400_000 }]);
    expect(log).toMatchObject([{ message: "put an event beside its lane: its trigger failed" }]);
  });

  it.each<readonly [string, Situation["failures"], readonly string[]]>([
    ["two hosts", { [sentA]: ill(reads), [sentB]: ill("other.example read") }, ["a", "b"]],
    ["reads and writes of one host", { [sentA]: ill(reads), [sentB]: ill(writes) }, []],
    ["one host and an unclear outcome", { [sentA]: ill(reads), [sentB]: later }, []],
    [
      "two hosts, one named like the other's reads",
      { [sentA]: ill(reads), [sentB]: ill("api.example read read") },
      ["a", "b"],
    ],
  ])("wait as a whole lane only for one host: %s", async (_which, failures, expected) => {
    const { outcome, moved } = await judge({ failures });

    expect(moved.map(({ name }) => name)).toEqual(expected);
    expect(outcome.kind).toBe(expected.length > 0 ? "done" : "wait");
  });

  it.each<readonly [string, Partial<Situation>, boolean]>([
    ["one did not have its turn", { triggers: ["a", "b", "c"] }, true],
    ["one did not have its turn for one of two events", { bodies: [sent, edited] }, true],
    ["flows are to be woken", { hasFlows: true }, true],
    ["all had their turn", {}, false],
    ["the time was not over", { triggers: ["a", "b", "c"], isOver: false }, false],
  ])("run the rest immediately only if the time was over: %s", async (_what, more, hasRest) => {
    const { outcome, moved } = await judge({
      failures: { [sentA]: ours },
      finished: [sentB],
      isOver: true,
      ...more,
    });

    expect(moved).toMatchObject([{ name: "a" }]);
    expect(outcome).toMatchObject(
      hasRest ? { kind: "wait", wakeAt: nowMs, progress: { cause: expect.stringContaining("took") } } : {},
    );
    expect(outcome.kind).toBe(hasRest ? "wait" : "done");
  });
});

import { type Item, type Table, when } from "../../aws/table.ts";
import type { Span } from "./list-messages.ts";
import { settlingSeconds } from "./reconcile-request.ts";

/** Covers messages listed late, and a platform clock up to this much behind. */
const overlapSeconds = 300;
/** Applies without an earlier run. */
const firstLookSeconds = 3_600;
const longestLookSeconds = 24 * 3_600;

/** The rest of the previous run, or everything sent since. */
export function planScheduledRun({ course, doneUntil }: RememberedRun, nowMs: number): Course {
  const nowSeconds = Math.floor(nowMs / 1000);
  const earliest = nowSeconds - longestLookSeconds;
  if (course !== undefined && course.until >= earliest) return course;
  const until = nowSeconds - settlingSeconds;
  const since = doneUntil === undefined ? until - firstLookSeconds : doneUntil - overlapSeconds;
  return { since: Math.min(Math.max(since, earliest), until), until, after: undefined };
}

/** Returns what a scheduled run leaves out as too long ago. */
export function skippedBy({ since: until }: Span, { course, doneUntil }: RememberedRun): Span | undefined {
  const since = course?.since ?? doneUntil;
  return since !== undefined && since < until ? { since, until } : undefined;
}

/** Begins where an earlier run with the same `since` stopped, or at the start. */
export function planRunByHand({ course }: RememberedRun, span: Span): Course {
  const isSame = course?.since === span.since && course.until <= span.until;
  return { ...span, after: isSame ? course.after : undefined };
}

const hourSeconds = 3_600;
/** Deliveries, retries, queue and metric are complete after this time. */
const measurableAfterSeconds = 600;

/** Starts of whole hours, oldest first. */
export function measurableHours(span: Span, nowMs: number): readonly number[] {
  const latestEnd = Math.min(span.until, Math.floor(nowMs / 1000) - measurableAfterSeconds);
  const hours: number[] = [];
  for (
    let hour = Math.ceil(span.since / hourSeconds) * hourSeconds;
    hour + hourSeconds <= latestEnd;
    hour += hourSeconds
  ) {
    hours.push(hour);
  }
  return hours;
}

/** After a longer gap in the hourly schedule, messages may not have been counted. */
const longestPauseSeconds = 9_000;

/** Covers the time since the last rehearsal, at most a day; nothing if messages may not have been counted. */
export function planRehearsal({ doneUntil, ranAt }: RememberedRun, nowMs: number): Span {
  const until = Math.floor(nowMs / 1000);
  const isKnown = doneUntil !== undefined && ranAt !== undefined && ranAt >= until - longestPauseSeconds;
  return { since: isKnown ? Math.max(doneUntil, until - longestLookSeconds) : until, until };
}

/**
 * Each kind has its own progress: a manual run does not move the schedule's, and measured hours are not
 * handed over.
 */
export type RunKind = "schedule" | "rehearsal" | "by hand";

export interface Course extends Span {
  readonly after: string | undefined;
}

export interface RememberedRun {
  readonly course: Course | undefined;
  /** Unix seconds. The schedule handed over, or its rehearsals measured, all messages until then. */
  readonly doneUntil: number | undefined;
  /** The last rehearsal, in unix seconds. */
  readonly ranAt: number | undefined;
}

/** Exceeds a run's range (lib/operate/reconcile/reconcile-request.ts). */
const rememberedSeconds = 15 * 24 * 60 * 60;

export type ReconcileMemory = ReturnType<typeof createReconcileMemory>;

/** Repeatable. Concurrent runs may overwrite each other without harm. */
export function createReconcileMemory(table: Table, now: () => number) {
  const keyOf = (appId: string, kind: RunKind): Item => ({ lane: `app ${appId}`, item: `reconcile ${kind}` });
  const expiration = () => Math.ceil(now() / 1000) + rememberedSeconds;

  return {
    read: async (appId: string, kind: RunKind): Promise<RememberedRun> => {
      const { since, until, after, doneUntil, ranAt } = (await table.get(keyOf(appId, kind))) ?? {};
      const isUnderWay = typeof since === "number" && typeof until === "number";
      return {
        course: isUnderWay
          ? { since, until, after: typeof after === "string" ? after : undefined }
          : undefined,
        doneUntil: typeof doneUntil === "number" ? doneUntil : undefined,
        ranAt: typeof ranAt === "number" ? ranAt : undefined,
      };
    },

    noteRun: async (appId: string) => {
      const set = { ranAt: Math.floor(now() / 1000), expiration: expiration() };
      await table.update(keyOf(appId, "rehearsal"), { set });
    },

    save: async (appId: string, kind: RunKind, { since, until, after }: Course) => {
      await table.update(keyOf(appId, kind), {
        set: { since, until, after, expiration: expiration() },
        ...(after === undefined && { remove: ["after"] }),
      });
    },

    /**
     * Deletes the course that ends there. Records `doneUntil` if later than known, except in a manual run.
     */
    finish: async (appId: string, kind: RunKind, doneUntil: number): Promise<void> => {
      const remove = ["since", "until", "after"];
      // A manual run for the same span hands it over again.
      if (kind === "by hand") return void (await table.update(keyOf(appId, kind), { remove }));
      const finished = await table.update(
        keyOf(appId, kind),
        { set: { doneUntil, expiration: expiration() }, remove },
        when("attribute_not_exists(#doneUntil) OR #doneUntil <= :doneUntil", { doneUntil }),
      );
      if (finished.ok) return;
      // Another run got further: the undeleted course would be resumed forever.
      await table.update(keyOf(appId, kind), { remove }, when("#until = :doneUntil", { doneUntil }));
    },
  };
}

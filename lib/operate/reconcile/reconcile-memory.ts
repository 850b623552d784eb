import { type Item, type Table, when } from "../../aws/table.ts";
import type { Span } from "./list-messages.ts";

/**
 * Each has its own progress: a manual run does not move the schedule's, and measured hours are not handed
 * over.
 */
export type RunKind = "schedule" | "rehearsal" | "by hand";

/** Everything up to a message is handed over. */
export interface Course extends Span {
  /** Undefined at the start. */
  readonly after: string | undefined;
}

export interface RememberedRun {
  readonly course: Course | undefined;
  /** Unix seconds: all handed over by the schedule, or measured by its rehearsals. */
  readonly doneUntil: number | undefined;
  /** The schedule's last rehearsal, in unix seconds. */
  readonly ranAt: number | undefined;
}

/** May be repeated; concurrent runs overwrite each other, which only repeats harmless work. */
export interface ReconcileMemory {
  read(appId: string, kind: RunKind): Promise<RememberedRun>;
  noteRun(appId: string): Promise<void>;
  save(appId: string, kind: RunKind, course: Course): Promise<void>;
  /** Deletes the course that ends there and, except by hand, records `doneUntil` if later than known. */
  finish(appId: string, kind: RunKind, doneUntil: number): Promise<void>;
}

/** Longer than a run's range (lib/operate/reconcile/reconcile-request.ts). */
const rememberedSeconds = 15 * 24 * 60 * 60;

/** On the lanes table, key `lane` and `item`, beside the app's health. */
export function createReconcileMemory(table: Table, now: () => number): ReconcileMemory {
  const keyOf = (appId: string, kind: RunKind): Item => ({ lane: `app ${appId}`, item: `reconcile ${kind}` });
  const expiration = () => Math.ceil(now() / 1000) + rememberedSeconds;

  return {
    read: async (appId, kind) => {
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

    noteRun: async (appId) => {
      const set = { ranAt: Math.floor(now() / 1000), expiration: expiration() };
      await table.update(keyOf(appId, "rehearsal"), { set });
    },

    save: async (appId, kind, { since, until, after }) => {
      await table.update(keyOf(appId, kind), {
        set: { since, until, after, expiration: expiration() },
        ...(after === undefined && { remove: ["after"] }),
      });
    },

    finish: async (appId, kind, doneUntil) => {
      const remove = ["since", "until", "after"];
      // A span requested again by hand is handed over again.
      if (kind === "by hand") return void (await table.update(keyOf(appId, kind), { remove }));
      const finished = await table.update(
        keyOf(appId, kind),
        { set: { doneUntil, expiration: expiration() }, remove },
        when("attribute_not_exists(#doneUntil) OR #doneUntil <= :doneUntil", { doneUntil }),
      );
      if (finished.ok) return;
      // Another run got further: an undeleted course would be resumed forever.
      await table.update(keyOf(appId, kind), { remove }, when("#until = :doneUntil", { doneUntil }));
    },
  };
}

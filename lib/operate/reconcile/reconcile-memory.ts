import type { Item, Table } from "../../aws/table.ts";
import type { Span } from "./list-messages.ts";

/**
 * The kind of a run. Each has its own progress: a manual run does not move the schedule's, and measured hours
 * are not handed over.
 */
export type RunKind = "schedule" | "rehearsal" | "by hand";

/** A span of which everything up to a message is handed over. */
export interface Course extends Span {
  /** Undefined if nothing is handed over yet. */
  readonly after: string | undefined;
}

export interface RememberedRun {
  readonly course: Course | undefined;
  /** Unix seconds up to which the schedule's runs handed everything over, or its rehearsals measured it. */
  readonly doneUntil: number | undefined;
  /** Unix seconds: when the schedule last rehearsed. */
  readonly ranAt: number | undefined;
}

/**
 * Stores the progress of an app's runs, one item each. All methods may be repeated; concurrent runs overwrite
 * each other, which only repeats harmless work.
 */
export interface ReconcileMemory {
  read(appId: string, kind: RunKind): Promise<RememberedRun>;
  /** Records that the schedule rehearses now. */
  noteRun(appId: string): Promise<void>;
  save(appId: string, kind: RunKind, course: Course): Promise<void>;
  /**
   * Deletes the course that ends there and, except for a manual run, records until when everything is done,
   * if later than known.
   */
  finish(appId: string, kind: RunKind, doneUntil: number): Promise<void>;
}

/** Longer than a run's maximum range (lib/operate/reconcile/reconcile-request.ts). */
const rememberedSeconds = 15 * 24 * 60 * 60;

/** Uses the lanes table, beside the app's health, whose key is `lane` and `item`. */
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
      // A span that is requested again manually is handed over again.
      if (kind === "by hand") return void (await table.update(keyOf(appId, kind), { remove }));
      const finished = await table.update(
        keyOf(appId, kind),
        { set: { doneUntil, expiration: expiration() }, remove },
        {
          expression: "attribute_not_exists(#known) OR #known <= :moment",
          names: { "#known": "doneUntil" },
          values: { ":moment": doneUntil },
        },
      );
      if (finished.ok) return;
      // Another run got further meanwhile. An undeleted course would be resumed forever.
      await table.update(
        keyOf(appId, kind),
        { remove },
        { expression: "#until = :moment", names: { "#until": "until" }, values: { ":moment": doneUntil } },
      );
    },
  };
}

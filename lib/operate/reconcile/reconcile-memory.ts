import type { Item, Table } from "../../aws/table.ts";
import type { Span } from "./list-messages.ts";

/**
 * Who asked for a run, and for what. Each remembers its own course: a run by hand does not move the schedule's, and what
 * was measured is not handed over.
 */
export type RunKind = "schedule" | "rehearsal" | "by hand";

/** A span of which everything up to a message is handed over. */
export interface Course extends Span {
  /** Undefined where nothing is handed over yet. */
  readonly after: string | undefined;
}

export interface RememberedRun {
  /** A span that was begun and not ended. */
  readonly course: Course | undefined;
  /** Unix seconds up to which the schedule's runs handed everything over, or its rehearsals measured it. */
  readonly doneUntil: number | undefined;
  /** Unix seconds: when the schedule last rehearsed. */
  readonly ranAt: number | undefined;
}

/**
 * Remembers how far the runs of an app came, in one item each. All may be repeated; two runs at once write over each
 * other, which repeats what is harmless to repeat.
 */
export interface ReconcileMemory {
  read(appId: string, kind: RunKind): Promise<RememberedRun>;
  /** Remembers that the schedule rehearses now. */
  noteRun(appId: string): Promise<void>;
  /** Remembers a course. */
  save(appId: string, kind: RunKind, course: Course): Promise<void>;
  /**
   * Forgets the course that ends there, and but for a run by hand remembers up to when everything is done: a later moment
   * than the one known.
   */
  finish(appId: string, kind: RunKind, doneUntil: number): Promise<void>;
}

/** Longer than what a run may ask for (lib/operate/reconcile/reconcile-request.ts): what is older is of no use. */
const rememberedSeconds = 15 * 24 * 60 * 60;

/** Keeps what is remembered on the lanes table, beside the app's health, whose key is `lane` and `item`. */
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
      // A span that is asked for again by hand is handed over again.
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
      // Another run came further meanwhile. Left there, the course would be gone on with for ever.
      await table.update(
        keyOf(appId, kind),
        { remove },
        { expression: "#until = :moment", names: { "#until": "until" }, values: { ":moment": doneUntil } },
      );
    },
  };
}

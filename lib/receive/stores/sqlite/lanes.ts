import type { DatabaseSync } from "node:sqlite";
import { type StoredDelivery, toStoredDelivery } from "./stored-delivery.ts";

export interface Begun {
  readonly delivery: StoredDelivery;
  readonly lane: string;
  readonly owner: string;
  /** Tries, including this one. */
  readonly tries: number;
}

export type Settled =
  | { readonly kind: "done" }
  /** The lane waits until `dueAt`. */
  | { readonly kind: "later"; readonly dueAt: number; readonly cause: string }
  | { readonly kind: "aside"; readonly reason: string; readonly cause: string }
  /** Does not count as a try. */
  | { readonly kind: "interrupted" };

export type SqliteLanes = ReturnType<typeof createSqliteLanes>;

/**
 * Each call runs in one transaction.
 * @param mostTries a delivery begun this often without an outcome crashed its process: dead-lettered
 */
export function createSqliteLanes(database: DatabaseSync, now: () => number, mostTries: number) {
  const sql = prepare(database);
  const setAside = (reason: string, cause: string, id: number) => sql.setAside.run(reason, cause, now(), id);

  const begin = (lane: string, owner: string): Begun | undefined => {
    for (;;) {
      const row = sql.first.get(lane);
      if (row === undefined) {
        sql.close.run(lane);
        return undefined;
      }
      const delivery = toStoredDelivery(row);
      const tries = delivery.tries + 1;
      if (tries <= mostTries) {
        sql.count.run(1, delivery.id);
        return { delivery, lane, owner, tries };
      }
      setAside("failed", crashedTooOften, delivery.id);
    }
  };

  return {
    take: (owner: string, most: number): readonly Begun[] => {
      const begun: Begun[] = [];
      // A released lane without events is closed when taken, and replaced by another.
      for (let claimed = most; claimed > 0 && begun.length < most; ) {
        const lanes = sql.claim.all(owner, now(), most - begun.length);
        claimed = lanes.length;
        begun.push(...lanes.flatMap(({ lane }) => begin(String(lane), owner) ?? []));
      }
      return begun;
    },
    hasWork: () => sql.due.get(now()) !== undefined,
    /** Makes lanes due that a wrong clock has delayed: longer than this, or never begun. */
    dueNow: (longestMs: number): void => {
      const nowMs = now();
      sql.bringForward.run(nowMs, nowMs, nowMs + longestMs);
    },
    /**
     * Stores the outcome, and begins the lane's next delivery, unless it must wait or `goOn` is false.
     * "lost": another owner has the lane.
     */
    settle: (begun: Begun, settled: Settled, goOn: boolean): Begun | "lost" | undefined => {
      const { lane, owner } = begun;
      const { id } = begun.delivery;
      if (sql.ofOwner.get(lane, owner) === undefined) return "lost";
      if (settled.kind === "done") sql.remove.run(id);
      else if (settled.kind === "aside") setAside(settled.reason, settled.cause, id);
      else if (settled.kind === "later") sql.note.run(settled.cause, id);
      else sql.count.run(-1, id);
      if (goOn && (settled.kind === "done" || settled.kind === "aside")) return begin(lane, owner);
      sql.free.run(settled.kind === "later" ? settled.dueAt : now(), lane);
      return undefined;
    },
  };
}

function prepare(database: DatabaseSync) {
  return {
    due: database.prepare("SELECT 1 FROM lanes WHERE owner IS NULL AND due_at <= ? LIMIT 1"),
    claim: database.prepare(`
      UPDATE lanes SET owner = ? WHERE lane IN
        (SELECT lane FROM lanes WHERE owner IS NULL AND due_at <= ? ORDER BY due_at LIMIT ?) RETURNING lane`),
    first: database.prepare(
      "SELECT * FROM deliveries WHERE lane = ? AND set_aside IS NULL ORDER BY id LIMIT 1",
    ),
    ofOwner: database.prepare("SELECT 1 FROM lanes WHERE lane = ? AND owner = ?"),
    count: database.prepare("UPDATE deliveries SET tries = tries + ? WHERE id = ?"),
    remove: database.prepare("DELETE FROM deliveries WHERE id = ?"),
    note: database.prepare("UPDATE deliveries SET cause = ? WHERE id = ?"),
    setAside: database.prepare(
      "UPDATE deliveries SET set_aside = ?, cause = ?, set_aside_at = ? WHERE id = ?",
    ),
    free: database.prepare("UPDATE lanes SET owner = NULL, due_at = ? WHERE lane = ?"),
    close: database.prepare("DELETE FROM lanes WHERE lane = ?"),
    // Node 22.13 does not bind numbered parameters by position.
    bringForward: database.prepare(`
      UPDATE lanes SET due_at = ? WHERE due_at > ? AND (due_at > ? OR 0 =
        (SELECT tries FROM deliveries WHERE lane = lanes.lane AND set_aside IS NULL ORDER BY id LIMIT 1))`),
  };
}

const crashedTooOften = "The process crashed during each try.";

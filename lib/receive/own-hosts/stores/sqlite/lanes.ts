import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type StoredDelivery, toStoredDelivery } from "./stored-delivery.ts";

export interface Begun {
  readonly delivery: StoredDelivery;
  readonly lane: string;
  readonly owner: string;
  /** Tries, including this one. More than `mostTries`: each crashed the process. */
  readonly tries: number;
  readonly lastTry: LastTry;
}

/** 1: the last try failed. 2: it has no outcome, perhaps because of a crash. */
type LastTry = 0 | 1 | 2;

export type Settled =
  | { readonly kind: "done" }
  /** The lane waits until `dueAt`. */
  | { readonly kind: "later"; readonly dueAt: number; readonly cause: string }
  | { readonly kind: "aside"; readonly reason: string; readonly cause: string }
  /** Does not count as a try. */
  | { readonly kind: "interrupted" };

export type SqliteLanes = ReturnType<typeof createSqliteLanes>;

/** Each call runs in one transaction. */
export function createSqliteLanes(database: DatabaseSync, now: () => number, mostTries: number) {
  const sql = prepare(database);

  const begin = (lane: string, owner: string, lastTry: LastTry): Begun | undefined => {
    const row = sql.first.get(lane);
    if (row === undefined) {
      sql.close.run(lane);
      return undefined;
    }
    const delivery = toStoredDelivery(row);
    if (delivery.tries < mostTries) sql.count.run(1, delivery.id);
    return { delivery, lane, owner, tries: delivery.tries + 1, lastTry };
  };

  return {
    take: (owner: string, concurrency: number, running: readonly Begun[]): readonly Begun[] => {
      const begun: Begun[] = [];
      for (;;) {
        const lanes = dueLanes(sql.due, now(), concurrency, [...running, ...begun]);
        // Lanes without events are closed, and replaced.
        if (lanes.length === 0) return begun;
        for (const row of lanes) {
          const lane = String(row.lane);
          sql.claim.run(owner, lane);
          const one = begin(lane, owner, row.last_try === 1 || row.last_try === 2 ? row.last_try : 0);
          if (one !== undefined) begun.push(one);
        }
      }
    },
    hasWork: (concurrency: number, running: readonly Begun[]) =>
      dueLanes(sql.due, now(), concurrency, running).length > 0,
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
      const { lane, owner, lastTry } = begun;
      const { id } = begun.delivery;
      if (sql.ofOwner.get(lane, owner) === undefined) return "lost";
      if (settled.kind === "done") sql.remove.run(id);
      else if (settled.kind === "aside") sql.setAside.run(settled.reason, settled.cause, now(), id);
      else if (settled.kind === "later") sql.note.run(settled.cause, id);
      else sql.count.run(-1, id);
      if (settled.kind === "later") sql.free.run(settled.dueAt, 1, lane);
      else if (settled.kind === "interrupted") sql.free.run(now(), lastTry, lane);
      else if (goOn) return begin(lane, owner, 0);
      else sql.free.run(now(), 0, lane);
      return undefined;
    },
  };
}

function dueLanes(due: StatementSync, nowMs: number, concurrency: number, running: readonly Begun[]) {
  const most = Math.max(0, concurrency - running.length);
  return roomOf(concurrency, running)
    .flatMap((room, lastTry) => due.all(lastTry, nowMs, Math.max(0, Math.min(room, most))))
    .toSorted((one, other) => Number(one.due_at) - Number(other.due_at))
    .slice(0, most);
}

/** By last try. What ran during a crash runs one at a time: others would crash with it at each try. */
function roomOf(concurrency: number, running: readonly Begun[]): readonly [number, number, number] {
  const retries = running.filter(({ tries }) => tries > 1).length;
  const suspects = running.filter(({ lastTry }) => lastTry === 2).length;
  return [concurrency, Math.max(1, Math.floor(concurrency / 2)) - retries, 1 - suspects];
}

function prepare(database: DatabaseSync) {
  return {
    due: database.prepare(`
      SELECT lane, due_at, last_try FROM lanes
        WHERE owner IS NULL AND last_try = ? AND due_at <= ? ORDER BY due_at LIMIT ?`),
    claim: database.prepare("UPDATE lanes SET owner = ?, last_try = 2 WHERE lane = ?"),
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
    free: database.prepare("UPDATE lanes SET owner = NULL, due_at = ?, last_try = ? WHERE lane = ?"),
    close: database.prepare("DELETE FROM lanes WHERE lane = ?"),
    // Node 22.13 does not bind numbered parameters by position.
    bringForward: database.prepare(`
      UPDATE lanes SET due_at = ? WHERE due_at > ? AND (due_at > ? OR 0 =
        (SELECT tries FROM deliveries WHERE lane = lanes.lane AND set_aside IS NULL ORDER BY id LIMIT 1))`),
  };
}

import type { DatabaseSync } from "node:sqlite";
import { parseJson } from "../../../../base/json.ts";
import { identify } from "../../../../events/identity.ts";
import { describeProblems } from "../../../../events/problems.ts";
import { toWebhookDelivery } from "../../to-webhook-delivery.ts";
import { type KeepDelivery, prepareOpenLane } from "./keep-delivery.ts";
import { type StoredDelivery, toStoredDelivery } from "./stored-delivery.ts";

/** A delivery whose tries failed or that cannot be read. */
export interface SetAsideDelivery {
  readonly id: number;
  readonly appId: string;
  /** Undefined if unknown. */
  readonly trigger: string | undefined;
  /** `failed` after its tries; other reasons mean that it cannot be read. */
  readonly reason: string;
  /** A description without values of the delivery. */
  readonly cause: string;
  readonly tries: number;
  /** Both in milliseconds since 1970. */
  readonly receivedAt: number;
  readonly setAsideAt: number;
  readonly raw: Uint8Array;
}

/** Selects dead-lettered or quarantined deliveries. */
export interface SetAsideQuery {
  /** Default: both. */
  readonly kind?: "failed" | "unread";
  /** Default: 100. */
  readonly limit?: number;
  /** Lists from after this id. Default: from the first. */
  readonly after?: number;
}

/** Result of a replay. Omits unknown ids. */
export interface ReplayOutcome {
  /** Ids that wait again, at the end of their lanes. */
  readonly replayed: readonly number[];
  /** Ids that are still unreadable and stay. */
  readonly unread: readonly number[];
}

export function createSqliteSetAside(database: DatabaseSync, keep: KeepDelivery, now: () => number) {
  const list = database.prepare(`
    SELECT * FROM deliveries WHERE set_aside IS NOT NULL AND id > ?
      AND (set_aside = 'failed') IN (?, ?) ORDER BY id LIMIT ?`);
  const find = database.prepare("SELECT * FROM deliveries WHERE id = ? AND set_aside IS NOT NULL");
  const remove = database.prepare("DELETE FROM deliveries WHERE id = ? AND set_aside IS NOT NULL");
  const note = database.prepare("UPDATE deliveries SET set_aside = ?, cause = ? WHERE id = ?");
  const putBack = database.prepare(`
    INSERT INTO deliveries (app_id, received_at, raw, trigger, key, can_recur, fact, lane)
      SELECT app_id, received_at, raw, trigger, key, can_recur, fact, ? FROM deliveries WHERE id = ?`);
  const openLane = prepareOpenLane(database);

  const requeue = (id: number, lane: string): void => {
    putBack.run(lane, id);
    openLane.run(lane, now());
    remove.run(id);
  };

  /** A newer version may read what an older one could not. */
  const replayOne = (row: StoredDelivery): boolean => {
    const { id, app_id: appId, received_at: receivedAt, raw, key } = row;
    const identity = identify(parseJson(Buffer.from(raw).toString("utf8")), appId);
    const delivery = toWebhookDelivery({ appId, bytes: raw, receivedAt }, identity);
    if (delivery.event === undefined) {
      if (row.set_aside !== "failed") note.run(delivery.reason, describeProblems(delivery.problems), id);
      return false;
    }
    if (key !== null) requeue(id, row.lane ?? delivery.identity.lane);
    else {
      keep(delivery);
      remove.run(id);
    }
    return true;
  };

  return {
    list: ({ kind, limit = 100, after = 0 }: SetAsideQuery): readonly SetAsideDelivery[] =>
      list
        .all(after, kind === "unread" ? 0 : 1, kind === "failed" ? 1 : 0, limit)
        .map((row) => toSetAside(toStoredDelivery(row))),
    replay: (ids: readonly number[]): ReplayOutcome => {
      const replayed: number[] = [];
      const unread: number[] = [];
      for (const id of new Set(ids)) {
        const row = find.get(id);
        if (row !== undefined) (replayOne(toStoredDelivery(row)) ? replayed : unread).push(id);
      }
      return { replayed, unread };
    },
    drop: (ids: readonly number[]) => ids.reduce((sum, id) => sum + Number(remove.run(id).changes), 0),
  };
}

function toSetAside(row: StoredDelivery): SetAsideDelivery {
  return {
    id: row.id,
    appId: row.app_id,
    trigger: row.trigger ?? undefined,
    reason: row.set_aside ?? "",
    cause: row.cause ?? "",
    tries: row.tries,
    receivedAt: row.received_at,
    setAsideAt: row.set_aside_at ?? row.received_at,
    raw: row.raw,
  };
}

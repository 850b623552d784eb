import type { DatabaseSync } from "node:sqlite";
import { isRecord } from "../../../../base/json.ts";

export type HeartbeatRegistry = ReturnType<typeof createHeartbeatRegistry>;

/**
 * A consumer without a heartbeat for `leaseMs` counts as dead. Wall clocks may be set, and process ids mean
 * nothing in another container.
 * @param monotonic milliseconds that only increase
 */
export function createHeartbeatRegistry(
  database: DatabaseSync,
  leaseMs: number,
  monotonic: () => number,
  newName: () => string,
) {
  const enter = database.prepare("INSERT INTO consumers (owner, beat) VALUES (?, 0)");
  const beat = database.prepare("UPDATE consumers SET beat = beat + 1 WHERE owner = ?");
  const all = database.prepare("SELECT owner, beat FROM consumers");
  const remove = database.prepare("DELETE FROM consumers WHERE owner = ?");
  const freeLanes = database.prepare(
    "UPDATE lanes SET owner = NULL WHERE owner IS NOT NULL AND owner NOT IN (SELECT owner FROM consumers)",
  );
  let owner = "";
  let seen = new Map<string, { readonly beat: number; readonly atMs: number }>();

  const look = (): void => {
    const nowMs = monotonic();
    const looked: typeof seen = new Map();
    for (const row of all.all()) {
      if (!isRecord(row) || typeof row.owner !== "string" || typeof row.beat !== "number") continue;
      const before = seen.get(row.owner);
      const isStill = before !== undefined && before.beat === row.beat;
      if (isStill && row.owner !== owner && nowMs - before.atMs >= leaseMs) remove.run(row.owner);
      else looked.set(row.owner, isStill ? before : { beat: row.beat, atMs: nowMs });
    }
    seen = looked;
    freeLanes.run();
  };

  return {
    /** Holder of lanes; changes if other consumers counted this one as dead. */
    get owner() {
      return owner;
    },
    beat: () => {
      if (beat.run(owner).changes === 0) {
        owner = newName();
        enter.run(owner);
      }
      look();
    },
    leave: () => {
      remove.run(owner);
      freeLanes.run();
    },
  };
}

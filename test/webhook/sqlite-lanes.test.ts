import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { messageDelivery } from "../../lib/receive/stores/sample-deliveries.ts";
import { createHeartbeatRegistry } from "../../lib/receive/stores/sqlite/heartbeat-registry.ts";
import { createKeepDelivery } from "../../lib/receive/stores/sqlite/keep-delivery.ts";
import { createSqliteLanes } from "../../lib/receive/stores/sqlite/lanes.ts";
import { createTables } from "../../lib/receive/stores/sqlite/open-store-file.ts";

/** Two consumers on one file with a manual clock, and messages in two lanes. */
function makeTwo() {
  const database = new DatabaseSync(":memory:");
  onTestFinished(() => database.close());
  createTables(database);
  const keep = createKeepDelivery(database);
  for (const id of ["1", "2", "3"]) keep(messageDelivery({ id, conversation: "ann_user_ben" }));
  keep(messageDelivery({ id: "4", conversation: "ann_user_cid" }));
  const time = { ms: 0 };
  let names = 0;
  const newName = () => {
    names += 1;
    return `consumer-${names}`;
  };
  const join = () => {
    const attendance = createHeartbeatRegistry(database, 1_000, () => time.ms, newName);
    attendance.beat();
    return { attendance, lanes: createSqliteLanes(database, () => 2_000_000_000_000, 10) };
  };
  return { time, one: join(), other: join() };
}

describe("lanes of several consumers", () => {
  it("are held by one consumer at a time", () => {
    const { one, other } = makeTwo();

    const taken = one.lanes.take(one.attendance.owner, 1);
    const rest = other.lanes.take(other.attendance.owner, 10);

    expect([taken.length, rest.length, other.lanes.hasWork()]).toEqual([1, 1, false]);
    expect(taken[0]?.lane).not.toBe(rest[0]?.lane);
  });

  it("stay with a consumer that sends heartbeats, however late it is", () => {
    const { time, one, other } = makeTwo();
    one.lanes.take(one.attendance.owner, 10);

    for (let beat = 0; beat < 20; beat += 1) {
      time.ms += 900;
      one.attendance.beat();
      other.attendance.beat();
    }

    expect(other.lanes.take(other.attendance.owner, 10)).toEqual([]);
  });

  it("become free when another consumer has seen no heartbeat for the lease time", () => {
    const { time, one, other } = makeTwo();
    one.lanes.take(one.attendance.owner, 10);
    // A heartbeat is noticed later: the time counts from there.
    other.attendance.beat();
    time.ms += 999;
    other.attendance.beat();
    const early = other.lanes.take(other.attendance.owner, 10);
    time.ms += 1;
    other.attendance.beat();

    const late = other.lanes.take(other.attendance.owner, 10);

    expect([early.length, late.map(({ tries }) => tries)]).toEqual([0, [2, 2]]);
  });

  it("are lost to a consumer that returns late, whose results are then ignored", () => {
    const { time, one, other } = makeTwo();
    const [begun] = one.lanes.take(one.attendance.owner, 10);
    other.attendance.beat();
    time.ms += 1_000;
    other.attendance.beat();
    one.attendance.beat();

    const again = one.lanes.take(one.attendance.owner, 10);
    const late = begun && one.lanes.settle(begun, { kind: "done" }, true);

    expect([one.attendance.owner, again.length, late]).toEqual(["consumer-3", 2, "lost"]);
  });
});

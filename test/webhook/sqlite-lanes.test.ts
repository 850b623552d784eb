import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { messageDelivery } from "../../lib/receive/own-hosts/stores/sample-deliveries.ts";
import { createHeartbeatRegistry } from "../../lib/receive/own-hosts/stores/sqlite/heartbeat-registry.ts";
import { createKeepDelivery } from "../../lib/receive/own-hosts/stores/sqlite/keep-delivery.ts";
import {
  type Begun,
  createSqliteLanes,
  type Settled,
} from "../../lib/receive/own-hosts/stores/sqlite/lanes.ts";
import { createTables } from "../../lib/receive/own-hosts/stores/sqlite/open-store-file.ts";

function makeStore() {
  const database = new DatabaseSync(":memory:");
  onTestFinished(() => database.close());
  createTables(database);
  return { database, keep: createKeepDelivery(database) };
}

/** Two consumers on one file with a manual clock, and messages in two lanes. */
function makeTwo() {
  const { database, keep } = makeStore();
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

const atOnce = 10;
const mostTries = 10;

function makeOne(names: readonly string[]) {
  const { database, keep } = makeStore();
  const put = (name: string) => keep(messageDelivery({ id: name, conversation: `ann_user_${name}` }));
  for (const name of names) put(name);
  const clock = { ms: 2_000_000_000_000 };
  const lanes = createSqliteLanes(database, () => clock.ms, mostTries);
  let running: Begun[] = [];
  const nameOf = ({ delivery }: Begun) => delivery.key?.split("|").at(-1) ?? "";
  return {
    put,
    clock,
    /** Returns all that runs. */
    take: () => {
      running.push(...lanes.take("owner", atOnce, running));
      return running.map(nameOf);
    },
    runs: (name: string) => running.some((begun) => nameOf(begun) === name && begun.tries <= mostTries),
    settle: (settled: Settled, isMeant = (_name: string) => true) => {
      const ended = running.filter((begun) => isMeant(nameOf(begun)));
      running = running.filter((begun) => !ended.includes(begun));
      for (const begun of ended) {
        lanes.settle(
          begun,
          begun.tries > mostTries ? { kind: "aside", reason: "failed", cause: "" } : settled,
          false,
        );
      }
    },
    crash: () => {
      running = [];
      database.exec("UPDATE lanes SET owner = NULL");
    },
    count: (where: string) =>
      Number(database.prepare(`SELECT count(*) AS n FROM deliveries WHERE ${where}`).get()?.n),
  };
}

const namesOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, number) => `${prefix}${number}`);

describe("lanes of one consumer", () => {
  it("lose only the event that crashes the process, not the nine that run beside it", () => {
    const { take, runs, settle, crash, count } = makeOne([
      ...namesOf("good", 5),
      "bad",
      ...namesOf("fair", 4),
    ]);

    for (let left = 100; left > 0 && take().length > 0; left -= 1) {
      if (runs("bad")) crash();
      else settle({ kind: "done" });
    }

    expect([count("set_aside IS NULL"), count("set_aside IS NOT NULL")]).toEqual([0, 1]);
  });

  it("run one at a time after a crash, beside others", () => {
    const { take, settle, crash, put } = makeOne(["a", "b", "c"]);
    take();
    crash();
    put("new");

    const first = take();
    settle({ kind: "done" }, (name) => name !== "new");

    expect([first.length, first.includes("new"), take().length]).toEqual([2, true, 2]);
  });

  it("are not suspected of a crash after a later try ended", () => {
    const { take, settle, crash, clock } = makeOne(["a", "b"]);
    take();
    crash();
    for (let count = 0; count < 2; count += 1) {
      take();
      settle({ kind: "later", dueAt: clock.ms + 1, cause: "" });
    }
    clock.ms += 1;

    expect(take()).toHaveLength(2);
  });

  it("keep what is known of their last try when they are released early", () => {
    const { take, settle, crash } = makeOne(["a", "b"]);
    take();
    crash();
    take();
    settle({ kind: "interrupted" });

    expect(take()).toHaveLength(1);
  });

  it("leave half of the places to first tries while others are tried again", () => {
    const { take, settle, clock, put } = makeOne(namesOf("ill", 20));
    for (let count = 0; count < 2; count += 1) {
      take();
      settle({ kind: "later", dueAt: clock.ms + 1, cause: "" });
    }
    clock.ms += 1;

    const again = take();
    put("well");

    expect([again.length, take().at(-1)]).toEqual([5, "well"]);
  });
});

describe("lanes of several consumers", () => {
  it("are held by one consumer at a time", () => {
    const { one, other } = makeTwo();

    const taken = one.lanes.take(one.attendance.owner, 1, []);
    const rest = other.lanes.take(other.attendance.owner, 10, []);

    expect([taken.length, rest.length, other.lanes.hasWork(10, [])]).toEqual([1, 1, false]);
    expect(taken[0]?.lane).not.toBe(rest[0]?.lane);
  });

  it("stay with a consumer that sends heartbeats, however late it is", () => {
    const { time, one, other } = makeTwo();
    one.lanes.take(one.attendance.owner, 10, []);

    for (let beat = 0; beat < 20; beat += 1) {
      time.ms += 900;
      one.attendance.beat();
      other.attendance.beat();
    }

    expect(other.lanes.take(other.attendance.owner, 10, [])).toEqual([]);
  });

  it("become free when another consumer has seen no heartbeat for the lease time", () => {
    const { time, one, other } = makeTwo();
    one.lanes.take(one.attendance.owner, 10, []);
    // A heartbeat is noticed later: the time counts from there.
    other.attendance.beat();
    time.ms += 999;
    other.attendance.beat();
    const early = other.lanes.take(other.attendance.owner, 10, []);
    time.ms += 1;
    other.attendance.beat();

    const late = other.lanes.take(other.attendance.owner, 10, []);

    expect([early.length, late.map(({ tries }) => tries)]).toEqual([0, [2]]);
  });

  it("are lost to a consumer that returns late, whose results are then ignored", () => {
    const { time, one, other } = makeTwo();
    const [begun] = one.lanes.take(one.attendance.owner, 10, []);
    other.attendance.beat();
    time.ms += 1_000;
    other.attendance.beat();
    one.attendance.beat();

    const again = one.lanes.take(one.attendance.owner, 10, []);
    const late = begun && one.lanes.settle(begun, { kind: "done" }, true);

    expect([one.attendance.owner, again.length, late]).toEqual(["consumer-3", 1, "lost"]);
  });
});

import { expect, it } from "vitest";
import type { AwsCaller } from "../../../../lib/aws/aws-call.ts";
import { createTable } from "../../../../lib/aws/create-table.ts";
import { createLoginLimit } from "../../../../lib/endpoints/login/login-limit.ts";
import {
  collect,
  createMentions,
  eraseFrom,
  type PersonalStore,
} from "../../../../lib/operate/personal-data/personal-store.ts";
import { tableStores } from "../../../../lib/operate/personal-data/table-stores.ts";
import { createLaneStore } from "../../../../lib/queue/lanes/lane-store.ts";
import { noProgress } from "../../../../lib/queue/lanes/progress.ts";
import { TableService } from "../../../../local/cloud/table/table-service.ts";

const { signal } = new AbortController();
const now = () => 1_000_000_000;
const dayMs = 86_400_000;

/** A store of mia's data on a table in memory, with its calls. `during` runs after each scan. */
function open(name: string, keys: readonly string[], during = async () => {}) {
  const service = new TableService({ now });
  service.ensure(
    {
      TableName: name,
      AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
      KeySchema: keys.map((AttributeName, at) => ({ AttributeName, KeyType: at === 0 ? "HASH" : "RANGE" })),
    },
    "us-east-1",
  );
  const calls: string[] = [];
  const progress: string[] = [];
  const direct: AwsCaller = async ({ target, input }) => service.call(target.split(".")[1] ?? "", input);
  const callAws: AwsCaller = async (call) => {
    calls.push(`${call.target.split(".")[1]} ${JSON.stringify(call.input)}`);
    const answer = await direct(call);
    if (call.target.endsWith("Scan")) await during();
    return answer;
  };
  const stores: readonly PersonalStore[] = tableStores({
    person: { appId: "shop", uid: "mia", mentions: createMentions("mia") },
    callAws,
    nameOf: (logicalId) => logicalId,
    now,
    loginWindowMs: 60_000,
    onProgress: (text) => void progress.push(text),
  }).filter((store) => store.name === name);
  const table = createTable({ callAws: direct, tableName: name, ...(keys[1] && { sortKey: keys[1] }) });
  const find = async () => (await collect(stores)).get(name) ?? [];
  return { stores, table, calls, progress, find };
}

const record = (number: number, sender: string, text = "é") => {
  const payload = JSON.stringify({ trigger: "message_sent", data: { message: { sender, data: { text } } } });
  const facts = { v: 1, appId: "shop", family: "webhook", trigger: "message_sent", key: "k", receivedAt: 1 };
  const messageBody = JSON.stringify({ ...facts, body: payload, base64: false });
  return { messageId: `m-${number}`, sequence: String(number).padStart(40, "0"), messageBody };
};
const headOf = (number: number, cause: string) => ({
  sequence: record(number, "").sequence,
  progress: { ...noProgress, cause },
  since: 1,
});

it("reads only lanes that may have events of the user", async () => {
  const { table, calls, find } = open("LanesTable", ["lane", "item"]);
  const lanes = createLaneStore(table, now);
  const fill = async (lane: string, sender: string, cause = "", text?: string) => {
    await lanes.park(lane, { wakeAt: 1, head: headOf(0, cause) });
    await lanes.append(lane, record(0, sender, text));
  };
  const long = Array.from({ length: 60_000 }, (_, at) => (at * 2_654_435_761).toString(36)).join(" ");
  await fill("of mia", "mia");
  await fill("of ben", "ben");
  await fill("with a cause", "ben", "no account for mia");
  await fill("of two parts", "mia", "", long);

  const found = await find();

  expect(found.map(({ id }) => id.slice(0, -41)).toSorted()).toEqual([
    "of mia",
    "of two parts",
    "with a cause",
  ]);
  expect(calls.filter((call) => call.startsWith("Query") && call.includes("of ben"))).toEqual([]);
});

it("keeps the state of a lane whose head changed after the search", async () => {
  const { table, find } = open("LanesTable", ["lane", "item"]);
  const lanes = createLaneStore(table, now);
  await lanes.park("lane", { wakeAt: 1, head: headOf(0, "x") });
  await lanes.append("lane", record(0, "mia"));
  await lanes.append("lane", record(1, "ben"));
  const [found] = await find();
  await lanes.take("lane", "owner");
  await lanes.update("lane", "owner", { head: headOf(1, "y") });

  await found?.erase?.();

  expect((await lanes.find(["lane"])).get("lane")?.head).toEqual(headOf(1, "y"));
  expect(await lanes.first("lane", 10)).toEqual([record(1, "ben")]);
});

it.each([
  ["of another user", { value: "ben" }, { value: "ben" }],
  ["of the same user", { value: { uid: "mia", n: 2 } }, undefined],
])("checks a value again if it is replaced by one %s after the search", async (_, later, expected) => {
  const item = { id: "1", app: "shop", key: "k" };
  const { stores, table } = open("StateTable", ["id"], async () => {
    await table.put({ ...item, ...later });
  });
  await table.put({ ...item, value: "mia" });

  const { failures } = await eraseFrom(stores, () => {}, signal);

  expect([...failures]).toEqual([]);
  expect(await table.get({ id: "1" })).toEqual(expected && { ...item, ...expected });
});

it("reads the counts of logins by their ids, without a search of the table", async () => {
  const { stores, table, calls, find } = open("LoginsTable", ["id"]);
  const login = (uid: string, atMs: number) =>
    createLoginLimit(table, () => atMs).count("shop", uid, { most: 9, windowMs: 60_000 });
  const ids = [await login("mia", now()), await login("mia", now() - 3.9 * dayMs)].map(({ id }) => id);
  const { id: ofBen } = await login("ben", now());

  const found = await find();
  await eraseFrom(stores, () => {}, signal);

  expect(found.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  expect(await Promise.all([...ids, ofBen].map((id) => table.get({ id })))).toMatchObject([
    undefined,
    undefined,
    { id: ofBen },
  ]);
  expect(calls.filter((call) => call.startsWith("Scan"))).toEqual([]);
});

it("reports how many items of a table it has read", async () => {
  const { table, progress, find } = open("StateTable", ["id"]);
  for (let at = 0; at < 2_500; at += 1) await table.put({ id: `${at}` });

  await find();

  expect(progress).toEqual(["looked at 1000 items of StateTable", "looked at 2000 items of StateTable"]);
});

import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AwsCallError, type AwsCaller, createAwsCaller } from "../../../lib/aws/aws-call.ts";
import { createTable } from "../../../lib/aws/create-table.ts";
import type { Item, ItemValue, Table } from "../../../lib/aws/table.ts";
import { type DynamodbEndpoint, startDynamodbEndpoint } from "../../../local/cloud/dynamodb-endpoint.ts";
import { anyText } from "../../helpers/any-text.ts";
import { runs } from "../../helpers/property-runs.ts";

const credentials = { accessKeyId: "id", secretAccessKey: "key" };

describe("createTable, over the wire", () => {
  let dynamodb: DynamodbEndpoint;
  let documents: DynamoDBDocumentClient;
  let table: Table;
  let lanes = 0;

  beforeAll(async () => {
    dynamodb = await startDynamodbEndpoint();
    const client = new DynamoDBClient({ endpoint: dynamodb.url, region: "us-east-1", credentials });
    documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
    await client.send(
      new CreateTableCommand({
        TableName: "lanes",
        BillingMode: "PAY_PER_REQUEST",
        AttributeDefinitions: [
          { AttributeName: "lane", AttributeType: "S" },
          { AttributeName: "item", AttributeType: "S" },
        ],
        KeySchema: [
          { AttributeName: "lane", KeyType: "HASH" },
          { AttributeName: "item", KeyType: "RANGE" },
        ],
      }),
    );
    const callAws = createAwsCaller({
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    });
    table = createTable({ callAws, tableName: "lanes", sortKey: "item" });
  });
  afterAll(() => dynamodb.close());

  const newLane = () => `lane ${++lanes} é|#`;
  const fill = async (lane: string, names: readonly string[], more: Item = {}) => {
    for (const item of names) await table.put({ lane, item, ...more });
  };

  it("writes and reads all kinds of values as the AWS SDK does", async () => {
    // The SDK takes a map with an entry of this name for a class instance.
    const attributeName = fc.string({ minLength: 1 }).filter((name) => name !== "constructor");
    const { value } = fc.letrec<{ value: ItemValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        anyText(),
        fc.integer(),
        fc.double({ noNaN: true, min: -1e15, max: 1e15 }).map((n) => (Math.abs(n) < 1e-100 ? 0 : n)),
        fc.boolean(),
        fc.constant(null),
        fc.uint8Array({ minLength: 1, maxLength: 40 }),
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(attributeName, tie("value"), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 4, maxLength: 8 }), async (any) => {
        const [ours, theirs] = [
          { lane: newLane(), item: "ours", any },
          { lane: newLane(), item: "theirs", any },
        ];

        await table.put(ours);
        await documents.send(new PutCommand({ TableName: "lanes", Item: theirs }));

        const Key = { lane: ours.lane, item: "ours" };
        const seen = await documents.send(new GetCommand({ TableName: "lanes", Key }));
        expect(plain(seen.Item)).toEqual(plain(ours));
        expect(plain(await table.get({ lane: theirs.lane, item: "theirs" }))).toEqual(plain(theirs));
      }),
      runs(6),
    );
  });

  it("omits undefined at every depth, and refuses NaN and infinite numbers", async () => {
    const key = { lane: newLane(), item: "a" };

    await table.put({ ...key, gone: undefined, kept: { gone: undefined, list: [undefined, 1] } });

    expect(await table.get(key)).toEqual({ ...key, kept: { list: [1] } });
    await expect(async () => table.put({ ...key, number: Number.NaN })).rejects.toThrow("not finite");
  });

  it("returns undefined for a missing item", async () => {
    expect(await table.get({ lane: newLane(), item: "a" })).toBeUndefined();
  });

  it("sets, adds and removes in one update, also under reserved names, and returns the new item", async () => {
    const key = { lane: newLane(), item: "health" };
    await table.put({ ...key, name: "old", "ok host:1 read": 2, gone: 1 });

    const written = await table.update(key, {
      set: { name: "new", size: undefined, "probeAt a|b": 7 },
      add: { "ok host:1 read": 3, "bad host:1 read": 1 },
      remove: ["gone", "never there"],
    });

    const expected = { ...key, name: "new", "ok host:1 read": 5, "bad host:1 read": 1, "probeAt a|b": 7 };
    expect(written).toEqual({ ok: true, item: expected });
    expect(await table.get(key)).toEqual(expected);
  });

  it("writes only where the condition holds", async () => {
    const key = { lane: newLane(), item: "a" };
    const absent = { expression: "attribute_not_exists(#lane)", names: { "#lane": "lane" } };
    const ownedBy = (owner: string) => ({
      expression: "#owner = :owner",
      names: { "#owner": "owner" },
      values: { ":owner": owner },
    });

    expect(await table.put({ ...key, owner: "me" }, absent)).toEqual({ ok: true });
    expect(await table.put({ ...key, owner: "you" }, absent)).toMatchObject({ ok: false, maybeOurs: false });
    expect(await table.update(key, { set: { owner: "you" } }, ownedBy("you"))).toMatchObject({ ok: false });
    expect(await table.update(key, { set: { at: 1 } }, ownedBy("me"))).toMatchObject({ ok: true });
    expect(await table.delete(key, ownedBy("you"))).toMatchObject({ ok: false });
    expect(await table.get(key)).toEqual({ ...key, owner: "me", at: 1 });
    expect(await table.delete(key, ownedBy("me"))).toEqual({ ok: true });
    expect(await table.delete(key)).toEqual({ ok: true });
    expect(await table.get(key)).toBeUndefined();
  });

  it("returns a partition in order, whole or in part", async () => {
    const lane = newLane();
    await fill(lane, ["e 3", "e 1", "state", "e 20", "e 2"]);
    await fill(newLane(), ["e 0"]);
    const names = async (range?: Parameters<Table["query"]>[1]) =>
      (await table.query({ lane }, range)).map(({ item }) => item);

    expect(await names()).toEqual(["e 1", "e 2", "e 20", "e 3", "state"]);
    expect(await names({ prefix: "e " })).toEqual(["e 1", "e 2", "e 20", "e 3"]);
    expect(await names({ from: "e 2" })).toEqual(["e 2", "e 20", "e 3", "state"]);
    expect(await names({ to: "e 20" })).toEqual(["e 1", "e 2", "e 20"]);
    expect(await names({ from: "e 2", to: "e 3", limit: 2 })).toEqual(["e 2", "e 20"]);
    expect(await names({ from: "x" })).toEqual([]);
  });

  it("follows pages of 1 MB up to the limit", async () => {
    const lane = newLane();
    const names = ["a", "b", "c", "d", "e", "f", "g"];
    await fill(lane, names, { text: "x".repeat(250_000) });

    expect((await table.query({ lane })).map(({ item }) => item)).toEqual(names);
    expect((await table.query({ lane }, { limit: 6 })).map(({ item }) => item)).toEqual(names.slice(0, 6));
  });

  it("reads many items in one call, and none for an empty list", async () => {
    const lane = newLane();
    await fill(lane, ["a", "b"]);

    const found = await table.batchGet(["a", "b", "c"].map((item) => ({ lane, item })));

    expect(found.map(({ item }) => item).toSorted()).toEqual(["a", "b"]);
    expect(await table.batchGet([])).toEqual([]);
  });

  it("reports why the table refuses a call", async () => {
    const failure = table.get({ lane: newLane() });

    await expect(failure).rejects.toThrow(AwsCallError);
    await expect(failure).rejects.toMatchObject({ code: "ValidationException", maybeExecuted: false });
  });
});

describe("createTable", () => {
  /** A table on a service with these answers in order, and the inputs of its calls. */
  function createScriptedTable(...answers: readonly unknown[]) {
    const calls: Parameters<AwsCaller>[0][] = [];
    const pauses: number[] = [];
    const callAws: AwsCaller = async (call) => {
      calls.push(call);
      const answer = answers[Math.min(calls.length, answers.length) - 1];
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const sleep = async (ms: number) => void pauses.push(ms);
    return { table: createTable({ callAws, tableName: "t", sleep }), calls, pauses };
  }

  const put = { service: "dynamodb", target: "DynamoDB_20120810.PutItem", input: {} } as const;
  const conditionFailed = (maybeExecuted: boolean, answer: object = {}) =>
    new AwsCallError(put, { code: "ConditionalCheckFailedException", status: 400, maybeExecuted, answer });
  const condition = { expression: "attribute_exists(#a)", names: { "#a": "a" } };

  it("returns the item on which a condition failed, and whether an earlier try may have written it", async () => {
    const answer = { Item: { id: { S: "a" }, bytes: { B: "AQI=" }, at: { N: "7" } } };
    const { table, calls } = createScriptedTable(conditionFailed(false, answer), conditionFailed(true));

    const first = await table.put({ id: "a" }, condition);
    const second = await table.delete({ id: "a" }, condition);

    const old = { id: "a", bytes: Buffer.from([1, 2]), at: 7 };
    expect(first).toEqual({ ok: false, old, maybeOurs: false });
    expect(second).toEqual({ ok: false, maybeOurs: true });
    expect(calls.map(({ input }) => input.ReturnValuesOnConditionCheckFailure)).toEqual([
      "ALL_OLD",
      "ALL_OLD",
    ]);
  });

  it.each([
    [
      "another refusal",
      new AwsCallError(put, { code: "ThrottlingException", status: 400, maybeExecuted: false }),
    ],
    ["what is no answer of AWS at all", new TypeError("a bug")],
    ["what only looks like one", Object.assign(new Error("x"), { code: "ConditionalCheckFailedException" })],
  ])("does not report %s as a failed condition", async (_case, error) => {
    const { table } = createScriptedTable(error);

    await expect(table.put({ id: "a" }, condition)).rejects.toBe(error);
  });

  it("requests the old item only with a condition, and returns undefined for a missing item", async () => {
    const { table, calls } = createScriptedTable({});

    await table.put({ id: "a" });

    expect(calls[0]?.input).not.toHaveProperty("ReturnValuesOnConditionCheckFailure");
    expect(await table.get({ id: "a" })).toBeUndefined();
    expect(await table.query({ id: "a" })).toEqual([]);
  });

  it("marks only calls that would count twice as not repeatable", async () => {
    const { table, calls } = createScriptedTable({});

    await table.put({ id: "a" });
    await table.update({ id: "a" }, { set: { b: 1 }, remove: ["c"] });
    await table.update({ id: "a" }, { add: { b: 1 } });
    await table.delete({ id: "a" });

    expect(calls.map(({ isRepeatable }) => isRepeatable)).toEqual([true, true, false, true]);
  });

  it("reads with strong consistency", async () => {
    const { table, calls } = createScriptedTable({});

    await table.get({ id: "a" });
    await table.query({ id: "a" });

    expect(calls.map(({ input }) => input.ConsistentRead)).toEqual([true, true]);
  });

  it("retries the unprocessed keys of a batch with growing pauses, and gives up in the end", async () => {
    const left = { t: { Keys: [{ id: { S: "b" } }], ConsistentRead: true } };
    const half = { Responses: { t: [{ id: { S: "a" } }] }, UnprocessedKeys: left };
    const rest = { Responses: { t: [{ id: { S: "b" } }] }, UnprocessedKeys: {} };
    const patient = createScriptedTable(half, rest);
    const busy = createScriptedTable({ Responses: {}, UnprocessedKeys: left });

    const items = await patient.table.batchGet([{ id: "a" }, { id: "b" }]);
    const failure = busy.table.batchGet([{ id: "b" }]);

    expect(items).toEqual([{ id: "a" }, { id: "b" }]);
    expect(patient.calls.map(({ input }) => input.RequestItems)).toEqual([
      { t: { Keys: [{ id: { S: "a" } }, { id: { S: "b" } }], ConsistentRead: true } },
      left,
    ]);
    await expect(failure).rejects.toMatchObject({ code: "UnprocessedKeys", maybeExecuted: false });
    expect(busy.pauses).toEqual([50, 100, 200, 400]);
  });

  it.each([
    ["no object", undefined, "UnreadableAnswer"],
    ["an invalid item", { Item: "x" }, "no item"],
    ["a type that is not used", { Item: { id: { SS: ["x"] } } }, "type SS"],
  ])("does not accept %s as an item", async (_case, answer, said) => {
    const { table } = createScriptedTable(answer);

    await expect(table.get({ id: "a" })).rejects.toThrow(said);
  });
});

/** Compares bytes by content, whatever their type. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return { bytes: [...value] };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]));
}

import {
  type AttributeValue,
  DynamoDB,
  type PutItemCommandInput,
  type QueryCommandInput,
  ScanCommand,
  type UpdateItemCommandInput,
} from "@aws-sdk/client-dynamodb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type DynamodbEndpoint, startDynamodbEndpoint } from "../../local/cloud/dynamodb-endpoint.ts";
import { clientTo } from "../helpers/client-to.ts";

// Rules of DynamoDB that this project relies on, each with its page, checked through AWS's client.

const guide = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide";
const reference = "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference";

let nowMs: number;
let endpoint: DynamodbEndpoint;
let client: DynamoDB;

beforeEach(async () => {
  nowMs = Date.UTC(2026, 0, 1);
  endpoint = await startDynamodbEndpoint({ now: () => nowMs });
  client = clientTo(endpoint.url)(DynamoDB);
  await client.createTable({
    TableName: "effects",
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
  });
  await client.createTable({
    TableName: "calls",
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [
      { AttributeName: "call", AttributeType: "S" },
      { AttributeName: "fact", AttributeType: "S" },
      { AttributeName: "kind", AttributeType: "S" },
      { AttributeName: "at", AttributeType: "N" },
    ],
    KeySchema: [
      { AttributeName: "call", KeyType: "HASH" },
      { AttributeName: "fact", KeyType: "RANGE" },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: "by-kind",
        KeySchema: [
          { AttributeName: "kind", KeyType: "HASH" },
          { AttributeName: "at", KeyType: "RANGE" },
        ],
        Projection: { ProjectionType: "ALL" },
      },
    ],
  });
});

afterEach(async () => {
  client.destroy();
  await endpoint.close();
});

/** A sentence of a page: of the reference if it is about a call, else of the guide. */
const rule = (sentence: string, page: string, run: () => Promise<void>) =>
  it(`${sentence} (${/^(API_|CommonErrors)/.test(page) ? reference : guide}/${page})`, run);

const refused = (call: Promise<unknown>, message: RegExp) => expect(call).rejects.toThrow(message);
const S = (text: string) => ({ S: text });
const N = (digits: string) => ({ N: digits });
const key = (id: string) => ({ id: S(id) });
const put = (Item: Record<string, AttributeValue>, more: Partial<PutItemCommandInput> = {}) =>
  client.putItem({ TableName: "effects", Item, ...more });
const get = async (id: string, TableName = "effects") =>
  (await client.getItem({ TableName, Key: key(id), ConsistentRead: true })).Item;
const update = (id: string, UpdateExpression: string, more: Partial<UpdateItemCommandInput> = {}) =>
  client.updateItem({ TableName: "effects", Key: key(id), UpdateExpression, ...more });
const putFact = (call: string, fact: string, more: Record<string, AttributeValue> = {}) =>
  client.putItem({ TableName: "calls", Item: { call: S(call), fact: S(fact), ...more } });
const query = (KeyConditionExpression: string, values: Record<string, AttributeValue>, more = {}) => {
  const input: QueryCommandInput = {
    TableName: "calls",
    KeyConditionExpression,
    ExpressionAttributeNames: { "#call": "call" },
    ExpressionAttributeValues: values,
    ...more,
  };
  return client.query(input);
};
const facts = (items: Record<string, AttributeValue>[] | undefined) => items?.map(({ fact }) => fact?.S);

describe("conditions", () => {
  rule(
    "a failed condition returns the old item if ALL_OLD was requested, and not otherwise",
    "API_PutItem.html",
    async () => {
      const old = { id: S("a"), holder: S("first") };
      await put(old);
      const again = { ConditionExpression: "attribute_not_exists(id)" };

      const told = put(key("a"), { ...again, ReturnValuesOnConditionCheckFailure: "ALL_OLD" });
      const untold = put(key("a"), again);
      const byUpdate = update("a", "SET x = :x", {
        ConditionExpression: "holder = :x",
        ExpressionAttributeValues: { ":x": S("second") },
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      });

      await expect(told).rejects.toMatchObject({ Item: old });
      await expect(untold).rejects.toMatchObject({ Item: undefined });
      await expect(byUpdate).rejects.toMatchObject({ Item: old });
      expect(await get("a")).toEqual(old);
    },
  );

  const values: Record<string, AttributeValue> = {
    ":ten": N("1e1"),
    ":nine": N("9.0"),
    ":six": N("6"),
    ":he": S("hé"),
    ":typeL": S("L"),
  };

  it.each([
    ["attribute_exists(id)", true],
    ["attribute_exists(nested.deep)", true],
    ["attribute_exists(nested.absent)", false],
    ["attribute_not_exists(absent)", true],
    ["attribute_type(parts, :typeL)", true],
    ["tally = :ten", true],
    ["tally <> :ten", false],
    ["absent <> :ten", true],
    ["absent = :ten", false],
    ["absent < :ten", false],
    ["tally < :nine", false],
    ["tally > :nine", true],
    ["tally >= :ten AND tally <= :ten", true],
    ["tally BETWEEN :nine AND :ten", true],
    ["tally IN (:nine, :ten)", true],
    ["words = :ten", false],
    ["begins_with(words, :he)", true],
    ["contains(words, :he)", true],
    ["contains(parts, :he)", true],
    ["size(words) = :six", true],
    ["NOT tally = :nine", true],
    ["attribute_not_exists(id) OR tally = :ten", true],
    ["attribute_not_exists(id) AND tally = :nine OR tally = :ten", true],
    ["attribute_not_exists(id) AND (tally = :nine OR tally = :ten)", false],
  ])(`%s: %s (${guide}/Expressions.OperatorsAndFunctions.html)`, async (ConditionExpression, isTrue) => {
    await put({
      id: S("a"),
      tally: N("10"),
      words: S("héllo"),
      parts: { L: [S("hé")] },
      nested: { M: { deep: S("x") } },
    });
    const used = ConditionExpression.match(/:\w+/g)?.map((name) => [name, values[name]]);

    const deleted = client.deleteItem({
      TableName: "effects",
      Key: key("a"),
      ConditionExpression,
      ...(used && { ExpressionAttributeValues: Object.fromEntries(used) }),
    });

    const outcome = await deleted.then(
      () => "holds",
      (error: Error) => error.name,
    );
    expect(outcome).toBe(isTrue ? "holds" : "ConditionalCheckFailedException");
  });

  rule("a reserved word cannot be an attribute name in an expression", "ReservedWords.html", async () => {
    const withStatus = put(key("a"), { ConditionExpression: "attribute_not_exists(status)" });

    await expect(withStatus).rejects.toMatchObject({
      name: "ValidationException",
      message: expect.stringContaining("reserved keyword: status"),
    });
  });

  rule("an expression has at most 4 KB", "Constraints.html#limits-expression-parameters", async () => {
    const wide = (bytes: number) =>
      put(key("a"), { ConditionExpression: "attribute_not_exists(id)".padEnd(bytes) });

    await wide(4_096);
    await refused(wide(4_097), /exceeded the maximum allowed size; expression size: 4097/);
  });

  rule(
    "an undefined or unused name or value in an expression is refused",
    "Expressions.ExpressionAttributeValues.html",
    async () => {
      const item = key("a");

      const undefinedValue = put(item, { ConditionExpression: "holder = :x" });
      const unusedValue = put(item, {
        ConditionExpression: "attribute_not_exists(id)",
        ExpressionAttributeValues: { ":x": S("") },
      });
      const unusedName = put(item, {
        ConditionExpression: "attribute_not_exists(id)",
        ExpressionAttributeNames: { "#x": "x" },
      });
      const unreadable = put(item, { ConditionExpression: "id = = id" });

      await refused(undefinedValue, /is not defined; attribute value: :x/);
      await refused(unusedValue, /ExpressionAttributeValues unused in expressions: keys: \{:x\}/);
      await refused(unusedName, /ExpressionAttributeNames unused in expressions: keys: \{#x\}/);
      await refused(unreadable, /Syntax error; token: "="/);
    },
  );
});

describe("updates", () => {
  rule(
    "SET, REMOVE and ADD act together on the former values, or create the item",
    "Expressions.UpdateExpressions.html",
    async () => {
      await put({
        id: S("a"),
        tries: N("1"),
        old: S("x"),
        one: N("1"),
        two: N("2"),
        list: { L: [S("one")] },
        nested: { M: { deep: N("0.1") } },
      });

      await update("new", "ADD tries :one", { ExpressionAttributeValues: { ":one": N("1") } });
      const { Attributes } = await update(
        "a",
        "SET #first = if_not_exists(#first, :now), #last = :now, copied = #old, one = two, two = one, #list = list_append(#list, :more), nested.deep = nested.deep + :tenth REMOVE #old ADD tries :one, #total :one",
        {
          ExpressionAttributeNames: {
            "#list": "list",
            "#first": "first",
            "#last": "last",
            "#old": "old",
            "#total": "total",
          },
          ExpressionAttributeValues: {
            ":now": N("7"),
            ":one": N("1"),
            ":tenth": N("0.2"),
            ":more": { L: [S("two")] },
          },
          ReturnValues: "ALL_NEW",
        },
      );

      expect(Attributes).toEqual({
        id: S("a"),
        tries: N("2"),
        total: N("1"),
        list: { L: [S("one"), S("two")] },
        nested: { M: { deep: N("0.3") } },
        first: N("7"),
        last: N("7"),
        copied: S("x"),
        one: N("2"),
        two: N("1"),
      });
      expect(await get("new")).toEqual({ id: S("new"), tries: N("1") });
    },
  );

  rule("an answer contains what ReturnValues names", "API_UpdateItem.html", async () => {
    const old = { id: S("a"), tries: N("1"), other: S("x") };
    const add = async (ReturnValues: UpdateItemCommandInput["ReturnValues"]) => {
      await put(old);
      const values = { ":one": N("1") };
      const input = { ExpressionAttributeValues: values, ReturnValues };
      return (await update("a", "ADD tries :one", input)).Attributes;
    };

    expect(await add("NONE")).toBeUndefined();
    expect(await add("ALL_OLD")).toEqual(old);
    expect(await add("ALL_NEW")).toEqual({ ...old, tries: N("2") });
    expect(await add("UPDATED_OLD")).toEqual({ tries: N("1") });
    expect(await add("UPDATED_NEW")).toEqual({ tries: N("2") });
    expect((await put(old, { ReturnValues: "ALL_OLD" })).Attributes).toEqual({ ...old, tries: N("2") });
    const deleted = await client.deleteItem({ TableName: "effects", Key: key("a"), ReturnValues: "ALL_OLD" });
    expect(deleted.Attributes).toEqual(old);
  });

  rule(
    "a key cannot be updated, two paths cannot overlap, a missing value cannot be read",
    "API_UpdateItem.html",
    async () => {
      await put(key("a"));
      const values = { ExpressionAttributeValues: { ":x": N("1") } };

      await refused(update("a", "SET id = :x", values), /This attribute is part of the key/);
      await refused(update("a", "SET x = :x, x = :x", values), /overlap with each other/);
      await refused(update("a", "SET x = y + :x", values), /does not exist in the item/);
      await refused(update("a", "SET a.b = :x", values), /path .* is invalid for update/);
    },
  );
});

describe("items", () => {
  rule("an item has at most 400 KB, names included", "Constraints.html#limits-items", async () => {
    const bytes = 400 * 1024 - "id".length - "a".length - "text".length;

    await put({ id: S("a"), text: S("é".repeat(bytes / 2)) });
    const tooLarge = put({ id: S("a"), text: S(`${"é".repeat(bytes / 2)}xx`) });

    await refused(tooLarge, /Item size has exceeded the maximum allowed size/);
  });

  rule(
    "an item has a key, which is not empty and has the declared type",
    "Constraints.html#limits-partition-sort-keys",
    async () => {
      await refused(put(key("")), /cannot contain an empty string value/);
      await refused(put({ id: N("1") }), /Type mismatch for key id expected: S actual: N/);
      await refused(put({ other: S("a") }), /Missing the key id/);
      await refused(
        client.getItem({ TableName: "effects", Key: { other: S("a") } }),
        /does not match the schema/,
      );
    },
  );

  rule(
    "numbers are returned in one form, and numbers beyond JavaScript's range are refused",
    "HowItWorks.NamingRulesDataTypes.html",
    async () => {
      await put({
        id: S("a"),
        whole: N("+00123.4500"),
        long: N("1".repeat(15)),
        small: N("1e-5"),
      });

      const item = await get("a");

      expect(item).toMatchObject({
        whole: N("123.45"),
        long: N("1".repeat(15)),
        small: N("0.00001"),
      });
      await refused(put({ id: S("a"), n: N("1".repeat(38)) }), /15 significant digits/);
      await refused(put({ id: S("a"), set: { SS: ["a"] } }), /supported datatypes/);
      await refused(put({ id: S("a"), n: N("ten") }), /numeric value/);
    },
  );

  rule("an expired item can be read until it is deleted", "howitworks-ttl.html", async () => {
    const TimeToLiveSpecification = { AttributeName: "expiration", Enabled: true };
    const { description } = endpoint.service.get("effects");
    endpoint.service.ensure({ ...description, TimeToLiveSpecification }, "eu-central-1");
    await put({ id: S("old"), expiration: N(String(nowMs / 1000 + 60)) });
    await put(key("kept"));

    nowMs += 60_000;
    const beforeSweep = await get("old");
    endpoint.service.sweep();

    expect(beforeSweep).toBeDefined();
    expect(await get("old")).toBeUndefined();
    expect(await get("kept")).toBeDefined();
  });
});

describe("queries and scans", () => {
  rule(
    "a query returns a hash key's items in the order of their range keys, by their bytes",
    "Query.html",
    async () => {
      for (const fact of ["b", "a", "Z", "é", "👋"]) await putFact("one", fact);
      await putFact("two", "other");

      const forward = await query("#call = :call", { ":call": S("one") });
      const backward = await query("#call = :call", { ":call": S("one") }, { ScanIndexForward: false });

      expect(facts(forward.Items)).toEqual(["Z", "a", "b", "é", "👋"]);
      expect(facts(backward.Items)).toEqual(["👋", "é", "b", "a", "Z"]);
    },
  );

  rule(
    "a range key is compared with operators, begins_with and BETWEEN",
    "Query.KeyConditionExpressions.html",
    async () => {
      for (const fact of ["a#1", "a#2", "b#1", "c#1"]) await putFact("one", fact);
      const ask = async (condition: string, values: Record<string, AttributeValue>) =>
        facts((await query(`#call = :call AND ${condition}`, { ":call": S("one"), ...values })).Items);

      expect(await ask("begins_with(fact, :p)", { ":p": S("a#") })).toEqual(["a#1", "a#2"]);
      expect(await ask("fact BETWEEN :l AND :h", { ":l": S("a#2"), ":h": S("b#1") })).toEqual(["a#2", "b#1"]);
      expect(await ask("fact > :l", { ":l": S("b") })).toEqual(["b#1", "c#1"]);
      await refused(query("fact = :f AND #call <> :f", { ":f": S("a") }), /not supported/);
      await refused(
        query("fact = :f", { ":f": S("a") }, { ExpressionAttributeNames: undefined }),
        /missed key schema element: call/,
      );
    },
  );

  rule(
    "a page ends at its limit, before its filter, and the next one continues after it",
    "Query.Pagination.html",
    async () => {
      for (const fact of ["1", "2", "3", "4"]) {
        await putFact("one", fact, { even: { BOOL: Number(fact) % 2 === 0 } });
      }
      const ask = (ExclusiveStartKey?: Record<string, AttributeValue>) =>
        query(
          "#call = :call",
          { ":call": S("one"), ":true": { BOOL: true } },
          { Limit: 3, FilterExpression: "even = :true", ExclusiveStartKey },
        );

      const first = await ask();
      const second = await ask(first.LastEvaluatedKey);

      expect(facts(first.Items)).toEqual(["2"]);
      expect(first).toMatchObject({ Count: 1, ScannedCount: 3 });
      expect(first.LastEvaluatedKey).toEqual({ call: S("one"), fact: S("3") });
      expect(facts(second.Items)).toEqual(["4"]);
      expect(second.LastEvaluatedKey).toBeUndefined();
    },
  );

  rule(
    "a global index contains the items that have its keys, and refuses consistent reads",
    "GSI.html",
    async () => {
      await putFact("one", "late", { kind: S("joined"), at: N("10") });
      await putFact("two", "early", { kind: S("joined"), at: N("9") });
      await putFact("three", "unindexed", { at: N("1") });
      const ofIndex = { IndexName: "by-kind", ExpressionAttributeNames: undefined };
      const ask = (more: object) => query("kind = :kind", { ":kind": S("joined") }, { ...ofIndex, ...more });

      expect(facts((await ask({})).Items)).toEqual(["early", "late"]);
      await refused(ask({ ConsistentRead: true }), /not supported on global secondary indexes/);
    },
  );

  rule("a scan returns every item, page by page", "Scan.html", async () => {
    const ids = Array.from({ length: 7 }, (_, index) => `item-${index}`);
    for (const id of ids) await put(key(id));
    const seen: (string | undefined)[] = [];

    let ExclusiveStartKey: Record<string, AttributeValue> | undefined;
    do {
      const command = new ScanCommand({ TableName: "effects", Limit: 2, ExclusiveStartKey });
      const page = await client.send(command);
      seen.push(...(page.Items ?? []).map(({ id }) => id?.S));
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);

    expect(seen.sort()).toEqual(ids);
  });
});

describe("batches", () => {
  rule("a batch returns the existing items, consistently if requested", "API_BatchGetItem.html", async () => {
    for (const id of ["a", "b"]) await put(key(id));
    const ask = (ids: string[]) => {
      const Keys = ids.map((id) => key(id));
      const RequestItems = { effects: { Keys, ConsistentRead: true } };
      return client.batchGetItem({ RequestItems });
    };

    const whole = await ask(["a", "missing", "b"]);

    expect(whole.Responses?.effects).toEqual([key("a"), key("b")]);
    expect(whole.UnprocessedKeys).toEqual({});
    await refused(ask(["a", "a"]), /contains duplicates/);
    await refused(ask(Array.from({ length: 101 }, (_, index) => String(index))), /100/);
  });
});

describe("failures", () => {
  rule("an unknown table has its own error", "Programming.Errors.html", async () => {
    await expect(get("a", "nowhere")).rejects.toMatchObject({ name: "ResourceNotFoundException" });
  });
});

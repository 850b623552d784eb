import * as z from "zod/mini";
import { type AwsCaller, type AwsOperation, defineOperation } from "../aws-operation.ts";
import { type Item, readItem, sizeOfItem } from "./attribute-value.ts";
import { type Condition, readCondition, readKeyCondition } from "./condition.ts";
import { type ExpressionReader, type Expressions, readExpressions } from "./expression-reader.ts";
import { invalid } from "./invalid.ts";
import { type Path, project } from "./path.ts";
import type { Table } from "./table.ts";
import { attributesOf, compareRanges, hashOf, type KeySchema, keyOf, writeKey } from "./table-keys.ts";
import { applyUpdate, readUpdate } from "./update.ts";

const optionalText = z.optional(z.string());
const names = { ExpressionAttributeNames: z.optional(z.record(z.string(), z.string())) };
const placeholders = {
  ...names,
  ExpressionAttributeValues: z.optional(z.record(z.string(), z.unknown())),
};
const reading = { ...names, ConsistentRead: z.optional(z.boolean()), ProjectionExpression: optionalText };
export const ofTable = { TableName: z.string() };
const writing = {
  ...ofTable,
  ...placeholders,
  ConditionExpression: optionalText,
  ReturnValuesOnConditionCheckFailure: z.optional(z.enum(["ALL_OLD", "NONE"])),
  ReturnValues: z._default(z.enum(["NONE", "ALL_OLD", "UPDATED_OLD", "ALL_NEW", "UPDATED_NEW"]), "NONE"),
};
const paging = {
  ...ofTable,
  ...placeholders,
  ...reading,
  IndexName: optionalText,
  FilterExpression: optionalText,
  Limit: z._default(z.number().check(z.gte(1)), Number.POSITIVE_INFINITY),
  ExclusiveStartKey: z.optional(z.unknown()),
  Select: optionalText,
};
const pageSchema = z.object(paging);
const querySchema = z.object({
  ...paging,
  KeyConditionExpression: z.string(),
  ScanIndexForward: z._default(z.boolean(), true),
});
const batchSchema = z.object({
  RequestItems: z.record(z.string(), z.object({ ...reading, Keys: z.array(z.unknown()) })),
});

type PageInput = z.infer<typeof pageSchema>;

/** Refused: expressions replaced these. */
const legacyParameters = [
  "AttributesToGet",
  "AttributeUpdates",
  "ConditionalOperator",
  "Expected",
  "KeyConditions",
  "QueryFilter",
  "ScanFilter",
];

export function defineTableOperation<Input>(
  name: string,
  schema: z.ZodMiniType<Input>,
  run: (input: Input, caller: AwsCaller) => object,
): [string, AwsOperation] {
  const operation = defineOperation("ValidationException", schema, run);
  return [
    name,
    (input, caller) => {
      const legacy = legacyParameters.find((parameter) => Object.hasOwn(Object(input), parameter));
      if (legacy !== undefined) throw invalid(`${legacy} is not part of the local stack: use an expression.`);
      return operation(input, caller);
    },
  ];
}

export function createTableOperations(find: (name: string) => Table): [string, AwsOperation][] {
  const define = <Input extends { readonly TableName: string }>(
    name: string,
    schema: z.ZodMiniType<Input>,
    run: (table: Table, input: Input) => object,
  ) => defineTableOperation(name, schema, (input) => run(find(input.TableName), input));
  return [
    define("GetItem", z.object({ ...ofTable, ...reading, Key: z.unknown() }), (table, input) => ({
      Item: getItem(table, input.Key, input),
    })),
    define("PutItem", z.object({ ...writing, Item: z.unknown() }), (table, input) => {
      const { old } = table.put(readItem(input.Item), guardOf(input));
      return returnOld(input, old);
    }),
    define("DeleteItem", z.object({ ...writing, Key: z.unknown() }), (table, input) => {
      const { old } = table.write(readItem(input.Key), guardOf(input), () => undefined);
      return returnOld(input, old);
    }),
    define(
      "UpdateItem",
      z.object({ ...writing, Key: z.unknown(), UpdateExpression: optionalText }),
      updateItem,
    ),
    define("Query", querySchema, query),
    define("Scan", pageSchema, (table, input) => {
      const keys = keysOf(table, input);
      const items = after(table.indexed(keys), input, table, () => 0);
      return page(items, input, { table, keys, ...readExpressions(input, readPageExpressions) });
    }),
    defineTableOperation("BatchGetItem", batchSchema, (input) => batchGetItem(find, input)),
  ];
}

interface WriteInput extends Expressions {
  readonly ReturnValues: string;
  readonly ReturnValuesOnConditionCheckFailure?: string | undefined;
}

function guardOf(input: WriteInput) {
  return readExpressions(input, (read) => ({
    actions: read("UpdateExpression", readUpdate) ?? [],
    condition: read("ConditionExpression", readCondition),
    returnsOld: input.ReturnValuesOnConditionCheckFailure === "ALL_OLD",
  }));
}

function returnOld({ ReturnValues: returned }: WriteInput, old: Item | undefined): object {
  if (!["NONE", "ALL_OLD"].includes(returned)) throw invalid("Return values set to invalid value");
  return returned === "ALL_OLD" ? { Attributes: old } : {};
}

function updateItem(table: Table, input: WriteInput & { readonly Key: unknown }): object {
  const { actions, ...guard } = guardOf(input);
  for (const { name } of attributesOf(table.settings.keys)) {
    if (!actions.some(({ path }) => path[0] === name)) continue;
    throw invalid(
      `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`,
    );
  }
  const key = readItem(input.Key);
  const { old = {}, next } = table.write(key, guard, (before = key) => applyUpdate(before, actions));
  const { ReturnValues: returned } = input;
  if (returned === "NONE") return {};
  const item = returned.endsWith("OLD") ? old : next;
  const paths = actions.map(({ path }) => path);
  const Attributes = returned.startsWith("UPDATED") ? project(item, paths) : item;
  return Object.keys(Attributes).length > 0 ? { Attributes } : {};
}

const readProjection = (reader: ExpressionReader): Path[] => reader.list(() => reader.path());

function getItem(table: Table, key: unknown, expressions: Expressions) {
  const paths = readExpressions(expressions, (read) => read("ProjectionExpression", readProjection));
  const item = table.get(readItem(key));
  return item && paths ? project(item, paths) : item;
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-api */
const maxBatchGet = 100;

function batchGetItem(find: (name: string) => Table, { RequestItems }: z.infer<typeof batchSchema>): object {
  const wanted = Object.entries(RequestItems);
  const keys = wanted.flatMap(([name, { Keys }]) => Keys.map((Key) => name + writeKey(readItem(Key))));
  if (keys.length < 1 || keys.length > maxBatchGet) {
    throw invalid(
      `1 validation error detected: Member must have length less than or equal to ${maxBatchGet}, and at least 1`,
    );
  }
  if (new Set(keys).size < keys.length) throw invalid("Provided list of item keys contains duplicates");
  const found = wanted.map(([name, { Keys, ...expressions }]) => [
    name,
    Keys.map((Key) => getItem(find(name), Key, expressions)).filter((item) => item !== undefined),
  ]);
  return { Responses: Object.fromEntries(found), UnprocessedKeys: {} };
}

function query(table: Table, input: z.infer<typeof querySchema>): object {
  const keys = keysOf(table, input);
  const { key, ...expressions } = readExpressions(input, (read) => ({
    key: read("KeyConditionExpression", (reader) => readKeyCondition(reader, keys)),
    ...readPageExpressions(read),
  }));
  if (key === undefined) throw invalid("KeyConditionExpression must be specified");
  const items = table.partition({ [keys.hash.name]: key.hashValue }, keys);
  const { ScanIndexForward: isForward } = input;
  const compare = (one: Item, other: Item) => compareRanges(keys, one, other) * (isForward ? 1 : -1);
  const from = after(isForward ? items : items.toReversed(), input, table, compare);
  return page(from, input, { table, keys, range: key.condition, ...expressions });
}

function keysOf({ settings }: Table, { IndexName, ConsistentRead }: PageInput): KeySchema {
  if (IndexName === undefined) return settings.keys;
  const index = settings.indexes[IndexName];
  if (!index) throw invalid(`The table does not have the specified index: ${IndexName}`);
  if (ConsistentRead && index.hash.name !== settings.keys.hash.name) {
    throw invalid("Consistent reads are not supported on global secondary indexes");
  }
  return index;
}

interface PageExpressions extends ReturnType<typeof readPageExpressions> {
  /** What a query's key condition says of the sort key. */
  readonly range?: Condition;
}

function readPageExpressions(read: Parameters<Parameters<typeof readExpressions>[1]>[0]) {
  return {
    filter: read("FilterExpression", readCondition),
    paths: read("ProjectionExpression", readProjection),
  };
}

/** Returns items after the last page, whose last item may be deleted. */
function after(
  items: readonly Item[],
  { ExclusiveStartKey }: PageInput,
  { settings: { keys } }: Table,
  compare: (one: Item, other: Item) => number,
): readonly Item[] {
  if (ExclusiveStartKey === undefined) return items;
  const start = readItem(ExclusiveStartKey);
  const isStart = (item: Item) =>
    hashOf(keys, item) === hashOf(keys, start) && compareRanges(keys, item, start) === 0;
  const place = items.findIndex(isStart);
  if (place >= 0) return items.slice(place + 1);
  return items.filter((item) => compare(item, start) > 0);
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html */
const maxPageBytes = 1024 * 1024;

function page(
  items: readonly Item[],
  { Limit, Select }: PageInput,
  { table, keys, range, filter, paths }: PageExpressions & { table: Table; keys: KeySchema },
): object {
  const found: Item[] = [];
  let bytes = 0;
  let read = 0;
  let last: Item | undefined;
  for (const item of items) {
    if (range?.holds(item) === false) continue;
    read += 1;
    last = item;
    bytes += sizeOfItem(item);
    if (filter?.holds(item) !== false) found.push(item);
    if (read >= Limit || bytes >= maxPageBytes) break;
  }
  const isCut = read >= Limit || bytes >= maxPageBytes;
  return {
    ...(Select !== "COUNT" && { Items: paths ? found.map((item) => project(item, paths)) : found }),
    Count: found.length,
    ScannedCount: read,
    ...(isCut && last && { LastEvaluatedKey: { ...keyOf(keys, last), ...keyOf(table.settings.keys, last) } }),
  };
}

import { isRecord } from "../base/json.ts";
import { pause } from "../base/pause.ts";
import { readAttributes, toAttributes } from "./attribute-values.ts";
import { AwsCallError, type AwsCaller } from "./aws-call.ts";
import type { Item, Table, Written } from "./table.ts";
import { type Expressed, toExpression, toKeyCondition, toUpdate } from "./table-expressions.ts";

export interface TableOptions {
  readonly callAws: AwsCaller;
  readonly tableName: string;
  readonly sortKey?: string | undefined;
  /** Default: timers. */
  readonly sleep?: (ms: number) => Promise<void>;
}

/** For keys that a busy table leaves unread; the wait grows. */
const batchTries = 5;
const batchPauseMs = 50;

/**
 * Without the AWS SDK, whose client takes half of a consumer's cold start
 * (docs/internals/decisions.md#ledger).
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.LowLevelAPI.html
 */
export function createTable({ callAws, tableName, sortKey, sleep = pause }: TableOptions): Table {
  const call: Call = async (operation, input, isRepeatable = true) => {
    const request = toRequest(operation, input);
    const answer = await callAws({ ...request, isRepeatable });
    if (isRecord(answer)) return answer;
    throw new AwsCallError(request, { code: "UnreadableAnswer", status: 200, maybeExecuted: true });
  };

  const write = async (operation: string, input: Expressed, isRepeatable = true): Promise<Written> => {
    const withOld = "ConditionExpression" in input && { ReturnValuesOnConditionCheckFailure: "ALL_OLD" };
    try {
      const whole = { TableName: tableName, ...input, ...withOld };
      const { Attributes } = await call(operation, whole, isRepeatable);
      return Attributes === undefined ? { ok: true } : { ok: true, item: readAttributes(Attributes) };
    } catch (error) {
      if (!(error instanceof AwsCallError) || error.code !== "ConditionalCheckFailedException") throw error;
      const answer = error.answer();
      const old = isRecord(answer) && answer.Item !== undefined && { old: readAttributes(answer.Item) };
      return { ok: false, ...old, maybeOurs: error.maybeExecuted };
    }
  };

  return {
    get: async (key, { consistent = true } = {}) => {
      const input = { TableName: tableName, Key: toAttributes(key), ConsistentRead: consistent };
      const { Item } = await call("GetItem", input);
      return Item === undefined ? undefined : readAttributes(Item);
    },

    batchGet: (keys) => batchGet(call, tableName, keys, sleep),

    put: (item, condition) => write("PutItem", { Item: toAttributes(item), ...toExpression(condition) }),

    update: (key, change, condition) => {
      const input = { Key: toAttributes(key), ...toUpdate(change, condition), ReturnValues: "ALL_NEW" };
      return write("UpdateItem", input, change.add === undefined);
    },

    delete: (key, condition) => write("DeleteItem", { Key: toAttributes(key), ...toExpression(condition) }),

    query: (partition, range = {}) => {
      const condition = toKeyCondition(sortKey, partition, range);
      return query(call, { TableName: tableName, ConsistentRead: true, ...condition }, range.limit);
    },
  };
}

async function batchGet(
  call: Call,
  tableName: string,
  keys: readonly Item[],
  sleep: (ms: number) => Promise<void>,
): Promise<Item[]> {
  const items: Item[] = [];
  let unread: unknown = { [tableName]: { Keys: keys.map(toAttributes), ConsistentRead: true } };
  for (let count = 1; keys.length > 0; count += 1) {
    const input = { RequestItems: unread };
    const { Responses, UnprocessedKeys } = await call("BatchGetItem", input);
    items.push(...readItems(isRecord(Responses) ? Responses[tableName] : undefined));
    if (!isRecord(UnprocessedKeys) || Object.keys(UnprocessedKeys).length === 0) break;
    if (count === batchTries) {
      const failure = { code: "UnprocessedKeys", status: 200, maybeExecuted: false };
      throw new AwsCallError(toRequest("BatchGetItem", input), failure);
    }
    unread = UnprocessedKeys;
    await sleep(batchPauseMs * 2 ** (count - 1));
  }
  return items;
}

async function query(call: Call, input: Expressed, limit: number | undefined): Promise<Item[]> {
  const items: Item[] = [];
  let after: Expressed = {};
  for (;;) {
    const rest = limit !== undefined && { Limit: limit - items.length };
    const { Items, LastEvaluatedKey } = await call("Query", { ...input, ...after, ...rest });
    items.push(...readItems(Items));
    if (LastEvaluatedKey === undefined || (limit !== undefined && items.length >= limit)) return items;
    after = { ExclusiveStartKey: LastEvaluatedKey };
  }
}

type Call = (operation: string, input: Expressed, isRepeatable?: boolean) => Promise<Answer>;
type Answer = Readonly<Record<string, unknown>>;

function toRequest(operation: string, input: Expressed) {
  return { service: "dynamodb", target: `DynamoDB_20120810.${operation}`, input } as const;
}

function readItems(items: unknown): Item[] {
  return Array.isArray(items) ? items.map(readAttributes) : [];
}

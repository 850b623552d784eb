import { isRecord } from "../base/json.ts";
import { pause } from "../base/timers.ts";
import { AwsCallError, type AwsCaller } from "./aws-call.ts";
import {
  type Change,
  type Condition,
  type Item,
  type Range,
  readAttributes,
  type Table,
  toAttributes,
  type Written,
} from "./table.ts";

interface TableOptions {
  readonly callAws: AwsCaller;
  readonly tableName: string;
  readonly sortKey?: string | undefined;
  readonly sleep?: (ms: number) => Promise<void>;
}

/** A busy table may leave keys unread. The wait grows with each try. */
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
    get: async (key) => {
      const input = { TableName: tableName, Key: toAttributes(key), ConsistentRead: true };
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

// Placeholders cannot conflict with reserved words.

type Expressed = Readonly<Record<string, unknown>>;

function toExpression(condition: Condition | undefined): Expressed {
  if (condition === undefined) return {};
  const { expression, names = {}, values = {} } = condition;
  return { ConditionExpression: expression, ...toPlaceholders(names, values) };
}

function toUpdate({ set = {}, add = {}, remove = [] }: Change, condition?: Condition): Expressed {
  const names: Record<string, string> = { ...condition?.names };
  const values: Record<string, Item[string]> = { ...condition?.values };
  const clause = (word: string, attributes: readonly (readonly [string, Item[string]])[], link: string) => {
    if (attributes.length === 0) return [];
    const parts = attributes.map(([name, value], index) => {
      const placeholder = `${word.toLowerCase()}${index}`;
      names[`#${placeholder}`] = name;
      if (value === undefined) return `#${placeholder}`;
      values[`:${placeholder}`] = value;
      return `#${placeholder}${link}:${placeholder}`;
    });
    return [`${word} ${parts.join(", ")}`];
  };

  const clauses = [
    ...clause(
      "SET",
      Object.entries(set).filter(([, value]) => value !== undefined),
      " = ",
    ),
    ...clause("ADD", Object.entries(add), " "),
    ...clause(
      "REMOVE",
      remove.map((name) => [name, undefined]),
      "",
    ),
  ];
  return {
    UpdateExpression: clauses.join(" "),
    ...(condition && { ConditionExpression: condition.expression }),
    ...toPlaceholders(names, values),
  };
}

function toKeyCondition(sortKey: string | undefined, partition: Item, range: Range): Expressed {
  const { from, to, prefix } = range;
  const [[partitionKey = "", value] = []] = Object.entries(partition);
  const bounds = { ":from": from, ":to": to, ":prefix": prefix };
  const ofSortKey =
    prefix !== undefined
      ? "begins_with(#sort, :prefix)"
      : from !== undefined && to !== undefined
        ? "#sort BETWEEN :from AND :to"
        : from !== undefined
          ? "#sort >= :from"
          : to !== undefined
            ? "#sort <= :to"
            : undefined;
  if (ofSortKey === undefined || sortKey === undefined) {
    return {
      KeyConditionExpression: "#partition = :partition",
      ...toPlaceholders({ "#partition": partitionKey }, { ":partition": value }),
    };
  }
  return {
    KeyConditionExpression: `#partition = :partition AND ${ofSortKey}`,
    ...toPlaceholders({ "#partition": partitionKey, "#sort": sortKey }, { ":partition": value, ...bounds }),
  };
}

/** DynamoDB refuses empty maps. */
function toPlaceholders(names: Readonly<Record<string, string>>, values: Item): Expressed {
  const attributes = toAttributes(values);
  return {
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(attributes).length > 0 && { ExpressionAttributeValues: attributes }),
  };
}

/**
 * Reads a whole table, page by page: for operators only, with a paced caller.
 * @param options.isConsistent false (default): writes of the last second may be missing
 * @throws AwsCallError
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html
 */
export async function* scanTable(
  callAws: AwsCaller,
  tableName: string,
  { isConsistent = false }: { readonly isConsistent?: boolean } = {},
): AsyncGenerator<Item, void> {
  let after: object = {};
  for (;;) {
    const answer = await callAws({
      service: "dynamodb",
      target: "DynamoDB_20120810.Scan",
      input: { TableName: tableName, ConsistentRead: isConsistent, ...after },
    });
    const { Items, LastEvaluatedKey } = isRecord(answer) ? answer : {};
    yield* readItems(Items);
    if (LastEvaluatedKey === undefined) return;
    after = { ExclusiveStartKey: LastEvaluatedKey };
  }
}

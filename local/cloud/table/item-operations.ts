import type * as z from "zod/mini";
import type { AwsOperation } from "../aws-operation.ts";
import { canonical, type Item, readItem, sizeOfItem } from "./attribute-value.ts";
import { parseCondition, parseProjection } from "./condition.ts";
import { withPlaceholders } from "./expression-reader.ts";
import { invalid } from "./invalid.ts";
import type { Tables } from "./named-table.ts";
import { project } from "./path.ts";
import type { Table } from "./table.ts";
import { inputs } from "./table-inputs.ts";
import { defineTableOperation } from "./table-operation.ts";
import { parseUpdate } from "./update.ts";

export function createItemOperations(tables: Tables): [string, AwsOperation][] {
  return [
    defineTableOperation("GetItem", inputs.GetItem, (input) => ({
      Item: getItem(tables.get(input.TableName).table, input),
    })),
    defineTableOperation("PutItem", inputs.PutItem, (input) =>
      writeItem(tables, input, { kind: "put", item: readItem(input.Item) }),
    ),
    defineTableOperation("DeleteItem", inputs.DeleteItem, (input) =>
      writeItem(tables, input, { kind: "delete", key: readItem(input.Key) }),
    ),
    defineTableOperation("UpdateItem", inputs.UpdateItem, (input) => updateItem(tables, input)),
    defineTableOperation("BatchGetItem", inputs.BatchGetItem, (input) => batchGetItem(tables, input)),
  ];
}

type WriteInput = z.infer<typeof inputs.UpdateItem>;

function readCondition(input: Omit<WriteInput, "Key">) {
  const { ConditionExpression: condition, UpdateExpression: update } = input;
  const expressions = withPlaceholders(input, (placeholders) => ({
    actions: update === undefined ? [] : parseUpdate(update, placeholders),
    condition:
      condition === undefined ? undefined : parseCondition(condition, "ConditionExpression", placeholders),
  }));
  return { ...expressions, returnsOld: input.ReturnValuesOnConditionCheckFailure === "ALL_OLD" };
}

function writeItem(
  tables: Tables,
  input: Omit<WriteInput, "Key">,
  what: { kind: "put"; item: Item } | { kind: "delete"; key: Item },
): object {
  const { ReturnValues: returned = "NONE" } = input;
  if (!["NONE", "ALL_OLD"].includes(returned)) throw invalid("Return values set to invalid value");
  const { old } = tables.get(input.TableName).table.write({ ...what, ...readCondition(input) });
  return returned === "ALL_OLD" ? { Attributes: old } : {};
}

function updateItem(tables: Tables, input: WriteInput): object {
  const update = { kind: "update" as const, key: readItem(input.Key), ...readCondition(input) };
  const { old = {}, next = {} } = tables.get(input.TableName).table.write(update);
  const { ReturnValues: returned = "NONE" } = input;
  if (returned === "NONE") return {};
  const item = returned.endsWith("OLD") ? old : next;
  const paths = update.actions.map(({ path }) => path);
  const attributes = returned.startsWith("UPDATED") ? project(item, paths) : item;
  return Object.keys(attributes).length > 0 ? { Attributes: attributes } : {};
}

function getItem(
  table: Table,
  input: Pick<z.infer<typeof inputs.GetItem>, "Key" | "ProjectionExpression" | "ExpressionAttributeNames">,
): Item | undefined {
  const { ProjectionExpression: projection } = input;
  const paths = withPlaceholders(input, (placeholders) =>
    projection === undefined ? undefined : parseProjection(projection, placeholders),
  );
  const item = table.get(readItem(input.Key));
  return item && paths ? project(item, paths) : item;
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-api */
const maxBatchGet = 100;
const maxBatchGetBytes = 16 * 1024 * 1024;

function batchGetItem(tables: Tables, { RequestItems }: z.infer<typeof inputs.BatchGetItem>): object {
  const wanted = Object.entries(RequestItems).flatMap(([name, { Keys, ...reading }]) =>
    Keys.map((Key) => ({ name, reading, Key })),
  );
  if (wanted.length < 1 || wanted.length > maxBatchGet) {
    throw invalid(
      `1 validation error detected: Member must have length less than or equal to ${maxBatchGet}, and at least 1`,
    );
  }
  const keys = wanted.map(({ name, Key }) => name + canonical({ M: readItem(Key) }));
  if (new Set(keys).size < keys.length) throw invalid("Provided list of item keys contains duplicates");
  const Responses: Record<string, Item[]> = Object.fromEntries(
    Object.keys(RequestItems).map((name) => [name, []]),
  );
  const UnprocessedKeys: Record<string, { Keys: unknown[] }> = {};
  let bytes = 0;
  for (const { name, reading, Key } of wanted) {
    if (bytes >= maxBatchGetBytes) {
      UnprocessedKeys[name] ??= { ...reading, Keys: [] };
      UnprocessedKeys[name].Keys.push(Key);
      continue;
    }
    const item = getItem(tables.get(name).table, { ...reading, Key });
    if (item === undefined) continue;
    bytes += sizeOfItem(item);
    Responses[name]?.push(item);
  }
  return { Responses, UnprocessedKeys };
}

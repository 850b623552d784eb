import type * as z from "zod/mini";
import type { AwsOperation } from "../aws-operation.ts";
import { type Item, readItem, sizeOfItem } from "./attribute-value.ts";
import { parseCondition, parseProjection } from "./condition.ts";
import { type Placeholders, withPlaceholders } from "./expression-reader.ts";
import { invalid } from "./invalid.ts";
import { readKeyCondition } from "./key-condition.ts";
import type { Tables } from "./named-table.ts";
import { project } from "./path.ts";
import type { Table } from "./table.ts";
import { inputs } from "./table-inputs.ts";
import { compareRanges, hashOf, type KeySchema, keyOf } from "./table-keys.ts";
import { defineTableOperation } from "./table-operation.ts";

/**
 * A page ends when this was read.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html
 */
const maxPageBytes = 1024 * 1024;

type PageInput = z.infer<typeof inputs.Scan>;

export function createPageOperations(tables: Tables): [string, AwsOperation][] {
  return [
    defineTableOperation("Query", inputs.Query, (input) => {
      const { table } = tables.get(input.TableName);
      const keys = keysOf(table, input);
      const { key, ...expressions } = withPlaceholders(input, (placeholders) => ({
        key: readKeyCondition(input.KeyConditionExpression, placeholders, keys),
        ...readPageExpressions(input, placeholders),
      }));
      const items = table
        .partition({ [keys.hash.name]: key.hashValue }, input.IndexName)
        .filter((item) => key.condition.holds(item));
      const isForward = input.ScanIndexForward !== false;
      const compare = (one: Item, other: Item) => compareRanges(keys, one, other) * (isForward ? 1 : -1);
      const from = after(isForward ? items : items.toReversed(), input, { table, compare });
      return page(from, input, { table, keys, ...expressions });
    }),
    defineTableOperation("Scan", inputs.Scan, (input) => {
      const { table } = tables.get(input.TableName);
      const keys = keysOf(table, input);
      const expressions = withPlaceholders(input, (placeholders) => readPageExpressions(input, placeholders));
      const isIndexed = (item: Item) => item[keys.hash.name] && (!keys.range || item[keys.range.name]);
      const from = after(table.all().filter(isIndexed), input, { table, compare: () => 0 });
      return page(from, input, { table, keys, ...expressions });
    }),
  ];
}

function keysOf(table: Table, { IndexName, ConsistentRead }: PageInput): KeySchema {
  if (IndexName === undefined) return table.settings.keys;
  const index = table.settings.indexes[IndexName];
  if (!index) throw invalid(`The table does not have the specified index: ${IndexName}`);
  const isGlobal = index.hash.name !== table.settings.keys.hash.name;
  if (ConsistentRead && isGlobal) {
    throw invalid("Consistent reads are not supported on global secondary indexes");
  }
  return index;
}

function readPageExpressions(
  { FilterExpression: filter, ProjectionExpression: projection }: PageInput,
  placeholders: Placeholders,
) {
  return {
    filter: filter === undefined ? undefined : parseCondition(filter, "FilterExpression", placeholders),
    paths: projection === undefined ? undefined : parseProjection(projection, placeholders),
  };
}

/** Returns the items after the last one of an earlier page, which may have been deleted since. */
function after(
  items: readonly Item[],
  { ExclusiveStartKey }: PageInput,
  { table, compare }: { table: Table; compare(one: Item, other: Item): number },
): readonly Item[] {
  if (ExclusiveStartKey === undefined) return items;
  const start = readItem(ExclusiveStartKey);
  const { keys } = table.settings;
  const isStart = (item: Item) =>
    hashOf(keys, item) === hashOf(keys, start) && compareRanges(keys, item, start) === 0;
  const place = items.findIndex(isStart);
  if (place >= 0) return items.slice(place + 1);
  return items.filter((item) => compare(item, start) > 0);
}

function page(
  items: readonly Item[],
  { Limit = Number.POSITIVE_INFINITY, Select }: PageInput,
  { table, keys, filter, paths }: ReturnType<typeof readPageExpressions> & { table: Table; keys: KeySchema },
): object {
  const found: Item[] = [];
  let bytes = 0;
  let read = 0;
  for (const item of items) {
    read += 1;
    bytes += sizeOfItem(item);
    if (filter?.holds(item) !== false) found.push(item);
    if (read >= Limit || bytes >= maxPageBytes) break;
  }
  const last = items[read - 1];
  const isCut = last !== undefined && (read >= Limit || bytes >= maxPageBytes);
  return {
    ...(Select !== "COUNT" && { Items: paths ? found.map((item) => project(item, paths)) : found }),
    Count: found.length,
    ScannedCount: read,
    ...(isCut && { LastEvaluatedKey: { ...keyOf(keys, last), ...keyOf(table.settings.keys, last) } }),
  };
}

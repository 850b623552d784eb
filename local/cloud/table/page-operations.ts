import type * as z from "zod/mini";
import { type Item, readItem, sizeOfItem } from "./attribute-value.ts";
import { parseCondition, parseProjection } from "./condition-parser.ts";
import { defineOperation, type TableOperation } from "./define-operation.ts";
import { meets } from "./evaluate.ts";
import type { Condition } from "./expression.ts";
import { readKeyCondition } from "./key-condition.ts";
import { type Path, project } from "./path.ts";
import { withPlaceholders } from "./read-placeholders.ts";
import { invalid } from "./table-error.ts";
import { inputs } from "./table-inputs.ts";
import { compareRanges, hashOf, type KeySchema, keyOf } from "./table-keys.ts";
import type { Table } from "./table-model.ts";
import type { TableRoom } from "./table-room.ts";

/** A page ends when what was read reaches this size. @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html */
const maxPageBytes = 1024 * 1024;

type PageInput = z.infer<typeof inputs.Scan>;

/** Makes the operations that read many items in pages. */
export function createPageOperations(room: TableRoom): [string, TableOperation][] {
  return [
    defineOperation("Query", inputs.Query, (input) => {
      const { table } = room.get(input.TableName);
      const keys = keysOf(table, input);
      const expressions = withPlaceholders(input, (placeholders) => ({
        key: readKeyCondition(input.KeyConditionExpression, placeholders, keys),
        ...readPageExpressions(input, placeholders),
      }));
      const inOrder = table.partition({ [keys.hash.name]: expressions.key.hashValue }, input.IndexName);
      const items = inOrder.filter((item) => meets(item, expressions.key.condition));
      const isForward = input.ScanIndexForward !== false;
      const compare = (one: Item, other: Item) => compareRanges(keys, one, other) * (isForward ? 1 : -1);
      const from = after(isForward ? items : items.toReversed(), input, { table, compare });
      return page(from, input, { table, keys, ...expressions });
    }),
    defineOperation("Scan", inputs.Scan, (input) => {
      const { table } = room.get(input.TableName);
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
  const index = table.settings.indexes?.[IndexName];
  if (!index) throw invalid(`The table does not have the specified index: ${IndexName}`);
  const isGlobal = index.hash.name !== table.settings.keys.hash.name;
  if (ConsistentRead && isGlobal) {
    throw invalid("Consistent reads are not supported on global secondary indexes");
  }
  return index;
}

interface PageExpressions {
  readonly filter: Condition | undefined;
  readonly paths: readonly Path[] | undefined;
}

function readPageExpressions(
  { FilterExpression: filter, ProjectionExpression: projection }: PageInput,
  placeholders: Parameters<Parameters<typeof withPlaceholders>[1]>[0],
): PageExpressions {
  return {
    filter: filter === undefined ? undefined : parseCondition(filter, "FilterExpression", placeholders),
    paths: projection === undefined ? undefined : parseProjection(projection, placeholders),
  };
}

/** Gives the items behind the last one of an earlier page, which may be gone by now. */
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
  { table, keys, filter, paths }: PageExpressions & { table: Table; keys: KeySchema },
): object {
  const found: Item[] = [];
  let bytes = 0;
  let read = 0;
  for (const item of items) {
    read += 1;
    bytes += sizeOfItem(item);
    if (!filter || meets(item, filter)) found.push(item);
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

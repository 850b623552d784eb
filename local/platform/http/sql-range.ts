import type { Condition } from "../store/messages.ts";
import type { Range } from "./query.ts";

/** Turns a range filter into SQL conditions on a column. The column name comes from code, never from input. */
export function rangeConditions(column: string, range: Range | undefined): Condition[] {
  if (range === undefined) return [];
  const conditions: Condition[] = [];
  for (const [bound, operator] of operators) {
    const value = range[bound];
    if (value !== undefined) conditions.push({ sql: `${column} ${operator} ?`, values: [value] });
  }
  return conditions;
}

/** Makes the condition `column IN (…)` for a list filter; nothing when the list is undefined. */
export function listCondition(column: string, values: string[] | undefined): Condition[] {
  if (values === undefined) return [];
  return [{ sql: `${column} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(values)] }];
}

/** Makes the condition that the entity in `body` carries at least one of the tags. Any or all: not documented. */
export function tagCondition(tags: string[] | undefined): Condition[] {
  if (tags === undefined) return [];
  return [
    {
      sql: `EXISTS (SELECT 1 FROM json_each(body, '$.tags') AS tag WHERE tag.value IN (SELECT value FROM json_each(?)))`,
      values: [JSON.stringify(tags)],
    },
  ];
}

const operators = [
  ["from", ">="],
  ["to", "<="],
  ["gt", ">"],
  ["gte", ">="],
  ["lt", "<"],
  ["lte", "<="],
  ["eq", "="],
] as const;

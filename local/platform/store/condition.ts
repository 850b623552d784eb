import type { SQLInputValue } from "node:sqlite";

/** One SQL condition with the values of its marks. The text never contains input. */
export type Condition = { sql: string; values: SQLInputValue[] };

/**
 * Limits of a number; `from` and `to` are inclusive.
 * @see docs/platform/answers-and-errors.md#array-and-range-parameters
 */
export type Range = Partial<Record<"from" | "to" | "gt" | "gte" | "lt" | "lte" | "eq", number>>;

/** The fields of a filter, each of which may be absent or undefined and then filters nothing. */
export type FilterFields<T> = { [Field in keyof T]?: T[Field] | undefined };

/** Joins conditions to what follows WHERE; they all have to hold. */
export function allOf(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map((condition) => condition.sql).join(" AND "),
    values: conditions.flatMap((condition) => condition.values),
  };
}

/** Makes the condition that a column holds a value; nothing when the value is undefined. */
export function equals(column: string, value: string | undefined): Condition[] {
  return value === undefined ? [] : [{ sql: `${column} = ?`, values: [value] }];
}

/** Turns a range into conditions on a column. The column name comes from code, never from input. */
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
export function listCondition(column: string, values: readonly string[] | undefined): Condition[] {
  if (values === undefined) return [];
  return [{ sql: `${column} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(values)] }];
}

/** Makes the condition that the entity in `body` carries at least one of the tags. Any or all: not documented. */
export function tagCondition(tags: readonly string[] | undefined): Condition[] {
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

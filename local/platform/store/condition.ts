import type { SQLInputValue } from "node:sqlite";

/** One SQL condition with the values of its marks. The text never contains input. */
export type Condition = { sql: string; values: SQLInputValue[] };

/**
 * Limits of a number; `from` and `to` are inclusive.
 * @see docs/internals/platform/answers-and-errors.md#array-and-range-parameters
 */
export type Range = Partial<Record<"from" | "to" | "gt" | "gte" | "lt" | "lte" | "eq", number | undefined>>;

/** Makes one condition. */
export function condition(sql: string, ...values: SQLInputValue[]): Condition {
  return { sql, values };
}

/** Joins conditions to what follows WHERE; they all have to hold. */
export function allOf(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map((condition) => condition.sql).join(" AND "),
    values: conditions.flatMap((condition) => condition.values),
  };
}

/** Makes a condition with one mark; nothing when its value is undefined. */
export function forValue(value: SQLInputValue | undefined, sql: string): Condition[] {
  return value === undefined ? [] : [condition(sql, value)];
}

/** Makes a condition without marks; nothing unless it is asked for. */
export function when(isAsked: boolean | undefined, sql: string): Condition[] {
  return isAsked === true ? [condition(sql)] : [];
}

/** Makes the condition that a column holds a value; nothing when the value is undefined. */
export function equals(column: string, value: string | undefined): Condition[] {
  return forValue(value, `${column} = ?`);
}

/** Turns a range into conditions on a column. The column name comes from code, never from input. */
export function rangeConditions(column: string, range: Range = {}): Condition[] {
  return operators.flatMap(([bound, operator]) => forValue(range[bound], `${column} ${operator} ?`));
}

/** Makes the condition `column IN (…)` for a list filter; nothing when the list is undefined. */
export function listCondition(column: string, values: readonly string[] | undefined): Condition[] {
  return forValue(values && JSON.stringify(values), `${column} IN (SELECT value FROM json_each(?))`);
}

/** Makes the condition that JSON holds at least one of the tags. Any or all: not documented. */
export function tagCondition(tags: readonly string[] | undefined, list = "body, '$.tags'"): Condition[] {
  const sql = `EXISTS (SELECT 1 FROM json_each(${list}) AS tag WHERE tag.value IN (SELECT value FROM json_each(?)))`;
  return forValue(tags && JSON.stringify(tags), sql);
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

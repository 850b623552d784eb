import type { SQLInputValue } from "node:sqlite";

export type Condition = { sql: string; values: SQLInputValue[] };

/**
 * `from` and `to` are inclusive.
 * @see docs/internals/platform/answers-and-errors.md#array-and-range-parameters
 */
export type Range = { readonly [bound: string]: number | undefined };

export function condition(sql: string, ...values: SQLInputValue[]): Condition {
  return { sql, values };
}

export function allOf(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map((condition) => condition.sql).join(" AND "),
    values: conditions.flatMap((condition) => condition.values),
  };
}

/** Empty if the value is undefined. */
export function forValue(value: SQLInputValue | undefined, sql: string): Condition[] {
  return value === undefined ? [] : [condition(sql, value)];
}

/** Empty unless asked for. */
export function when(isAsked: boolean | undefined, sql: string): Condition[] {
  return isAsked === true ? [condition(sql)] : [];
}

/** Empty if the value is undefined. */
export function equals(column: string, value: string | undefined): Condition[] {
  return forValue(value, `${column} = ?`);
}

/** `column` comes from code, never from input. */
export function rangeConditions(column: string, range: Range): Condition[] {
  return Object.entries(operators).flatMap(([bound, operator]) =>
    forValue(range[bound], `${column} ${operator} ?`),
  );
}

/** Empty if the list is undefined. */
export function listCondition(column: string, values: readonly string[] | undefined): Condition[] {
  return forValue(values && JSON.stringify(values), `${column} IN (SELECT value FROM json_each(?))`);
}

/** Any of the tags; whether all are meant is not documented. */
export function tagCondition(tags: readonly string[] | undefined, list = "body, '$.tags'"): Condition[] {
  const sql = `EXISTS (SELECT 1 FROM json_each(${list}) AS tag WHERE tag.value IN (SELECT value FROM json_each(?)))`;
  return forValue(tags && JSON.stringify(tags), sql);
}

export const operators = { from: ">=", to: "<=", gt: ">", gte: ">=", lt: "<", lte: "<=", eq: "=" };

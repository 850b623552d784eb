import type { SQLInputValue } from "node:sqlite";
import { badRequest, type Refuse } from "../errors/platform-error.ts";
import { toColumn } from "./database.ts";

export class Query {
  readonly #parameters: URLSearchParams;
  readonly #refuse: Refuse;

  constructor(parameters: URLSearchParams, refuse: Refuse = badRequest) {
    this.#parameters = parameters;
    this.#refuse = refuse;
  }

  hasOnly(names: readonly string[]): boolean {
    return [...this.#parameters.keys()].every((name) => names.includes(name));
  }

  text(name: string): string | undefined {
    return this.#parameters.get(name) ?? undefined;
  }

  flag(name: string): boolean | undefined {
    return this.#read(name, /^(?:true|false|1|0)$/, "must be true or false", (text) => /true|1/.test(text));
  }

  integer(name: string): number | undefined {
    return this.#read(name, /^-?\d{1,15}$/, "must be an integer", Number);
  }

  /** Reads `tags=a,b`, `tags=a&tags=b` and `tags[]=a`. */
  list(name: string): string[] | undefined {
    const values = [...this.#parameters.getAll(name), ...this.#parameters.getAll(`${name}[]`)]
      .flatMap((value) => value.split(","))
      .map((value) => value.trim())
      .filter((value) => value !== "");
    return values.length === 0 ? undefined : values;
  }

  #read<T>(name: string, form: RegExp, says: string, parse: (text: string) => T) {
    const text = this.#parameters.get(name) ?? "";
    if (text === "") return undefined;
    if (!form.test(text)) throw this.#refuse({ [name]: `The ${name} ${says}.` });
    return parse(text);
  }
}

export type Condition = { sql: string; values: SQLInputValue[] };

export function condition(sql: string, ...values: SQLInputValue[]): Condition {
  return { sql, values };
}

export function allOf(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map((condition) => condition.sql).join(" AND "),
    values: conditions.flatMap((condition) => condition.values),
  };
}

export function ofApp(appId: string, conditions: readonly Condition[]): Condition {
  return allOf([condition("app_id = ?", appId), ...conditions]);
}

export function forValue(value: SQLInputValue | undefined, sql: string): Condition[] {
  return value === undefined ? [] : [condition(sql, value)];
}

export function when(isAsked: boolean | undefined, sql: string): Condition[] {
  return isAsked === true ? [condition(sql)] : [];
}

export function equals(column: string, value: string | undefined): Condition[] {
  return forValue(value, `${column} = ?`);
}

/** Reads parameters such as `receiverType`, for the columns of their names. */
export function textConditions(query: Query, ...names: readonly string[]): Condition[] {
  return names.flatMap((name) => equals(toColumn(name), query.text(name)));
}

/**
 * Reads parameters such as `createdAt[from]`, for the columns of their names; `from` and `to` are inclusive.
 * @see docs/internals/platform/answers-and-errors.md#array-and-range-parameters
 */
export function rangeConditions(query: Query, ...names: readonly string[]): Condition[] {
  return names.flatMap((name) =>
    Object.entries(operators).flatMap(([bound, operator]) =>
      forValue(query.integer(`${name}[${bound}]`), `${toColumn(name)} ${operator} ?`),
    ),
  );
}

export function listCondition(column: string, values: readonly string[] | undefined): Condition[] {
  return forValue(values && JSON.stringify(values), `${column} IN (SELECT value FROM json_each(?))`);
}

/** Matches any of the tags; undocumented whether all are meant. */
export function tagCondition(tags: readonly string[] | undefined, list = "body, '$.tags'"): Condition[] {
  const sql = `EXISTS (SELECT 1 FROM json_each(${list}) AS tag WHERE tag.value IN (SELECT value FROM json_each(?)))`;
  return forValue(tags && JSON.stringify(tags), sql);
}

const operators = { from: ">=", to: "<=", gt: ">", gte: ">=", lt: "<", lte: "<=", eq: "=" };

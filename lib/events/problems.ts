import type * as z from "zod/mini";
import { isRecord } from "../base/json.ts";
import { isDate } from "../base/realm.ts";
import { toNumber } from "./scalars.ts";
import { mapFields } from "./without-nulls.ts";

/** Never contains a value: values are users' messages. */
export interface Problem {
  /** Dotted, from the outermost object: `data.message.id`. Empty for the body. */
  readonly path: string;
  readonly expected: string;
  readonly found:
    | "missing"
    | "null"
    | "true or false"
    | "number"
    | "empty text"
    | "text"
    | "list"
    | "object"
    | "more";
}

export function describeProblems(problems: readonly Readonly<Record<keyof Problem, string>>[]): string {
  return problems.map(({ path, expected, found }) => `${path}: ${expected}, not ${found}`).join("; ");
}

/** With more, it is another kind of delivery. */
const maxProblems = 20;

export function toProblems(issues: readonly z.core.$ZodIssue[], data: unknown): Problem[] {
  return issues.slice(0, maxProblems).map((issue) => ({
    path: ["data", ...issue.path.map(String)].join("."),
    expected: issue.code === "invalid_type" ? issue.expected : issue.message,
    found: kindOf(issue.path.reduce<unknown>(step, data)),
  }));
}

export function kindOf(value: unknown): Problem["found"] {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  if (typeof value === "boolean") return "true or false";
  if (typeof value === "number") return "number";
  if (value === "") return "empty text";
  return typeof value === "string" ? "text" : "object";
}

function step(value: unknown, name: PropertyKey): unknown {
  if (Array.isArray(value)) return value[Number(name)];
  return isRecord(value) && Object.hasOwn(value, name) ? value[String(name)] : undefined;
}

/** A field of unexpected form, read by its meaning or as absent. Never contains a value. */
export interface Oddity {
  /** Dotted, from the outermost object; `*` for a position in a list and for a user's name in a map. */
  readonly path: string;
  readonly found: Problem["found"];
}

const maxOddities = 20;

/** Never throws for a JSON value. */
export function findOddities(read: unknown, received: unknown): readonly Oddity[] {
  const found: Oddity[] = [];
  compare(read, received, ["data"], found);
  return found;
}

/** `path` is unchanged on return. */
function compare(read: unknown, received: unknown, path: string[], found: Oddity[]) {
  if (read === received || received === undefined || found.length >= maxOddities) return;
  const compareInner = (name: string, inner: unknown, innerReceived: unknown) => {
    if (inner === innerReceived) return;
    path.push(name);
    compare(inner, innerReceived, path, found);
    path.pop();
  };
  if (Array.isArray(read)) {
    if (Array.isArray(received) && read.length === received.length) {
      for (const [index, item] of read.entries()) compareInner("*", item, received[index]);
      return;
    }
  } else if (isRecord(read) && isRecord(received) && !isDate(read)) {
    const isMap = mapFields.has(path.at(-1) ?? "");
    for (const name of Object.keys(isMap ? received : read)) {
      compareInner(isMap ? "*" : name, read[name], received[name]);
    }
    return;
  }
  if (!isUsualPair(read, received)) found.push({ path: path.join("."), found: kindOf(received) });
}

/** The platform sends some numbers, times and booleans as text, some ids as numbers. */
function isUsualPair(read: unknown, received: unknown) {
  if (isDate(read) || typeof read === "number") return toNumber(received) !== undefined;
  if (typeof read === "boolean") return received === "true" || received === "false";
  return typeof read === "string" && typeof received === "number";
}

import type * as z from "zod/mini";
import { isRecord } from "../base/json.ts";

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

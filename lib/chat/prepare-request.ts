import * as z from "zod/mini";
import { isRecord } from "../json.ts";
import { lazy, lazyByKey } from "../lazy.ts";
import { InvalidInputError } from "./errors.ts";
import type { Operation, RequestOptions, Schema } from "./operation.ts";
import type { RateClass } from "./rate-budget.ts";

/** One request, ready to be sent any number of times. */
export interface PreparedRequest {
  readonly operation: string;
  readonly method: string;
  readonly service: "api" | "call";
  /** Path with its query, every value encoded. */
  readonly path: string;
  readonly body: string | FormData | undefined;
  readonly onBehalfOf: string | undefined;
  readonly basicAuth: boolean;
  readonly rateClass: RateClass;
  /** Values of this request that must not appear in an error. */
  readonly secrets: readonly string[];
}

/** The options a method was called with, as far as the transport reads them. */
export interface SendOptions extends RequestOptions {
  readonly onBehalfOf?: string | undefined;
  readonly alreadyDone?: (() => Promise<unknown>) | undefined;
  /** Tries of this request, the first included; 1 means that nothing is repeated, whatever comes. Default: the client's. */
  readonly maxTries?: number | undefined;
  /** Goes along as the header of that name. @see https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceparent?: string | undefined;
}

/** Arguments of a method, told apart by the operation's path parameters and input. */
export interface MethodArguments {
  readonly path: readonly unknown[];
  readonly input: unknown;
  readonly options: SendOptions;
}

const sendOptions = lazy(() =>
  z.strictObject({
    onBehalfOf: z.optional(z.string()),
    signal: z.optional(z.custom<AbortSignal>((value) => value instanceof AbortSignal, "an AbortSignal")),
    timeoutMs: z.optional(z.number().check(z.positive("above 0"))),
    deadlineMs: z.optional(
      z.number().check(z.gte(1e11, "a moment in unix milliseconds (Date.now() + remaining), not a duration")),
    ),
    alreadyDone: z.optional(z.custom<() => Promise<unknown>>(isFunction, "a function")),
  }),
);

/**
 * Sorts a method's arguments into path values, input and options.
 * @throws InvalidInputError for an unknown option, or a missing or unlisted `onBehalfOf`.
 */
export function readArguments(operation: Operation, args: readonly unknown[]): MethodArguments {
  const count = pathNames(operation.request).length;
  const rest = args.slice(count);
  const input = operation.input ? rest.shift() : undefined;
  const options = checkInput(operation.id, sendOptions(), rest[0] ?? {});
  if (rest.length > 1)
    throw new InvalidInputError(operation.id, "", "followed by the options and nothing else");
  if (operation.onBehalfOf === "required" && options.onBehalfOf === undefined) {
    throw new InvalidInputError(operation.id, "onBehalfOf", "given: this operation acts as a user");
  }
  if (operation.onBehalfOf === undefined && options.onBehalfOf !== undefined) {
    throw new InvalidInputError(
      operation.id,
      "onBehalfOf",
      "left out: this operation does not act as a user",
    );
  }
  if (options.onBehalfOf !== undefined) checkId(operation.id, "onBehalfOf", options.onBehalfOf);
  return { path: args.slice(0, count), input, options };
}

/**
 * Builds the request of an operation from checked values.
 * @throws InvalidInputError naming the field and the rule when a value breaks one.
 */
export function prepareRequest(
  operation: Operation,
  { path, input, options }: MethodArguments,
  paging: Readonly<Record<string, unknown>> = {},
): PreparedRequest {
  const [method = "GET", template = ""] = operation.request.split(" ");
  const checked = operation.input ? checkInput(operation.id, schemaOf(operation.input), input ?? {}) : {};
  const fields = isRecord(checked) ? checked : {};
  const query: Record<string, unknown> = {};
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const isQuery = method === "GET" || operation.inQuery?.includes(name);
    if (value !== undefined) (isQuery ? query : body)[name] = value;
  }
  Object.assign(query, paging);
  const names = pathNames(operation.request);
  const values = names.map((name, place) => checkId(operation.id, name, path[place]));
  let place = 0;
  const filled = template.replace(/\{\w+\}/g, () => encodeURIComponent(values[place++] ?? ""));
  const hasBody = operation.input !== undefined && method !== "GET";
  return {
    operation: operation.id,
    method,
    service: operation.service ?? "api",
    path: filled + writeQuery(query, operation.csv ?? []),
    body: hasBody ? writeBody(body, operation.form ?? false) : undefined,
    onBehalfOf: options.onBehalfOf,
    basicAuth: operation.basicAuth ?? false,
    rateClass: operation.rateClass ?? "standard",
    secrets: [...values.filter((_, index) => isSecretName(names[index] ?? "")), ...secretsIn(fields)],
  };
}

/**
 * Checks a value against a schema.
 * @throws InvalidInputError with operation, field and rule; it never holds the value.
 */
export function checkInput<Output>(operation: string, schema: Schema<Output>, value: unknown): Output {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new InvalidInputError(
    operation,
    issue?.path.map(String).join(".") ?? "",
    issue ? ruleOf(issue) : "valid",
  );
}

/** Builds a schema at its first use and keeps it: schemas made at import would cost every cold start. */
export const schemaOf = lazyByKey((build: () => Schema): Schema => build());

/**
 * Writes query fields: arrays repeat their key or are comma-separated, objects become `key[part]`.
 * @see docs/platform/answers-and-errors.md#array-and-range-parameters
 */
export function writeQuery(fields: Readonly<Record<string, unknown>>, csv: readonly string[]): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (Array.isArray(value)) {
      if (!csv.includes(name)) for (const item of value) query.append(name, String(item));
      else if (value.length > 0) query.append(name, value.join(","));
    } else if (isRecord(value)) {
      for (const [part, inner] of Object.entries(value)) {
        if (inner !== undefined) query.append(`${name}[${part}]`, String(inner));
      }
    } else if (value !== undefined) {
      query.append(name, String(value));
    }
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

function writeBody(fields: Readonly<Record<string, unknown>>, isForm: boolean): string | FormData {
  if (!isForm) return JSON.stringify(fields);
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) form.append(name, value);
    else form.append(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  return form;
}

function pathNames(request: string): string[] {
  return [...request.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
}

/** uid and guid rules: docs/platform/ids-and-limits.md#chosen-ids. Upper case is allowed, the platform lowers it. */
const platformId = /^[a-z0-9_-]{1,100}$/i;

function checkId(operation: string, name: string, value: unknown): string {
  if (name === "uid" || name === "guid" || name === "role" || name === "onBehalfOf") {
    if (typeof value === "string" && platformId.test(value)) return value;
    throw new InvalidInputError(operation, name, "1 to 100 of the characters a-z 0-9 - _");
  }
  if (typeof value === "string" && value !== "" && value !== "." && value !== ".." && value.isWellFormed())
    return value;
  throw new InvalidInputError(operation, name, "a non-empty string that can be part of a path");
}

function ruleOf(issue: z.core.$ZodIssue): string {
  if (issue.message && issue.message !== "Invalid input") return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return issue.expected === "nonoptional" ? "given" : `of type ${issue.expected}`;
    case "invalid_value":
      return `one of ${issue.values.map(String).join(", ")}`;
    case "too_big":
      return `at most ${issue.maximum}${unitOf(issue.origin)}`;
    case "too_small":
      return `at least ${issue.minimum}${unitOf(issue.origin)}`;
    case "unrecognized_keys":
      return `without the unknown field ${issue.keys.join(", ")}`;
    default:
      return "valid";
  }
}

function unitOf(origin: string): string {
  if (origin === "string") return " characters";
  return origin === "array" ? " items" : "";
}

const secretName = /secret|password|token|apikey|creds|private_key|p8key/i;

function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** Collects what must not come back in an error: every string below a field whose name says it is secret. */
function secretsIn(value: unknown, isSecret = false): string[] {
  if (typeof value === "string") return isSecret ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item) => secretsIn(item, isSecret));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => secretsIn(inner, isSecret || isSecretName(name)));
}

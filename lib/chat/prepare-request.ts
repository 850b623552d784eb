import * as z from "zod/mini";
import { isRecord } from "../base/json.ts";
import { lazy } from "../base/lazy.ts";
import { checkInput } from "./check-input.ts";
import { isFunction, readPlainly, typeNameOf } from "./check-plain.ts";
import { InvalidInputError } from "./errors.ts";
import { isDocumented } from "./judge-answer.ts";
import type { Operation } from "./operation.ts";
import type { RateClass } from "./rate-budget.ts";
import type { RequestOptions } from "./request-options.ts";
import { fieldNamesOf, int, json, optional, schemaOf, strictObject, timeLimit, word } from "./schema.ts";

export interface PreparedRequest {
  readonly operation: string;
  readonly method: string;
  readonly service: "api" | "call";
  readonly path: string;
  readonly body: string | FormData | undefined;
  readonly onBehalfOf: string | undefined;
  readonly basicAuth: boolean;
  readonly rateClass: RateClass;
  /** Errors must not contain them. */
  readonly secrets: readonly string[];
  /** Checks a 2xx. Default: always true. */
  readonly isDocumented?: (body: unknown) => boolean;
}

export interface SendOptions extends RequestOptions {
  readonly onBehalfOf?: string | undefined;
  readonly alreadyDone?: (() => Promise<unknown>) | undefined;
  /** Fails after a 429 of a user's own limit instead of waiting. Default: false. */
  readonly leavesAtUserLimit?: boolean | undefined;
  /** @see https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceparent?: string | undefined;
}

export interface MethodArguments {
  readonly path: readonly unknown[];
  readonly input: unknown;
  readonly options: SendOptions;
}

const sendOptions = lazy(() =>
  strictObject(
    optional({
      onBehalfOf: word,
      signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal, "an AbortSignal"),
      timeoutMs: timeLimit,
      deadlineMs: z
        .number()
        .check(z.gte(1e11, "a moment in unix milliseconds (Date.now() + remaining), not a duration")),
      alreadyDone: z.custom<() => Promise<unknown>>(isFunction, "a function"),
      maxTries: int(1),
      headers: json,
    }),
  ),
);

/** @throws InvalidInputError for an unknown option, or a missing or unlisted `onBehalfOf` */
export function readArguments(operation: Operation, args: readonly unknown[]): MethodArguments {
  return readPlainly(operation.id, "options", () => sortArguments(operation, args));
}

function sortArguments(operation: Operation, args: readonly unknown[]): MethodArguments {
  const { id, request, onBehalfOf: acting } = operation;
  const names = pathNames(request);
  const rest = args.slice(names.length);
  const input = operation.input ? rest.shift() : undefined;
  const { headers, ...options } = checkOptions(operation, rest);
  const { onBehalfOf } = options;
  if (acting === "required" && onBehalfOf === undefined) {
    throw new InvalidInputError(id, "onBehalfOf", "the acting user's uid, among the options", true);
  }
  if (acting === undefined && onBehalfOf !== undefined) {
    throw new InvalidInputError(id, "onBehalfOf", "left out: this operation does not act as a user");
  }
  if (onBehalfOf !== undefined) checkId(id, "onBehalfOf", onBehalfOf);
  return {
    path: args.slice(0, names.length),
    input,
    options: headers ? { ...options, headers: readOwnHeaders(id, headers) } : options,
  };
}

function checkOptions({ id, request, input }: Operation, [given = {}, ...more]: readonly unknown[]) {
  const known = sendOptions();
  const stray = isRecord(given) ? Object.keys(given).find((name) => !(name in known.shape)) : "options";
  if (stray === undefined && more.length === 0) return checkInput(id, known, given, "options");
  const takes = [...pathNames(request), ...(input ? ["input"] : []), "options"].join(", ");
  const [field = "", rule] =
    more.length > 0
      ? ["options", "followed by nothing else"]
      : [
          stray,
          isRecord(given) ? "left out: there is no such option" : `an object, not ${typeNameOf(given)}`,
        ];
  throw new InvalidInputError(id, field, `${rule}. It takes (${takes})`);
}

/** @throws InvalidInputError naming the field and the rule */
export function prepareRequest(
  operation: Operation,
  given: MethodArguments,
  paging: Readonly<Record<string, unknown>> = {},
): PreparedRequest {
  return readPlainly(operation.id, "", () => prepare(operation, given, paging));
}

function prepare(
  operation: Operation,
  { path, input, options }: MethodArguments,
  paging: Readonly<Record<string, unknown>>,
): PreparedRequest {
  const [method = "GET", template = ""] = operation.request.split(" ");
  const schema = operation.input && schemaOf(operation.input);
  const checked = schema ? checkInput(operation.id, schema, input ?? {}) : {};
  const fields = isRecord(checked) ? checked : {};
  const query: Record<string, unknown> = {};
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const isQuery = method === "GET" || operation.inQuery?.includes(name);
    if (value !== undefined) (isQuery ? query : body)[name] = value;
  }
  const isEmpty = Object.keys({ ...query, ...body }).length === 0;
  if (isEmpty && /^P(UT|ATCH)$/.test(method) && schema && fieldNamesOf(schema).length > 0)
    throw new InvalidInputError(operation.id, "", "given with at least one field: else nothing changes");
  Object.assign(query, paging);
  const filled = fillPath(operation.id, template, path);
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
    secrets: secretsIn([
      fields,
      options.headers,
      Object.fromEntries(pathNames(template).map((name, index) => [name, path[index]])),
    ]),
    isDocumented: (body) => isDocumented(operation, body),
  };
}

/**
 * Arrays repeat their key or are comma-separated, objects become `key[part]`.
 * @see docs/internals/platform/answers-and-errors.md#array-and-range-parameters
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

function writeBody(fields: Readonly<Record<string, unknown>>, isForm: boolean): string | FormData {
  if (!isForm) return JSON.stringify(fields);
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) form.append(name, value);
    else form.append(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  return form;
}

/** @throws InvalidInputError if a value is missing or invalid */
export function fillPath(operation: string, template: string, values: readonly unknown[]): string {
  let place = 0;
  return template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(checkId(operation, name, values[place++])),
  );
}

export function pathNames(request: string): string[] {
  return [...request.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
}

/** @see docs/internals/platform/ids-and-limits.md#chosen-ids (the platform lowers upper case) */
const platformId = /^[a-z0-9_-]{1,100}$/i;

function checkId(operation: string, name: string, value: unknown) {
  const isPlatformId = name === "uid" || name === "guid" || name === "role" || name === "onBehalfOf";
  const isFine =
    typeof value === "string" &&
    (isPlatformId
      ? platformId.test(value)
      : value !== "" && value !== "." && value !== ".." && value.isWellFormed());
  if (isFine) return value;
  const rule = isPlatformId
    ? "1 to 100 of the characters a-z 0-9 - _"
    : "a non-empty string that can be part of a path";
  const kind = value === undefined || typeof value === "string" ? "" : `, not ${typeNameOf(value)}`;
  throw new InvalidInputError(operation, name, rule + kind, value === undefined);
}

const secretName = /secret|password|token|api[-_]?key|creds|private[-_]?key|p8key|authorization|^headers$/i;

export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** Every string below a field with a secret name. */
export function secretsIn(value: unknown, isSecret = false): string[] {
  if (typeof value === "string") return isSecret ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item) => secretsIn(item, isSecret));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => secretsIn(inner, isSecret || isSecretName(name)));
}

/** Credentials, acting user, body, and headers of one connection (RFC 9110 §7.6.1). */
const reserved =
  /^(apikey|appid|key|secret|onbehalfof|authorization|cookie|host|connection|keep-alive|te|trailer|upgrade|expect|user-agent|(accept|content|proxy|transfer|x-webhook)(-.*)?)$/;

/**
 * Lowers names.
 * @throws InvalidInputError for a header that only the client may set, and for invalid names and values
 */
export function readOwnHeaders(
  operation: string,
  headers: object,
  field = "headers",
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([given, value]: [string, unknown]) => {
      const name = given.toLowerCase();
      if (reserved.test(name)) {
        throw new InvalidInputError(operation, `${field}.${name}`, "left to the client and its options");
      }
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
        throw new InvalidInputError(operation, field, "of proper names");
      }
      if (typeof value === "string" && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return [name, value];
      throw new InvalidInputError(operation, `${field}.${name}`, "a text without line breaks");
    }),
  );
}

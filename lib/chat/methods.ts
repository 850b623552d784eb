import * as z from "zod/mini";
import { isRecord } from "../json.ts";
import { ChatUnreachableError, InvalidInputError } from "./errors.ts";
import type { EscapeHatch, RawRequest } from "./escape-hatch.ts";
import type { CallOperation, Family, FamilyClient, Operation, Schema } from "./operation.ts";
import { nextPage, type Page, paginate } from "./pagination.ts";
import {
  type MethodArguments,
  type PreparedRequest,
  prepareRequest,
  readArguments,
  schemaOf,
  writeQuery,
} from "./prepare-request.ts";
import type { Transport } from "./transport.ts";

/** Turns families of operations into methods that send through a transport. */
export function createMethods<const Families extends Readonly<Record<string, Family>>>(
  transport: Transport,
  families: Families,
): { readonly [Name in keyof Families]: FamilyClient<Families[Name]> };
// The methods are made from a table at run time; the signature above says what that comes to, and the type tests judge it.
export function createMethods(transport: Transport, families: Readonly<Record<string, Family>>): object {
  const bind =
    (operation: Operation) =>
    (...args: unknown[]) =>
      invoke(transport, operation, args);
  return mapValues(families, (family) => mapValues(family, bind));
}

/** Makes what calls any operation through a transport. */
export function createCall(transport: Transport): CallOperation;
export function createCall(transport: Transport): object {
  return (operation: Operation, ...args: unknown[]) => invoke(transport, operation, args);
}

function invoke(transport: Transport, operation: Operation, args: readonly unknown[]): unknown {
  return operation.paged ? list(transport, operation, args) : single(transport, operation, args);
}

/** Makes the way to operations without a method. */
export function createEscapeHatch(transport: Transport): EscapeHatch {
  return {
    async request<Output>(raw: RawRequest<Output>): Promise<Output> {
      const { method, path, query, body, service = "api", answer, ...rest } = raw;
      const operation = `${method} ${path.split("?")[0] ?? path}`;
      if (!safePath.test(path) || dotSegment.test(path)) {
        throw new InvalidInputError(
          operation,
          "path",
          "slashes with something between them and no dot segments",
        );
      }
      const anyone = {
        id: operation,
        request: "GET /",
        onBehalfOf: "optional",
        answer: () => answer,
      } as const;
      const { options } = readArguments(anyone, [rest]);
      const request: PreparedRequest = {
        operation,
        method,
        service,
        path: path + writeQuery(query ?? {}, []),
        body: body === undefined ? undefined : JSON.stringify(body),
        onBehalfOf: options.onBehalfOf,
        basicAuth: false,
        rateClass: "standard",
        secrets: [],
      };
      const sent = await transport.send(request, options);
      return readAnswer(
        operation,
        answer,
        sent.kind === "answer" ? readEnvelope(sent.body).data : sent.value,
      );
    },
  };
}

/** The path is put behind the base address: nothing in it may lead out of there. */
const safePath = /^(?:\/[^\s\\/?#]+)+(?:\?[^\s#]*)?$/;
const dotSegment = /\/(?:\.|%2e){1,2}(?:[/?]|$)/i;

async function single(
  transport: Transport,
  operation: Operation,
  args: readonly unknown[],
): Promise<unknown> {
  const read = readArguments(operation, args);
  const sent = await transport.send(prepareRequest(operation, read), read.options);
  if (sent.kind === "found") return sent.value;
  return readAnswer(operation.id, schemaOf(operation.answer), readEnvelope(sent.body).data);
}

/** Input is checked when the list is made, so that the mistake shows where it was made. */
function list(transport: Transport, operation: Operation, args: readonly unknown[]) {
  const read = readArguments(operation, args);
  prepareRequest(operation, read);
  return paginate((fields) => fetchPage(transport, operation, read, fields));
}

async function fetchPage(
  transport: Transport,
  operation: Operation,
  read: MethodArguments,
  fields: Readonly<Record<string, unknown>>,
): Promise<Page<unknown>> {
  const sent = await transport.send(prepareRequest(operation, read, fields), read.options);
  const { data, meta } = readEnvelope(sent.kind === "answer" ? sent.body : undefined);
  const raw = itemsOf(data);
  const items = raw.map((item) => readAnswer(operation.id, schemaOf(operation.answer), item));
  const asked = { ...(isRecord(read.input) ? read.input : {}), ...fields };
  return {
    items,
    meta,
    next: nextPage(operation.paged ?? "once", asked, {
      meta,
      count: raw.length,
      cursor: operation.cursor,
    }),
  };
}

/**
 * Takes an answer out of its envelope `{data, meta?, cursor?}`. A bare `{success, message}` is its own data
 * (moderation reasons and flags; docs/platform/answers-and-errors.md#envelope); a cursor beside meta counts as part of it
 * (docs/platform/answers-and-errors.md#lists-by-page).
 */
function readEnvelope(body: unknown): { data: unknown; meta: Record<string, unknown> } {
  if (!isRecord(body)) return { data: body, meta: {} };
  const meta = isRecord(body.meta) ? body.meta : {};
  return {
    data: "data" in body ? body.data : body,
    meta: "cursor" in body ? { cursor: body.cursor, ...meta } : meta,
  };
}

/**
 * A list may come as a map with keys "0", "1", … (group list of one catalogue version;
 * docs/platform/ids-and-limits.md#what-examples-get-wrong).
 */
function itemsOf(data: unknown): readonly unknown[] {
  if (Array.isArray(data)) return data;
  return isRecord(data) ? Object.values(data) : [];
}

/** An answer of a shape nobody expects was still carried out: it must not look like a failure that may be repeated. */
function readAnswer<Output>(operation: string, schema: Schema<Output>, data: unknown): Output {
  const result = z.safeParse(schema, data);
  if (result.success) return result.data;
  const field = result.error.issues[0]?.path.map(String).join(".") ?? "";
  throw new ChatUnreachableError({
    operation,
    phase: "body",
    maybeExecuted: true,
    reason: `UNEXPECTED_SHAPE${field === "" ? "" : ` at ${field}`}`,
  });
}

function mapValues<Value, Result>(record: Readonly<Record<string, Value>>, change: (value: Value) => Result) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

import type * as z from "zod/mini";
import { isDate } from "../../../lib/base/realm.ts";
import { AwsError } from "../aws-error.ts";
import { readJsonBody } from "../aws-operation.ts";
import { historyQuerySchema, listQuerySchema, stateQuerySchema } from "./durable-inputs.ts";
import type { DurableStore } from "./durable-store.ts";
import { invalidDurableCall } from "./invalid-call.ts";
import { errorObjectSchema } from "./stored-execution.ts";

export function isDurablePath(pathname: string): boolean {
  return pathname.startsWith(prefix);
}

const prefix = "/2025-12-01/";

/**
 * Dates are seconds since 1970. ARNs and callback ids are percent-encoded: they may contain slashes.
 * @param url encoded, with its query
 * @throws AwsError as Lambda would answer it
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Operations.html
 */
export function answerDurableCall(
  store: DurableStore,
  { method, url, body }: { readonly method: string; readonly url: string; readonly body: string },
): string {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  const parts = pathname.slice(prefix.length).split("/").map(decodeURIComponent);
  const answer = route(store, { method, parts, query: searchParams, body });
  return answer === undefined ? "" : JSON.stringify(toWire(answer));
}

interface Call {
  readonly method: string;
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  readonly body: string;
}

function route(store: DurableStore, { method, parts, query, body }: Call): object | undefined {
  const [kind, id = "", verb = ""] = parts;
  switch (`${method} ${kind}/${verb}`) {
    case "POST durable-executions/checkpoint":
      return store.checkpoint(id, readJsonBody(body));
    case "GET durable-executions/state":
      return store.getState(id, readQuery(stateQuerySchema, query));
    case "GET durable-executions/":
      return store.get(id);
    case "GET durable-executions/history":
      return store.history(id, readQuery(historyQuerySchema, query));
    case "POST durable-executions/stop":
      return store.stop(id, body === "" ? undefined : readError(body));
    case "DELETE durable-executions/":
      return store.delete(id);
    case "POST durable-execution-callbacks/succeed":
      store.completeCallback(id, { result: body });
      return undefined;
    case "GET functions/durable-executions":
      return store.list(functionNameOf(id), readQuery(listQuerySchema, query));
    default:
      throw new AwsError(
        "ResourceNotFoundException",
        `There is nothing at ${method} ${parts.join("/")}.`,
        404,
      );
  }
}

function functionNameOf(id: string) {
  return id.match(/function:([^:]+)/)?.[1] ?? id.split(":")[0] ?? id;
}

function readError(body: string) {
  const parsed = errorObjectSchema.safeParse(readJsonBody(body));
  if (parsed.success) return parsed.data;
  throw invalidDurableCall("The error is not an ErrorObject.");
}

function readQuery<Schema extends z.ZodMiniType>(schema: Schema, query: URLSearchParams): z.infer<Schema> {
  const Statuses = query.getAll("Statuses");
  const parsed = schema.safeParse({
    ...Object.fromEntries(query),
    ...(Statuses.length > 0 && { Statuses }),
  });
  if (parsed.success) return parsed.data;
  throw invalidDurableCall(`The query is not valid: ${query.toString()}`);
}

/** Dates in seconds, absent members as null: so Lambda writes them (seen live: `"NextMarker":null`). */
export function toWire(value: unknown): unknown {
  if (value === undefined) return null;
  if (isDate(value)) return value.getTime() / 1000;
  if (Array.isArray(value)) return value.map(toWire);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, toWire(part)]));
}

import * as z from "zod/mini";
import { isRecord } from "../base/json.ts";
import { ChatUnreachableError } from "./errors.ts";
import { pathOf } from "./schema.ts";

/** A schema, or a function that returns the parsed `data` and throws on failure. */
export type AnswerReader<Output> = z.core.$ZodType<Output> | ((data: unknown) => Output);

/**
 * Expects `{data, meta?, cursor?}`. A bare `{success, message}` is its own data
 * (docs/internals/platform/answers-and-errors.md#envelope), a cursor beside meta part of it
 * (docs/internals/platform/answers-and-errors.md#lists-by-page).
 */
export function readEnvelope(body: unknown): { data: unknown; meta: Record<string, unknown> } {
  if (!isRecord(body)) return { data: body, meta: {} };
  const meta = isRecord(body.meta) ? body.meta : {};
  return {
    data: "data" in body ? body.data : body,
    meta: "cursor" in body ? { cursor: body.cursor, ...meta } : meta,
  };
}

/**
 * An unexpected shape counts as executed: unless its method says so, the error must not look repeatable.
 * @throws ChatUnreachableError
 */
export function readAnswer<Output>(
  { id, request }: Asked,
  reader: AnswerReader<Output>,
  data: unknown,
): Output {
  let field = "";
  try {
    if (typeof reader === "function") return reader(data);
    const result = z.safeParse(reader, data);
    if (result.success) return result.data;
    field = pathOf(result.error);
  } catch {
    // The parser's message may quote the answer.
  }
  throw unexpectedShape({ id, request }, field);
}

interface Asked {
  readonly id: string;
  readonly request: string;
}

export function unexpectedShape({ id: operation, request }: Asked, field = ""): ChatUnreachableError {
  const [method] = request.split(" ");
  const reason = `UNEXPECTED_SHAPE${field === "" ? "" : ` at ${field}`}`;
  return new ChatUnreachableError({ operation, method, phase: "body", maybeExecuted: true, reason });
}

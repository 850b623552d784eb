import * as z from "zod/mini";
import { isRecord } from "../base/json.ts";
import { ChatUnreachableError } from "./errors.ts";

/** Reads the data of an answer: a schema, or a function that gives what it reads and throws where it cannot. */
export type AnswerReader<Output> = z.core.$ZodType<Output> | ((data: unknown) => Output);

/**
 * Takes an answer out of its envelope `{data, meta?, cursor?}`. A bare `{success, message}` is its own data
 * (moderation reasons and flags; docs/platform/answers-and-errors.md#envelope); a cursor beside meta counts as part of it
 * (docs/platform/answers-and-errors.md#lists-by-page).
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
 * Reads the data of an answer. One of a shape nobody expects was still carried out: it must not look like a failure that may
 * be repeated.
 * @throws ChatUnreachableError
 */
export function readAnswer<Output>(operation: string, reader: AnswerReader<Output>, data: unknown): Output {
  let field = "";
  try {
    if (typeof reader === "function") return reader(data);
    const result = z.safeParse(reader, data);
    if (result.success) return result.data;
    field = result.error.issues[0]?.path.map(String).join(".") ?? "";
  } catch {
    // What it could not read is told below, without what it says: that may quote the answer.
  }
  throw unexpectedShape(operation, field);
}

/** Makes the error of an answer that says something, but nothing that its operation documents. */
export function unexpectedShape(operation: string, field = ""): ChatUnreachableError {
  const reason = `UNEXPECTED_SHAPE${field === "" ? "" : ` at ${field}`}`;
  return new ChatUnreachableError({ operation, phase: "body", maybeExecuted: true, reason });
}

import { isRecord } from "../base/json.ts";

/**
 * Returns the part of a body that says no: one with `error` or with `success: false`, in the envelope, in its data, or in the
 * answer of an extension that stands in its data. undefined if no part does. A no of one item is no refusal of the others
 * (`hasRefusedItem`).
 */
export function refusalIn(body: unknown): Record<string, unknown> | undefined {
  const data = fieldOf(body, "data");
  const ofExtension = fieldOf(data, "statusCode") === undefined ? undefined : fieldOf(data, "body");
  return [body, data, ofExtension, fieldOf(ofExtension, "data")].filter(isRecord).find(saysNo);
}

/**
 * Returns whether the data of an answer says no of one of its items. What users write is no item: a sender must not make an
 * answer that shows their message look like a refusal.
 */
export function hasRefusedItem(data: unknown): boolean {
  return Object.entries(Object(data)).some(
    ([name, item]) => name !== "data" && name !== "metadata" && isRecord(item) && saysNo(item),
  );
}

/** A gateway may write a flag as text or number. */
function saysNo(part: Record<string, unknown>): boolean {
  return [false, "false", 0, "0"].some((no) => part.success === no) || hasError(part);
}

/**
 * Returns whether an object has an `error`. A user may have the id "error": the result of that one item is no error of the
 * whole answer.
 */
export function hasError(part: unknown): part is Record<string, unknown> {
  const error = fieldOf(part, "error") ?? false;
  return error !== false && typeof fieldOf(error, "success") !== "boolean";
}

function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

import { isRecord } from "../base/json.ts";

/**
 * Returns the part with `error` or `success: false`: the envelope, its data, or an extension's answer in its
 * data. One item's failure does not refuse the others (`hasRefusedItem`).
 */
export function refusalIn(body: unknown): Record<string, unknown> | undefined {
  const data = fieldOf(body, "data");
  const ofExtension = fieldOf(data, "statusCode") === undefined ? undefined : fieldOf(data, "body");
  return [body, data, ofExtension, fieldOf(ofExtension, "data")].filter(isRecord).find(saysNo);
}

/** Ignores users' content: a sender cannot make an answer look like a refusal. */
export function hasRefusedItem(data: unknown): boolean {
  return Object.entries(Object(data)).some(
    ([name, item]) => name !== "data" && name !== "metadata" && isRecord(item) && saysNo(item),
  );
}

/** Accepts text and number, which a gateway may send. */
function saysNo(part: Record<string, unknown>): boolean {
  return [false, "false", 0, "0"].some((no) => part.success === no) || hasError(part);
}

/** Ignores the result of an item with the id "error", such as a user's. */
export function hasError(part: unknown): part is Record<string, unknown> {
  const error = fieldOf(part, "error") ?? false;
  return error !== false && typeof fieldOf(error, "success") !== "boolean";
}

export function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

import * as z from "zod/mini";
import { isRecord } from "../base/json.ts";
import { ChatUnreachableError, isUnknownForm } from "./errors.ts";
import type { Operation } from "./operation.ts";
import { readEnvelope } from "./read-answer.ts";
import { fieldNamesOf, type Schema, schemaOf } from "./schema.ts";

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

/** A gateway may send a text or number. */
function saysNo(part: Record<string, unknown>) {
  return [false, "false", 0, "0"].some((no) => part.success === no) || hasError(part);
}

/** An item's id, such as a user's, may be "error". */
export function hasError(part: unknown): part is Record<string, unknown> {
  const error = fieldOf(part, "error") ?? false;
  return error !== false && typeof fieldOf(error, "success") !== "boolean";
}

export function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

/** Expects an array for a list, else an object. The schema checks the fields. */
export function isDocumented({ paged, items, documented, answer }: Operation, body: unknown): boolean {
  if (paged === undefined && documented === "none") return true;
  const { data } = readEnvelope(body);
  if (paged !== undefined)
    return isList(listIn(items, data).list) && (documented === "none" || isRecord(body));
  if (!isRecord(data) && !Array.isArray(data)) return false;
  return Object.keys(data).length > 0 || (data !== body && canBeEmpty(schemaOf(answer), documented, data));
}

/** Only for unset settings, a list of pins, and answers of several forms. */
function canBeEmpty(schema: Schema, documented: Operation["documented"], data: unknown) {
  const hasForm = fieldNamesOf(schema).length > 0 && documented !== "several";
  return !hasForm && z.safeParse(schema, data).success;
}

/**
 * Also accepts a map with keys "0", "1", …
 * (docs/internals/platform/ids-and-limits.md#what-examples-get-wrong).
 */
function isList(data: unknown) {
  if (!isRecord(data)) return Array.isArray(data);
  const keys = Object.keys(data);
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key));
}

/** Also finds a list that an older version answers alone. */
export function listIn(
  items: string | undefined,
  data: unknown,
): { readonly list: unknown; readonly around: Readonly<Record<string, unknown>> } {
  if (items === undefined || !isRecord(data)) return { list: data, around: {} };
  const { [items]: list, ...around } = data;
  return { list, around };
}

export function itemsOf(data: unknown): readonly unknown[] {
  return Array.isArray(data) ? data : Object.values(Object(data));
}

export function hasKnownField({ documented, answer }: Operation, data: unknown): boolean {
  const names = (documented ?? "one") === "one" ? fieldNamesOf(schemaOf(answer)) : [];
  return names.length === 0 || (isRecord(data) && names.some((name) => name in data));
}

/** True for a 2xx that is no refusal and has an undocumented form. */
export function isNotAsDocumented(error: unknown): boolean {
  return error instanceof ChatUnreachableError && isUnknownForm(error.reason);
}

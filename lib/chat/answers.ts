import * as z from "zod/mini";
import { isRecord } from "../base/json.ts";
import { hasError, hasRefusedItem } from "./refusal.ts";
import type { Schema } from "./schema.ts";

/**
 * How answers are read: what identifies a thing must be there, everything else is optional. A known field of an
 * unexpected type reads as undefined, unknown fields are kept: after a request was carried out, an odd field must not
 * make it look failed.
 */

/** An optional field that reads as undefined when its type is not the expected one. */
export const maybe = <Output, Input>(schema: Schema<Output, Input>) =>
  z.optional(z.union([schema, z.transform(() => undefined)]));

/** A text field that may be absent. */
export const maybeText = () => maybe(z.string());

/**
 * A number that may come as a numeric string (unread counts, reason times:
 * docs/platform/ids-and-limits.md#numbers-as-texts) or be absent.
 */
export const maybeNumber = () =>
  maybe(
    z.pipe(
      z.transform((value: unknown) => (isNumeric(value) ? Number(value) : value)),
      z.number(),
    ),
  );

/** A flag that may be absent. */
export const maybeFlag = () => maybe(z.boolean());

/** A list of texts that may be absent. */
export const maybeTexts = () => maybe(z.array(z.string()));

/** An object of unknown fields that may be absent. */
export const maybeObject = () => maybe(record());

/** A list of objects with unknown fields that may be absent. */
export const maybeObjects = () => maybe(z.array(record()));

/** An object of unknown fields. */
export const record = () => z.custom<Record<string, unknown>>(isRecord);

/** An id that may come as a number (message ids differ by place: docs/platform/ids-and-limits.md#message-ids). */
export const anyId = () =>
  z.pipe(
    z.transform((value: unknown) => (typeof value === "number" ? String(value) : value)),
    z.string(),
  );

/**
 * Takes one object out of a one-element array (conversation examples:
 * docs/platform/ids-and-limits.md#what-examples-get-wrong).
 */
export const one = <Output, Input>(schema: Schema<Output, Input>): Schema<Output, unknown> =>
  z.pipe(
    z.transform((data: unknown) => (Array.isArray(data) && data.length === 1 ? data[0] : data)),
    schema,
  );

/** Says that the shape is not documented; what comes is passed on as it is. */
export const undocumented = () => z.unknown();

/** The answer of deletes and the like. */
export interface Acknowledgement {
  readonly success: boolean;
  readonly message?: string | undefined;
  readonly [field: string]: unknown;
}

const acknowledged = () =>
  z
    .looseObject({ success: z.boolean(), message: maybeText() })
    .check(z.refine((data) => !hasRefusedItem(data), "no item that is refused"));

/** Reads `{success, message}`. `Message` with a capital M is the same field (docs/platform/answers-and-errors.md#envelope). */
export const acknowledgement = (): Schema<Acknowledgement, unknown> =>
  z.pipe(
    z.transform((data: unknown) =>
      isRecord(data) && "Message" in data ? { message: data.Message, ...data } : data,
    ),
    acknowledged(),
  );

/** Reads `{success, message}`, or an object without `success` (flagging, in one catalogue version). */
export const looseAcknowledgement = (): Schema<Acknowledgement, unknown> =>
  z.pipe(
    z.transform((data: unknown) => (isRecord(data) ? { success: true, ...data } : data)),
    acknowledged(),
  );

/** What became of one item of a request that takes several. */
export interface ItemResult {
  readonly success: boolean;
  readonly message?: string | undefined;
  /** Why it failed; the key's name is inferred (docs/platform/answers-and-errors.md#results-per-item). */
  readonly error?: Record<string, unknown> | undefined;
  readonly data?: Record<string, unknown> | undefined;
  readonly [field: string]: unknown;
}

const itemResult = () =>
  z.pipe(
    z.transform((item: unknown) => (hasError(item) ? { ...item, success: false } : item)),
    z.looseObject({ success: z.boolean(), message: maybeText(), error: maybeObject(), data: maybeObject() }),
  );

/**
 * Reads results by uid, feature or trigger id; one failing item does not fail the request
 * (docs/platform/answers-and-errors.md#results-per-item).
 */
export const itemResults = (): Schema<Record<string, ItemResult>, unknown> => mapOf(itemResult());

/**
 * Reads an object whose values all have one shape; an empty list stands for no values (docs/platform/management.md#team).
 */
export function mapOf<Output, Input>(schema: Schema<Output, Input>): Schema<Record<string, Output>, unknown> {
  return z.pipe(
    z.transform((data: unknown, context) => {
      const read: Record<string, Output> = {};
      for (const [name, value] of Object.entries(isRecord(data) || Array.isArray(data) ? data : {})) {
        const result = z.safeParse(schema, value);
        if (result.success) read[name] = result.data;
        else
          context.issues.push({
            code: "custom",
            message: "an unexpected shape",
            path: [name],
            input: undefined,
          });
      }
      return read;
    }),
    z.custom<Record<string, Output>>(),
  );
}

function isNumeric(value: unknown): boolean {
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value);
}

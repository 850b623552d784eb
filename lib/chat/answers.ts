import * as z from "zod/mini";
import { isRecord } from "../base/json.ts";
import { hasError, hasRefusedItem } from "./judge-answer.ts";
import { type Field, list, looseObject, type Schema, toSchema, word } from "./schema.ts";

/**
 * Answers require only identifying fields. A known field of another type reads as undefined: a malformed
 * field must not make an executed request look failed.
 */

export const maybe = <Output, Input>(field: Field<Schema<Output, Input>>) =>
  z.optional(z.union([toSchema(field), z.transform(() => undefined)]));

export const maybeText = () => maybe(word);

/** Accepts a number or numeric text (docs/internals/platform/ids-and-limits.md#numbers-as-texts). */
export const maybeNumber = () =>
  maybe(
    z.pipe(
      z.transform((value: unknown) => (isNumeric(value) ? Number(value) : value)),
      z.number(),
    ),
  );

export const maybeFlag = () => maybe(z.boolean());

export const maybeTexts = () => maybe(list);

export const maybeObject = () => maybe(record);

export const maybeObjects = () => maybe(z.array(record()));

export const record = () => z.custom<Record<string, unknown>>(isRecord);

/** Accepts a text or a number (docs/internals/platform/ids-and-limits.md#message-ids). */
export const anyId = () =>
  z.pipe(
    z.transform((value: unknown) => (typeof value === "number" ? String(value) : value)),
    z.string(),
  );

/**
 * Accepts the value, or a list with it alone
 * (docs/internals/platform/ids-and-limits.md#what-examples-get-wrong).
 */
export const one = <Output, Input>(schema: Schema<Output, Input>): Schema<Output, unknown> =>
  z.pipe(
    z.transform((data: unknown) => (Array.isArray(data) && data.length === 1 ? data[0] : data)),
    schema,
  );

export const undocumented = () => z.unknown();

/** The answer of deletes and similar operations. */
export interface Acknowledgement {
  readonly success: boolean;
  readonly message?: string | undefined;
  readonly [field: string]: unknown;
}

const acknowledged = () =>
  looseObject({ success: z.boolean(), message: maybeText }).check(
    z.refine((data) => !hasRefusedItem(data), "no item that is refused"),
  );

/** Also reads `Message` with a capital M (docs/internals/platform/answers-and-errors.md#envelope). */
export const acknowledgement = (): Schema<Acknowledgement, unknown> =>
  z.pipe(
    z.transform((data: unknown) =>
      isRecord(data) && "Message" in data ? { message: data.Message, ...data } : data,
    ),
    acknowledged(),
  );

/** Also accepts an object without `success` (flagging, in one catalogue version). */
export const looseAcknowledgement = (): Schema<Acknowledgement, unknown> =>
  z.pipe(
    z.transform((data: unknown) => (isRecord(data) ? { success: true, ...data } : data)),
    acknowledged(),
  );

/** One item's result, in a request with several. */
export interface ItemResult {
  readonly success: boolean;
  readonly message?: string | undefined;
  /** The name is inferred (docs/internals/platform/answers-and-errors.md#results-per-item). */
  readonly error?: Record<string, unknown> | undefined;
  readonly data?: Record<string, unknown> | undefined;
  readonly [field: string]: unknown;
}

const itemResult = () =>
  z.pipe(
    z.transform((item: unknown) => (hasError(item) ? { ...item, success: false } : item)),
    looseObject({ success: z.boolean(), message: maybeText, error: maybeObject, data: maybeObject }),
  );

/**
 * Keyed by uid, feature or trigger id. One failed item does not fail the request
 * (docs/internals/platform/answers-and-errors.md#results-per-item).
 */
export const itemResults = (): Schema<Record<string, ItemResult>, unknown> => mapOf(itemResult());

/** Reads an empty list as an empty map (docs/internals/platform/management.md#team). */
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

function isNumeric(value: unknown) {
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value);
}

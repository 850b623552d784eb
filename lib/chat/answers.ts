import * as z from "zod/mini";
import type { Schema } from "./operation.ts";

/**
 * How answers are read: what identifies a thing must be there, everything else is optional. A known field of an
 * unexpected type reads as undefined, unknown fields are kept: after a call was carried out, an odd field must not
 * make it look failed.
 */

/** An optional field that reads as undefined when its type is not the expected one. */
export const maybe = <Output, Input>(schema: Schema<Output, Input>) => z.catch(z.optional(schema), undefined);

/** A text field that may be absent. */
export const text = () => maybe(z.string());

/** A number that may come as a numeric string (unread counts, reason times: platform facts: chat-api §3, §5) or be absent. */
export const number = () =>
  maybe(z.union([z.number(), z.pipe(z.string().check(z.regex(/^\d+(\.\d+)?$/)), z.transform(Number))]));

/** A flag that may be absent. */
export const flag = () => maybe(z.boolean());

/** An object of unknown fields that may be absent. */
export const object = () => maybe(z.record(z.string(), z.unknown()));

/** An id that may come as a number (message ids differ by place: platform facts: chat-api §5). */
export const id = () => z.pipe(z.union([z.string(), z.number()]), z.transform(String));

/** Takes one object out of a one-element array (conversation examples: platform facts: chat-api §9). */
export const one = <Output, Input>(schema: Schema<Output, Input>): Schema<Output> =>
  z.pipe(
    z.transform((data: unknown) => (Array.isArray(data) && data.length === 1 ? data[0] : data)),
    schema,
  );

/** The answer of deletes and the like. */
export interface Acknowledgement {
  success: boolean;
  message?: string | undefined;
  [field: string]: unknown;
}

/** Reads `{success, message}`; `Message` with a capital M is the same field (platform facts: chat-api §2). */
export const acknowledgement = (): Schema<Acknowledgement> =>
  z.pipe(
    z.transform((data: unknown) =>
      typeof data === "object" && data !== null && "Message" in data
        ? { message: data.Message, ...data }
        : data,
    ),
    z.looseObject({ success: z.boolean(), message: text() }),
  );

import * as z from "zod/mini";

/** Reads an id: text that is not empty; a number counts as its digits. */
export const id = scalar("an id (text)", (value) => {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
});

/** Reads text, which may be empty; a number counts as its digits. */
export const text = scalar("text", (value) => {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value : undefined;
});

/** Reads a number; the platform writes some of them as text, such as a file size of `"350.2"`. */
export const number = scalar("a number or its digits", toNumber);

/** Reads a truth value; the media layer writes `"true"` and `"false"` (docs/platform/events.md#truth-values). */
export const flag = scalar("true or false", (value) => {
  if (typeof value === "boolean") return value;
  if (value === "true") return true;
  return value === "false" ? false : undefined;
});

/** Reads seconds since 1970, as a number or as digits. */
export const seconds = scalar("seconds since 1970", (value) => toDate(toNumber(value), 1000));

/** Reads milliseconds since 1970, as a number or as digits. */
export const milliseconds = scalar("milliseconds since 1970", (value) => toDate(toNumber(value), 1));

/** Reads an object with the given fields and keeps unknown ones. Its type shows the given fields only. */
export function open<Shape extends z.core.$ZodShape>(shape: Shape): z.ZodMiniObject<Shape, z.core.$strip> {
  return z.looseObject(shape);
}

/** Reads an object whose content is the customer's or nobody's business here. */
export const anyObject = z.record(z.string(), z.unknown());

/**
 * Makes a field optional, and treats a value of an unexpected kind as absent.
 * For what decorates an event (names, avatars): a change there must not stop the event itself.
 */
export function decoration<Schema extends z.core.$ZodType>(schema: Schema) {
  return z.catch(z.optional(schema), undefined);
}

function scalar<Value>(expected: string, read: (value: unknown) => Value | undefined) {
  return z.transform((value: unknown, context): Value => {
    const found = read(value);
    if (found !== undefined) return found;
    context.issues.push({ code: "custom", message: expected, input: value });
    return z.NEVER;
  });
}

function toNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

function toDate(amount: number | undefined, unitMs: number): Date | undefined {
  const date = new Date(amount === undefined ? Number.NaN : amount * unitMs);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

import * as z from "zod/mini";
import { checkCall } from "../chat/check-call.ts";
import type { Schema } from "../chat/schema.ts";

/**
 * Checks what an effect is made of, when it is made: what is wrong then is wrong each time, so that an event for which it
 * happens is buried at once, and its cause says which effect and which field.
 * @param shape the fields, by their schemas: none other is known
 * @throws InvalidInputError
 */
export function checkEffect(effect: string, given: unknown, shape: Readonly<Record<string, Schema>>): void {
  checkCall(effect, "what it is given", z.strictObject(shape), given);
}

/** Makes the schema of a field that may be left out. */
export const textOrNone = () => z.optional(z.string());

/** Makes the schema of a list of texts that may be left out. */
export const textsOrNone = () => z.optional(z.array(z.string()));

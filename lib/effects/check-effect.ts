import * as z from "zod/mini";
import { checkCall } from "../chat/check-call.ts";
import type { Schema } from "../chat/schema.ts";

/**
 * Checks the input of an effect when it is created. Invalid input never becomes valid, so its event is
 * dead-lettered immediately; the cause names the effect and the field.
 * @param shape schemas by field; other fields are rejected
 * @throws InvalidInputError
 */
export function checkEffect(effect: string, given: unknown, shape: Readonly<Record<string, Schema>>): void {
  checkCall(effect, "what it is given", z.strictObject(shape), given);
}

export const textOrNone = () => z.optional(z.string());

export const textsOrNone = () => z.optional(z.array(z.string()));

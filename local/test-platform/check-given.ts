import * as z from "zod/mini";
import { checkCall } from "../../lib/chat/check-call.ts";

/** @throws InvalidInputError naming the first that is no text */
export function checkTexts(call: string, given: Readonly<Record<string, unknown>>): void {
  for (const [name, text] of Object.entries(given)) checkCall(call, name, z.string(), text);
}

/** @throws InvalidInputError for neither a text nor undefined */
export function checkTextOrNone(call: string, name: string, text: unknown): void {
  checkCall(call, name, z.optional(z.string()), text);
}

/** Not the values. @throws InvalidInputError, also for an unknown key */
export function checkFieldNames(
  call: string,
  argument: string,
  names: readonly string[],
  given: unknown,
): void {
  const shape = Object.fromEntries(names.map((name) => [name, z.optional(z.unknown())]));
  checkCall(call, argument, z.strictObject(shape), given);
}

import * as z from "zod/mini";
import { checkCall } from "../../lib/chat/check-call.ts";

/** Checks arguments that are texts: undefined is none. @throws InvalidInputError naming the first that is not */
export function checkTexts(call: string, given: Readonly<Record<string, unknown>>): void {
  for (const [name, text] of Object.entries(given)) checkCall(call, name, z.string(), text);
}

/** Checks an argument that is a text, or left out. @throws InvalidInputError */
export function checkTextOrNone(call: string, name: string, text: unknown): void {
  checkCall(call, name, z.optional(z.string()), text);
}

/** Checks an object of these names, whatever they hold. @throws InvalidInputError for another name, too */
export function checkFieldNames(
  call: string,
  argument: string,
  names: readonly string[],
  given: unknown,
): void {
  const shape = Object.fromEntries(names.map((name) => [name, z.optional(z.unknown())]));
  checkCall(call, argument, z.strictObject(shape), given);
}

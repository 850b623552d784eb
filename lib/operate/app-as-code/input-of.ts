import { checkInput } from "../../chat/check-input.ts";
import type { Schema } from "../../chat/schema.ts";

/**
 * Checks an operation's input of unknown type.
 * @throws InvalidInputError naming the field and the rule
 */
export function inputOf<Output>(
  operation: { readonly id: string; readonly input: () => Schema<Output> },
  value: unknown,
): Output {
  return checkInput(operation.id, operation.input(), value);
}

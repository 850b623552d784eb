import { checkInput } from "../../chat/check-input.ts";
import type { Schema } from "../../chat/schema.ts";

/**
 * Checks what is sent with an operation, for values of which nobody knows the type yet.
 * @throws InvalidInputError naming the field and the rule
 */
export function inputOf<Output>(
  operation: { readonly id: string; readonly input: () => Schema<Output> },
  value: unknown,
): Output {
  return checkInput(operation.id, operation.input(), value);
}

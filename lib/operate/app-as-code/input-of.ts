import { checkInput } from "../../chat/check-input.ts";
import type { Schema } from "../../chat/schema.ts";

/** @throws InvalidInputError naming the field and the rule */
export function inputOf<Output>(
  operation: { readonly id: string; readonly input: () => Schema<Output> },
  value: unknown,
): Output {
  return checkInput(operation.id, operation.input(), value);
}

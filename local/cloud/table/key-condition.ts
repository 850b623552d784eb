import type { AttributeValue } from "./attribute-value.ts";
import { parseCondition } from "./condition-parser.ts";
import type { Condition, Operand } from "./expression.ts";
import type { Placeholders } from "./expression-reader.ts";
import { invalid } from "./invalid.ts";
import type { KeySchema } from "./table-keys.ts";

/**
 * Parses the key condition of a query: the hash key's value, and a condition on the range key.
 * @throws AwsError for any other condition
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.KeyConditionExpressions.html
 */
export function readKeyCondition(
  text: string,
  placeholders: Placeholders,
  { hash, range }: KeySchema,
): { hashValue: AttributeValue; condition: Condition } {
  const condition = parseCondition(text, "KeyConditionExpression", placeholders);
  const parts = condition.kind === "and" ? condition.parts : [condition];
  let hashValue: AttributeValue | undefined;
  for (const part of parts) {
    const name = attributeOf(part);
    if (name === hash.name && part.kind === "compare" && part.comparator === "=") {
      if (part.right.kind === "value") hashValue = part.right.value;
    } else if (name === undefined || name !== range?.name) {
      throw invalid("Query key condition not supported");
    }
  }
  if (hashValue === undefined) throw invalid(`Query condition missed key schema element: ${hash.name}`);
  if (parts.length > 2) throw invalid("Conditions must be of length 1 or 2");
  return { hashValue, condition };
}

/** Returns the attribute of a comparison; undefined if the comparison is not allowed in a key condition. */
function attributeOf(condition: Condition): string | undefined {
  switch (condition.kind) {
    case "compare":
      return condition.comparator === "<>" ? undefined : nameOf(condition.left);
    case "beginsWith":
      return nameOf(condition.left);
    case "between":
      return nameOf(condition.operand);
    default:
      return undefined;
  }
}

function nameOf(operand: Operand): string | undefined {
  const [name, ...rest] = operand.kind === "path" ? operand.path : [];
  return typeof name === "string" && rest.length === 0 ? name : undefined;
}

import type { AttributeValue } from "./attribute-value.ts";
import { type Condition, parseCondition } from "./condition.ts";
import type { Placeholders } from "./expression-reader.ts";
import { invalid } from "./invalid.ts";
import type { KeySchema } from "./table-keys.ts";

/**
 * @throws AwsError for any other condition
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.KeyConditionExpressions.html
 */
export function readKeyCondition(
  text: string,
  placeholders: Placeholders,
  { hash, range }: KeySchema,
): { hashValue: AttributeValue; condition: Condition } {
  const condition = parseCondition(text, "KeyConditionExpression", placeholders);
  const parts = condition.all ?? [condition];
  const ofHash = parts.find(({ attribute, equals }) => attribute === hash.name && equals !== undefined);
  const isAllowed = (part: Condition) =>
    part === ofHash || (part.attribute !== undefined && part.attribute === range?.name);
  if (!parts.every(isAllowed)) throw invalid("Query key condition not supported");
  if (ofHash?.equals === undefined) throw invalid(`Query condition missed key schema element: ${hash.name}`);
  if (parts.length > 2) throw invalid("Conditions must be of length 1 or 2");
  return { hashValue: ofHash.equals, condition };
}

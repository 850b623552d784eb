import type { Comparator, Condition } from "./expression.ts";
import { ExpressionReader, type Placeholders } from "./expression-reader.ts";
import type { Path } from "./path.ts";

/**
 * Parses a condition, filter or key condition.
 * @throws AwsError for a syntax error
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html
 */
export function parseCondition(text: string, kind: string, placeholders: Placeholders): Condition {
  const reader = new ExpressionReader(text, kind, placeholders);
  const condition = either(reader);
  reader.end();
  return condition;
}

/** Parses the paths of a projection. @throws AwsError for a syntax error */
export function parseProjection(text: string, placeholders: Placeholders): Path[] {
  const reader = new ExpressionReader(text, "ProjectionExpression", placeholders);
  const paths = [reader.path()];
  while (reader.takes(",")) paths.push(reader.path());
  reader.end();
  return paths;
}

function either(reader: ExpressionReader): Condition {
  const parts = [both(reader)];
  while (reader.takes("OR")) parts.push(both(reader));
  return parts.length === 1 && parts[0] ? parts[0] : { kind: "or", parts };
}

function both(reader: ExpressionReader): Condition {
  const parts = [single(reader)];
  while (reader.takes("AND")) parts.push(single(reader));
  return parts.length === 1 && parts[0] ? parts[0] : { kind: "and", parts };
}

function single(reader: ExpressionReader): Condition {
  if (reader.takes("NOT")) return { kind: "not", part: single(reader) };
  if (reader.takes("(")) {
    const inner = either(reader);
    reader.demand(")");
    return inner;
  }
  return testFunction(reader) ?? comparison(reader);
}

function testFunction(reader: ExpressionReader): Condition | undefined {
  const closed = (condition: Condition) => {
    reader.demand(")");
    return condition;
  };
  if (reader.takesFunction("attribute_exists")) {
    return closed({ kind: "exists", path: reader.path(), isWanted: true });
  }
  if (reader.takesFunction("attribute_not_exists")) {
    return closed({ kind: "exists", path: reader.path(), isWanted: false });
  }
  if (reader.takesFunction("attribute_type")) {
    const path = reader.path();
    reader.demand(",");
    return closed({ kind: "type", path, type: reader.operand() });
  }
  for (const [name, kind] of [
    ["begins_with", "beginsWith"],
    ["contains", "contains"],
  ] as const) {
    if (!reader.takesFunction(name)) continue;
    const left = reader.operand();
    reader.demand(",");
    return closed({ kind, left, right: reader.operand() });
  }
  return undefined;
}

const comparators: readonly Comparator[] = ["=", "<>", "<", "<=", ">", ">="];

function comparison(reader: ExpressionReader): Condition {
  const left = reader.operand();
  if (reader.takes("BETWEEN")) {
    const low = reader.operand();
    reader.demand("AND");
    return { kind: "between", operand: left, low, high: reader.operand() };
  }
  if (reader.takes("IN")) {
    reader.demand("(");
    const candidates = [reader.operand()];
    while (reader.takes(",")) candidates.push(reader.operand());
    reader.demand(")");
    return { kind: "in", operand: left, candidates };
  }
  const comparator = comparators.find((sign) => reader.takes(sign));
  if (comparator === undefined) throw reader.error();
  return { kind: "compare", comparator, left, right: reader.operand() };
}

import { type AttributeValue, type Item, typeOf } from "./attribute-value.ts";
import type { ExpressionReader } from "./expression-reader.ts";
import { invalid } from "./invalid.ts";
import { type Path, valueAt, withValueAt } from "./path.ts";

export interface UpdateAction {
  readonly path: Path;
  /** Computes the value from the item before the update; undefined removes it. */
  next(before: Item): AttributeValue | undefined;
}

export function applyUpdate(before: Item, actions: readonly UpdateAction[]): Item {
  return actions.reduce((item, { path, next }) => withValueAt(item, path, next(before)), before);
}

const clauses: Readonly<Record<string, (reader: ExpressionReader, path: Path) => UpdateAction["next"]>> = {
  SET(reader) {
    reader.demand("=");
    return readSum(reader);
  },
  REMOVE: () => () => undefined,
  ADD(reader, path) {
    const more = reader.value();
    return (before) => {
      const old = valueAt(before, path);
      return old === undefined ? more : sum(old, "ADD", more);
    };
  },
};

/**
 * Reads SET, REMOVE and ADD, each at most once.
 * @throws AwsError for a syntax error, or paths of which one contains the other
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.UpdateExpressions.html
 */
export function readUpdate(reader: ExpressionReader): UpdateAction[] {
  const actions: UpdateAction[] = [];
  const ahead = new Map(Object.entries(clauses));
  while (!reader.isAtEnd) {
    const [clause, read] = [...ahead].find(([word]) => reader.takes(word)) ?? [];
    if (clause === undefined || read === undefined) throw reader.error();
    ahead.delete(clause);
    const ofClause = reader.list(() => {
      const path = reader.path();
      return { path, next: read(reader, path) };
    });
    actions.push(...ofClause);
  }
  refuseOverlaps(actions.map(({ path }) => path.join(".")));
  return actions;
}

type Read = (before: Item) => AttributeValue;

function readSum(reader: ExpressionReader): Read {
  const left = readTerm(reader);
  const sign = ["+", "-"].find((one) => reader.takes(one));
  if (sign === undefined) return left;
  const right = readTerm(reader);
  return (before) => sum(left(before), sign, right(before));
}

function readTerm(reader: ExpressionReader): Read {
  if (reader.takesFunction("if_not_exists")) {
    const path = reader.path();
    reader.demand(",");
    const otherwise = readTerm(reader);
    reader.demand(")");
    return (before) => valueAt(before, path) ?? otherwise(before);
  }
  if (reader.takesFunction("list_append")) {
    const first = readTerm(reader);
    reader.demand(",");
    const second = readTerm(reader);
    reader.demand(")");
    return (before) => {
      const [one, other] = [first(before), second(before)];
      if ("L" in one && "L" in other) return { L: [...one.L, ...other.L] };
      throw wrongType("list_append", other);
    };
  }
  const { read } = reader.operand();
  return (before) => {
    const value = read(before);
    if (value !== undefined) return value;
    throw invalid("The provided expression refers to an attribute that does not exist in the item");
  };
}

function refuseOverlaps(paths: readonly string[]) {
  for (const [index, one] of paths.entries()) {
    const other = paths.find((path, place) => place !== index && `${path}.`.startsWith(`${one}.`));
    if (other === undefined) continue;
    throw invalid(
      `Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [${one}], path two: [${other}]`,
    );
  }
}

function sum(one: AttributeValue, operator: string, other: AttributeValue): AttributeValue {
  if (!("N" in one && "N" in other)) throw wrongType(operator, other);
  const result = Number(one.N) + (operator === "-" ? -1 : 1) * Number(other.N);
  // Decimal, as in DynamoDB: 0.1 and 0.2 are 0.3.
  return { N: String(Number.isInteger(result) ? result : Number(result.toPrecision(15))) };
}

function wrongType(operator: string, operand: AttributeValue) {
  return invalid(
    `An operand in the update expression has an incorrect data type; operator: ${operator}, operand type: ${typeOf(operand)}`,
  );
}

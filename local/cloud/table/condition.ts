import { type AttributeValue, areEqual, compareValues, type Item, typeOf } from "./attribute-value.ts";
import type { ExpressionReader, Operand } from "./expression-reader.ts";
import { invalid } from "./invalid.ts";
import type { KeySchema } from "./table-keys.ts";

export interface Condition {
  holds(item: Item): boolean;
  readonly all?: readonly Condition[];
  /** Set if a key condition may use this comparison. */
  readonly attribute?: string | undefined;
  readonly equals?: AttributeValue | undefined;
}

/**
 * @throws AwsError for a syntax error
 * @see
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html
 */
export function readCondition(reader: ExpressionReader): Condition {
  const parts = reader.list(() => readAll(reader), "OR");
  const [only] = parts;
  return only && parts.length === 1 ? only : { holds: (item) => parts.some((part) => part.holds(item)) };
}

/**
 * @throws AwsError for any other condition
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.KeyConditionExpressions.html
 */
export function readKeyCondition(reader: ExpressionReader, { hash, range }: KeySchema) {
  const condition = readCondition(reader);
  const parts = condition.all ?? [condition];
  const ofHash = parts.find(({ attribute, equals }) => attribute === hash.name && equals !== undefined);
  const isAllowed = (part: Condition) =>
    part === ofHash || (part.attribute !== undefined && part.attribute === range?.name);
  if (!parts.every(isAllowed)) throw invalid("Query key condition not supported");
  if (ofHash?.equals === undefined) throw invalid(`Query condition missed key schema element: ${hash.name}`);
  if (parts.length > 2) throw invalid("Conditions must be of length 1 or 2");
  return { hashValue: ofHash.equals, condition };
}

function readAll(reader: ExpressionReader): Condition {
  const all = reader.list(() => readOne(reader), "AND");
  const [only] = all;
  return only && all.length === 1 ? only : { all, holds: (item) => all.every((part) => part.holds(item)) };
}

function readOne(reader: ExpressionReader): Condition {
  if (reader.takes("NOT")) {
    const part = readOne(reader);
    return { holds: (item) => !part.holds(item) };
  }
  if (reader.takes("(")) {
    const inner = readCondition(reader);
    reader.demand(")");
    return inner;
  }
  return readTest(reader) ?? readComparison(reader);
}

type Value = AttributeValue | undefined;

const functions: Readonly<Record<string, (value: Value, argument: Value) => boolean>> = {
  attribute_exists: (value) => value !== undefined,
  attribute_not_exists: (value) => value === undefined,
  attribute_type: (value, type) => value !== undefined && typeOf(value) === (type && "S" in type && type.S),
  begins_with: beginsWith,
  contains,
};

function readTest(reader: ExpressionReader): Condition | undefined {
  const [name, test] = Object.entries(functions).find(([one]) => reader.takesFunction(one)) ?? [];
  if (name === undefined || test === undefined) return undefined;
  const value = reader.operand();
  if (name.startsWith("attribute") && value.path === undefined) throw reader.error();
  if (test.length === 2) reader.demand(",");
  const argument = test.length === 2 ? reader.operand() : undefined;
  reader.demand(")");
  return {
    holds: (item) => test(value.read(item), argument?.read(item)),
    attribute: name === "begins_with" ? attributeOf(value) : undefined,
  };
}

function readComparison(reader: ExpressionReader): Condition {
  const left = reader.operand();
  const attribute = attributeOf(left);
  if (reader.takes("BETWEEN")) {
    const low = reader.operand();
    reader.demand("AND");
    const high = reader.operand();
    const holds = (item: Item) =>
      compares(left.read(item), ">=", low.read(item)) && compares(left.read(item), "<=", high.read(item));
    return { holds, attribute };
  }
  if (reader.takes("IN")) {
    reader.demand("(");
    const candidates = reader.list(() => reader.operand());
    reader.demand(")");
    return { holds: (item) => candidates.some((one) => compares(left.read(item), "=", one.read(item))) };
  }
  const sign = ["=", "<>", ...Object.keys(orders)].find((one) => reader.takes(one));
  if (sign === undefined) throw reader.error();
  const right = reader.operand();
  return {
    holds: (item) => compares(left.read(item), sign, right.read(item)),
    ...(sign !== "<>" && { attribute }),
    ...(sign === "=" && { equals: right.value }),
  };
}

function attributeOf({ path = [] }: Operand) {
  return path.length === 1 ? path[0] : undefined;
}

const orders: Readonly<Record<string, (order: number) => boolean>> = {
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

function compares(left: Value, sign: string, right: Value) {
  // A missing attribute differs from every value.
  if (left === undefined || right === undefined) return sign === "<>" && left !== right;
  if (sign === "=") return areEqual(left, right);
  if (sign === "<>") return !areEqual(left, right);
  const order = compareValues(left, right);
  return order !== undefined && orders[sign]?.(order) === true;
}

function beginsWith(value: Value, start: Value) {
  if (value === undefined || start === undefined) return false;
  if ("S" in value && "S" in start) return value.S.startsWith(start.S);
  if (!("B" in value && "B" in start)) return false;
  const bytes = Buffer.from(start.B, "base64");
  return Buffer.from(value.B, "base64").subarray(0, bytes.length).equals(bytes);
}

function contains(whole: Value, part: Value) {
  if (whole === undefined || part === undefined) return false;
  if ("S" in whole && "S" in part) return whole.S.includes(part.S);
  return "L" in whole && whole.L.some((one) => areEqual(one, part));
}

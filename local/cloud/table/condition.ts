import { type AttributeValue, areEqual, compareValues, type Item, setIn, typeOf } from "./attribute-value.ts";
import { ExpressionReader, type Placeholders } from "./expression-reader.ts";
import type { Path } from "./path.ts";

/** A condition, with what the key condition of a query is judged by. */
export interface Condition {
  /** A missing item counts as empty. */
  holds(item: Item): boolean;
  /** The conditions that must all hold, if there are several. */
  readonly all?: readonly Condition[];
  /** Compared in a way that a key condition may. */
  readonly attribute?: string | undefined;
  /** The attribute must equal it. */
  readonly equals?: AttributeValue | undefined;
}

/**
 * @throws AwsError for a syntax error
 * @see
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html
 */
export function parseCondition(text: string, kind: string, placeholders: Placeholders): Condition {
  const reader = new ExpressionReader(text, kind, placeholders);
  const condition = either(reader);
  reader.end();
  return condition;
}

/** @throws AwsError for a syntax error */
export function parseProjection(text: string, placeholders: Placeholders): Path[] {
  const reader = new ExpressionReader(text, "ProjectionExpression", placeholders);
  const paths = reader.list(() => reader.path());
  reader.end();
  return paths;
}

function either(reader: ExpressionReader): Condition {
  const parts = reader.list(() => both(reader), "OR");
  const [only] = parts;
  return only && parts.length === 1 ? only : { holds: (item) => parts.some((part) => part.holds(item)) };
}

function both(reader: ExpressionReader): Condition {
  const all = reader.list(() => single(reader), "AND");
  const [only] = all;
  return only && all.length === 1 ? only : { all, holds: (item) => all.every((part) => part.holds(item)) };
}

function single(reader: ExpressionReader): Condition {
  if (reader.takes("NOT")) {
    const part = single(reader);
    return { holds: (item) => !part.holds(item) };
  }
  if (reader.takes("(")) {
    const inner = either(reader);
    reader.demand(")");
    return inner;
  }
  return testFunction(reader) ?? comparison(reader);
}

type Value = AttributeValue | undefined;

const functions: Readonly<Record<string, (value: Value, argument: Value) => boolean>> = {
  attribute_exists: (value) => value !== undefined,
  attribute_not_exists: (value) => value === undefined,
  attribute_type: (value, type) => value !== undefined && typeOf(value) === (type && "S" in type && type.S),
  begins_with: beginsWith,
  contains,
};

function testFunction(reader: ExpressionReader): Condition | undefined {
  for (const [name, test] of Object.entries(functions)) {
    if (!reader.takesFunction(name)) continue;
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
  return undefined;
}

function comparison(reader: ExpressionReader): Condition {
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

/** The name of an operand that is a whole attribute. */
function attributeOf({ path = [] }: { readonly path?: Path | undefined }): string | undefined {
  const [name, ...rest] = path;
  return typeof name === "string" && rest.length === 0 ? name : undefined;
}

const orders: Readonly<Record<string, (order: number) => boolean>> = {
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

function compares(left: Value, sign: string, right: Value): boolean {
  // A missing attribute differs from every value.
  if (left === undefined || right === undefined) return sign === "<>" && left !== right;
  if (sign === "=") return areEqual(left, right);
  if (sign === "<>") return !areEqual(left, right);
  const order = compareValues(left, right);
  return order !== undefined && orders[sign]?.(order) === true;
}

function beginsWith(value: Value, start: Value): boolean {
  if (value === undefined || start === undefined) return false;
  if ("S" in value && "S" in start) return value.S.startsWith(start.S);
  if (!("B" in value && "B" in start)) return false;
  const bytes = Buffer.from(start.B, "base64");
  return Buffer.from(value.B, "base64").subarray(0, bytes.length).equals(bytes);
}

function contains(whole: Value, part: Value): boolean {
  if (whole === undefined || part === undefined) return false;
  if ("S" in whole && "S" in part) return whole.S.includes(part.S);
  const set = setIn(whole);
  if (set) return `${typeOf(part)}S` === set.type && set.members.includes(String(Object.values(part)[0]));
  return "L" in whole && whole.L.some((one) => areEqual(one, part));
}

import {
  type AttributeValue,
  areEqual,
  compareValues,
  type Item,
  lengthOf,
  setIn,
  typeOf,
} from "./attribute-value.ts";
import type { Comparator, Condition, Operand } from "./expression.ts";
import { valueAt } from "./path.ts";

/** Whether an item meets a condition; a missing item counts as empty. */
export function meets(item: Item, condition: Condition): boolean {
  switch (condition.kind) {
    case "and":
      return condition.parts.every((part) => meets(item, part));
    case "or":
      return condition.parts.some((part) => meets(item, part));
    case "not":
      return !meets(item, condition.part);
    case "exists":
      return (valueAt(item, condition.path) !== undefined) === condition.isWanted;
    case "type": {
      const value = valueAt(item, condition.path);
      const type = resolve(item, condition.type);
      return value !== undefined && type !== undefined && "S" in type && typeOf(value) === type.S;
    }
    case "compare":
      return compares(resolve(item, condition.left), condition.comparator, resolve(item, condition.right));
    case "between": {
      const value = resolve(item, condition.operand);
      const [low, high] = [resolve(item, condition.low), resolve(item, condition.high)];
      return compares(value, ">=", low) && compares(value, "<=", high);
    }
    case "in": {
      const value = resolve(item, condition.operand);
      return condition.candidates.some((candidate) => compares(value, "=", resolve(item, candidate)));
    }
    case "beginsWith": {
      const [value, start] = [resolve(item, condition.left), resolve(item, condition.right)];
      if (value === undefined || start === undefined) return false;
      if ("S" in value && "S" in start) return value.S.startsWith(start.S);
      if (!("B" in value && "B" in start)) return false;
      const bytes = Buffer.from(start.B, "base64");
      return Buffer.from(value.B, "base64").subarray(0, bytes.length).equals(bytes);
    }
    case "contains":
      return contains(resolve(item, condition.left), resolve(item, condition.right));
  }
}

/** Returns the value of an operand for an item; undefined if there is none. */
export function resolve(item: Item, operand: Operand): AttributeValue | undefined {
  switch (operand.kind) {
    case "value":
      return operand.value;
    case "path":
      return valueAt(item, operand.path);
    case "size": {
      const value = valueAt(item, operand.path);
      const length = value && lengthOf(value);
      return length === undefined ? undefined : { N: String(length) };
    }
  }
}

function compares(
  left: AttributeValue | undefined,
  comparator: Comparator,
  right: AttributeValue | undefined,
): boolean {
  // A missing attribute differs from every value.
  if (left === undefined || right === undefined) return comparator === "<>" && left !== right;
  if (comparator === "=") return areEqual(left, right);
  if (comparator === "<>") return !areEqual(left, right);
  const order = compareValues(left, right);
  if (order === undefined) return false;
  switch (comparator) {
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
  }
}

function contains(whole: AttributeValue | undefined, part: AttributeValue | undefined): boolean {
  if (whole === undefined || part === undefined) return false;
  if ("S" in whole && "S" in part) return whole.S.includes(part.S);
  const set = setIn(whole);
  if (set) return `${typeOf(part)}S` === set.type && set.members.includes(String(Object.values(part)[0]));
  if ("L" in whole) return whole.L.some((one) => areEqual(one, part));
  return false;
}

import { type AttributeValue, type Item, setIn, typeOf, writeSet } from "./attribute-value.ts";
import { addNumbers, subtractNumbers } from "./decimal.ts";
import { resolve } from "./evaluate.ts";
import type { SetValue, UpdateAction } from "./expression.ts";
import { invalid } from "./invalid.ts";
import { valueAt, withoutValueAt, withValueAt } from "./path.ts";

/**
 * Returns the item after an update. Every value is read from the item before the update.
 * @throws AwsError if a value is missing or has a wrong type
 */
export function applyUpdate(before: Item, actions: readonly UpdateAction[]): Item {
  let item = before;
  // Removing an element moves the later ones, so the last one is removed first.
  const removals = actions.filter(({ kind }) => kind === "remove").toReversed();
  for (const action of [...actions.filter(({ kind }) => kind !== "remove"), ...removals]) {
    item = applied(item, before, action);
  }
  return item;
}

function applied(item: Item, before: Item, action: UpdateAction): Item {
  switch (action.kind) {
    case "set":
      return withValueAt(item, action.path, evaluate(before, action.value));
    case "remove":
      return withoutValueAt(item, action.path);
    case "add": {
      const old = valueAt(before, action.path);
      return withValueAt(item, action.path, old === undefined ? action.value : added(old, action.value));
    }
    case "delete": {
      const old = valueAt(before, action.path);
      if (old === undefined) return item;
      const rest = without(old, action.value);
      return rest === undefined ? withoutValueAt(item, action.path) : withValueAt(item, action.path, rest);
    }
  }
}

function evaluate(item: Item, value: SetValue): AttributeValue {
  switch (value.kind) {
    case "ifNotExists":
      return valueAt(item, value.path) ?? evaluate(item, value.otherwise);
    case "append": {
      const [first, second] = [evaluate(item, value.first), evaluate(item, value.second)];
      if ("L" in first && "L" in second) return { L: [...first.L, ...second.L] };
      throw wrongType("list_append");
    }
    case "sum": {
      const [left, right] = [evaluate(item, value.left), evaluate(item, value.right)];
      if (!("N" in left && "N" in right)) throw wrongType(value.sign);
      return { N: value.sign === "+" ? addNumbers(left.N, right.N) : subtractNumbers(left.N, right.N) };
    }
    default: {
      const resolved = resolve(item, value);
      if (resolved !== undefined) return resolved;
      throw invalid("The provided expression refers to an attribute that does not exist in the item");
    }
  }
}

function added(old: AttributeValue, more: AttributeValue): AttributeValue {
  if ("N" in old && "N" in more) return { N: addNumbers(old.N, more.N) };
  const { type, one, other } = setsIn("ADD", old, more);
  return writeSet({ type, members: [...new Set([...one, ...other])] });
}

/** Returns undefined if nothing is left of a set. */
function without(old: AttributeValue, less: AttributeValue): AttributeValue | undefined {
  const { type, one, other } = setsIn("DELETE", old, less);
  const members = one.filter((member) => !other.includes(member));
  return members.length > 0 ? writeSet({ type, members }) : undefined;
}

function setsIn(operator: string, old: AttributeValue, operand: AttributeValue) {
  const [one, other] = [setIn(old), setIn(operand)];
  if (one === undefined || one.type !== other?.type) throw wrongType(operator, operand);
  return { type: one.type, one: one.members, other: other.members };
}

function wrongType(operator: string, value?: AttributeValue) {
  const type = value ? `, operand type: ${typeOf(value)}` : "";
  return invalid(
    `An operand in the update expression has an incorrect data type; operator: ${operator}${type}`,
  );
}

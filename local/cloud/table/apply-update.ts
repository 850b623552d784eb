import { type AttributeValue, type Item, typeOf } from "./attribute-value.ts";
import { addNumbers, subtractNumbers } from "./decimal.ts";
import { resolve } from "./evaluate.ts";
import type { SetValue, UpdateAction } from "./expression.ts";
import { invalid } from "./invalid.ts";
import { valueAt, withoutValueAt, withValueAt } from "./path.ts";

/**
 * Gives the item after an update. Every value is taken from the item as it was before.
 * @throws AwsError when a value is not there or of a type that cannot be added to
 */
export function applyUpdate(before: Item, actions: readonly UpdateAction[]): Item {
  let item = before;
  // Places in lists move when an earlier one is removed, so the last one goes first.
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
      const rest = old && without(old, action.value);
      if (old === undefined) return item;
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
  if ("SS" in old && "SS" in more) return { SS: [...new Set([...old.SS, ...more.SS])] };
  if ("NS" in old && "NS" in more) return { NS: [...new Set([...old.NS, ...more.NS])] };
  if ("BS" in old && "BS" in more) return { BS: [...new Set([...old.BS, ...more.BS])] };
  throw wrongType("ADD", more);
}

/** Gives undefined when nothing is left of a set. */
function without(old: AttributeValue, less: AttributeValue): AttributeValue | undefined {
  const rest = (set: readonly string[], gone: readonly string[]) => {
    const left = set.filter((one) => !gone.includes(one));
    return left.length > 0 ? left : undefined;
  };
  if ("SS" in old && "SS" in less) {
    const SS = rest(old.SS, less.SS);
    return SS && { SS };
  }
  if ("NS" in old && "NS" in less) {
    const NS = rest(old.NS, less.NS);
    return NS && { NS };
  }
  if ("BS" in old && "BS" in less) {
    const BS = rest(old.BS, less.BS);
    return BS && { BS };
  }
  throw wrongType("DELETE", less);
}

function wrongType(operator: string, value?: AttributeValue) {
  const type = value ? `, operand type: ${typeOf(value)}` : "";
  return invalid(
    `An operand in the update expression has an incorrect data type; operator: ${operator}${type}`,
  );
}

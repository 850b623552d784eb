import { type AttributeValue, type Item, setIn, typeOf, writeSet } from "./attribute-value.ts";
import { addNumbers, subtractNumbers } from "./decimal.ts";
import { ExpressionReader, type Placeholders } from "./expression-reader.ts";
import { invalid } from "./invalid.ts";
import { type Path, valueAt, withValueAt, writePath } from "./path.ts";

export interface UpdateAction {
  readonly path: Path;
  /** From the item before the update; undefined removes the place. @throws AwsError */
  next(before: Item): AttributeValue | undefined;
  /** Whether it is a REMOVE. */
  readonly removes: boolean;
}

/** @throws AwsError if a value is missing or has a wrong type */
export function applyUpdate(before: Item, actions: readonly UpdateAction[]): Item {
  // Removing an element moves the later ones: last first.
  const removals = actions.filter(({ removes }) => removes).toReversed();
  return [...actions.filter(({ removes }) => !removes), ...removals].reduce(
    (item, { path, next }) => withValueAt(item, path, next(before)),
    before,
  );
}

const clauses: Readonly<Record<string, (reader: ExpressionReader, path: Path) => UpdateAction["next"]>> = {
  SET(reader) {
    reader.demand("=");
    return setValue(reader);
  },
  REMOVE: () => () => undefined,
  ADD(reader, path) {
    const more = reader.value();
    return (before) => {
      const old = valueAt(before, path);
      return old === undefined ? more : added(old, more);
    };
  },
  DELETE(reader, path) {
    const less = reader.value();
    return (before) => {
      const old = valueAt(before, path);
      return old && without(old, less);
    };
  },
};

/**
 * SET, REMOVE, ADD and DELETE, each at most once.
 * @throws AwsError for a syntax error, or paths of which one contains the other
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.UpdateExpressions.html
 */
export function parseUpdate(text: string, placeholders: Placeholders): UpdateAction[] {
  const reader = new ExpressionReader(text, "UpdateExpression", placeholders);
  const actions: UpdateAction[] = [];
  const seen = new Set<string>();
  while (!reader.isAtEnd) {
    const [clause, read] = Object.entries(clauses).find(([word]) => reader.takes(word)) ?? [];
    if (clause === undefined || read === undefined) throw reader.error();
    if (seen.has(clause)) {
      throw invalid(
        `Invalid UpdateExpression: The "${clause}" section can only be used once in an update expression;`,
      );
    }
    seen.add(clause);
    const ofClause = reader.list(() => {
      const path = reader.path();
      return { path, next: read(reader, path), removes: clause === "REMOVE" };
    });
    actions.push(...ofClause);
  }
  refuseOverlaps(actions.map(({ path }) => path));
  return actions;
}

type Read = (before: Item) => AttributeValue;

function setValue(reader: ExpressionReader): Read {
  const left = setTerm(reader);
  const sign = ["+", "-"].find((one) => reader.takes(one));
  if (sign === undefined) return left;
  const right = setTerm(reader);
  return (before) => {
    const [one, other] = [left(before), right(before)];
    if (!("N" in one && "N" in other)) throw wrongType(sign);
    return { N: sign === "+" ? addNumbers(one.N, other.N) : subtractNumbers(one.N, other.N) };
  };
}

function setTerm(reader: ExpressionReader): Read {
  if (reader.takesFunction("if_not_exists")) {
    const path = reader.path();
    reader.demand(",");
    const otherwise = setTerm(reader);
    reader.demand(")");
    return (before) => valueAt(before, path) ?? otherwise(before);
  }
  if (reader.takesFunction("list_append")) {
    const first = setTerm(reader);
    reader.demand(",");
    const second = setTerm(reader);
    reader.demand(")");
    return (before) => {
      const [one, other] = [first(before), second(before)];
      if ("L" in one && "L" in other) return { L: [...one.L, ...other.L] };
      throw wrongType("list_append");
    };
  }
  const { read } = reader.operand();
  return (before) => {
    const value = read(before);
    if (value !== undefined) return value;
    throw invalid("The provided expression refers to an attribute that does not exist in the item");
  };
}

function refuseOverlaps(paths: readonly Path[]): void {
  for (const [index, one] of paths.entries()) {
    for (const other of paths.slice(index + 1)) {
      const shared = Math.min(one.length, other.length);
      if (!one.slice(0, shared).every((step, place) => step === other[place])) continue;
      throw invalid(
        `Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: ${writePath(one)}, path two: ${writePath(other)}`,
      );
    }
  }
}

function added(old: AttributeValue, more: AttributeValue): AttributeValue {
  if ("N" in old && "N" in more) return { N: addNumbers(old.N, more.N) };
  const { type, one, other } = setsIn("ADD", old, more);
  return writeSet({ type, members: [...new Set([...one, ...other])] });
}

/** Undefined if nothing is left of a set. */
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

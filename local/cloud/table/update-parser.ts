import type { SetValue, UpdateAction } from "./expression.ts";
import { ExpressionReader, type Placeholders } from "./expression-reader.ts";
import { invalid } from "./invalid.ts";
import { type Path, writePath } from "./path.ts";

const clauses = ["SET", "REMOVE", "ADD", "DELETE"] as const;

/**
 * Parses an update: SET, REMOVE, ADD and DELETE, each at most once.
 * @throws AwsError for a syntax error, or paths of which one contains the other
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.UpdateExpressions.html
 */
export function parseUpdate(text: string, placeholders: Placeholders): UpdateAction[] {
  const reader = new ExpressionReader(text, "UpdateExpression", placeholders);
  const actions: UpdateAction[] = [];
  const seen = new Set<string>();
  while (!reader.isAtEnd) {
    const clause = clauses.find((word) => reader.takes(word));
    if (clause === undefined) throw reader.error();
    if (seen.has(clause)) {
      throw invalid(
        `Invalid UpdateExpression: The "${clause}" section can only be used once in an update expression;`,
      );
    }
    seen.add(clause);
    do actions.push(actionOf(clause, reader));
    while (reader.takes(","));
  }
  refuseOverlaps(actions.map(({ path }) => path));
  return actions;
}

function actionOf(clause: (typeof clauses)[number], reader: ExpressionReader): UpdateAction {
  const path = reader.path();
  switch (clause) {
    case "SET":
      reader.demand("=");
      return { kind: "set", path, value: setValue(reader) };
    case "REMOVE":
      return { kind: "remove", path };
    case "ADD":
      return { kind: "add", path, value: reader.value() };
    case "DELETE":
      return { kind: "delete", path, value: reader.value() };
  }
}

function setValue(reader: ExpressionReader): SetValue {
  const left = setTerm(reader);
  for (const sign of ["+", "-"] as const) {
    if (reader.takes(sign)) return { kind: "sum", sign, left, right: setTerm(reader) };
  }
  return left;
}

function setTerm(reader: ExpressionReader): SetValue {
  if (reader.takesFunction("if_not_exists")) {
    const path = reader.path();
    reader.demand(",");
    const otherwise = setTerm(reader);
    reader.demand(")");
    return { kind: "ifNotExists", path, otherwise };
  }
  if (reader.takesFunction("list_append")) {
    const first = setTerm(reader);
    reader.demand(",");
    const second = setTerm(reader);
    reader.demand(")");
    return { kind: "append", first, second };
  }
  return reader.operand();
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

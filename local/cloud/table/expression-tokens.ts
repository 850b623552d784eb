import { invalid } from "./invalid.ts";

/** A word, `#name`, `:value`, a number in brackets, or a sign. */
export interface Token {
  readonly kind: "word" | "name" | "value" | "number" | "sign" | "end";
  readonly text: string;
}

const pattern =
  /\s*(?:(?<name>#[A-Za-z0-9_]+)|(?<value>:[A-Za-z0-9_]+)|(?<word>[A-Za-z_][A-Za-z0-9_]*)|(?<number>\d+)|(?<sign><>|<=|>=|[=<>(),.[\]+-]))/y;

/** @throws AwsError for an invalid character */
export function tokenise(expression: string, kind: string): Token[] {
  const tokens: Token[] = [];
  pattern.lastIndex = 0;
  for (let at = 0; expression.slice(at).trim() !== ""; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const groups = pattern.exec(expression)?.groups;
    if (!groups) {
      const near = expression.slice(Math.max(0, at - 10), at + 10);
      throw invalid(
        `Invalid ${kind}: Syntax error; token: "${expression.slice(at).trim()[0]}", near: "${near}"`,
      );
    }
    for (const kindOfToken of ["name", "value", "word", "number", "sign"] as const) {
      const text = groups[kindOfToken];
      if (text !== undefined) tokens.push({ kind: kindOfToken, text });
    }
  }
  return tokens;
}

import type { AttributeValue } from "./attribute-value.ts";
import type { Operand } from "./expression.ts";
import { type Token, tokenise } from "./expression-tokens.ts";
import type { Path } from "./path.ts";
import { isReservedWord } from "./reserved-words.ts";
import { invalid, type TableError } from "./table-error.ts";

/** The names and values that a request's expressions share, and which of them were used. */
export interface Placeholders {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, AttributeValue>>;
  readonly used: Set<string>;
}

/** Goes through an expression's tokens. Every method throws TableError for what cannot stand there. */
export interface ExpressionReader {
  peek(ahead?: number): Token;
  /** Takes a sign or a keyword if it comes next. */
  takes(text: string): boolean;
  demand(text: string): void;
  isKeyword(text: string): boolean;
  /** Takes a function's name if it and its bracket come next. */
  takesFunction(name: string): boolean;
  path(): Path;
  value(): AttributeValue;
  operand(): Operand;
  end(): void;
  error(): TableError;
}

/** Reads one expression; `kind` is what errors call it, e.g. `ConditionExpression`. */
export function readExpression(text: string, kind: string, placeholders: Placeholders): ExpressionReader {
  if (text.trim() === "") throw invalid(`Invalid ${kind}: The expression can not be empty;`);
  const tokens = tokenise(text, kind);
  let at = 0;
  const endToken: Token = { kind: "end", text: "<EOF>" };
  const peek = (ahead = 0) => tokens[at + ahead] ?? endToken;
  const next = () => {
    const token = peek();
    at += 1;
    return token;
  };
  const error = () => {
    const near = tokens
      .slice(Math.max(0, at - 1), at + 2)
      .map((token) => token.text)
      .join(" ");
    return invalid(`Invalid ${kind}: Syntax error; token: "${peek().text}", near: "${near}"`);
  };
  const isKeyword = (word: string) => peek().kind === "word" && peek().text.toUpperCase() === word;
  const takes = (wanted: string) => {
    const isNext = /^[A-Z]+$/.test(wanted)
      ? isKeyword(wanted)
      : peek().kind === "sign" && peek().text === wanted;
    if (isNext) at += 1;
    return isNext;
  };
  const takesFunction = (name: string) => {
    if (peek().kind !== "word" || peek().text !== name || peek(1).text !== "(") return false;
    at += 2;
    return true;
  };
  const demand = (wanted: string) => {
    if (!takes(wanted)) throw error();
  };
  const nameStep = () => {
    const token = peek();
    if (token.kind === "word") {
      if (isReservedWord(token.text)) {
        throw invalid(
          `Invalid ${kind}: Attribute name is a reserved keyword; reserved keyword: ${token.text}`,
        );
      }
      return next().text;
    }
    if (token.kind !== "name") throw error();
    const name = placeholders.names[next().text];
    placeholders.used.add(token.text);
    if (name !== undefined) return name;
    throw invalid(
      `Invalid ${kind}: An expression attribute name used in the document path is not defined; attribute name: ${token.text}`,
    );
  };
  const path = () => {
    const steps: (string | number)[] = [nameStep()];
    for (;;) {
      if (takes(".")) steps.push(nameStep());
      else if (takes("[")) {
        if (peek().kind !== "number") throw error();
        steps.push(Number(next().text));
        demand("]");
      } else return steps;
    }
  };
  const value = () => {
    const token = peek();
    if (token.kind !== "value") throw error();
    at += 1;
    placeholders.used.add(token.text);
    const found = placeholders.values[token.text];
    if (found !== undefined) return found;
    throw invalid(
      `Invalid ${kind}: An expression attribute value used in expression is not defined; attribute value: ${token.text}`,
    );
  };

  return {
    peek,
    takes,
    demand,
    isKeyword,
    takesFunction,
    path,
    value,
    operand() {
      if (peek().kind === "value") return { kind: "value", value: value() };
      if (!takesFunction("size")) return { kind: "path", path: path() };
      const measured = path();
      demand(")");
      return { kind: "size", path: measured };
    },
    end() {
      if (peek().kind !== "end") throw error();
    },
    error,
  };
}

/** @throws TableError when a request names or gives something that no expression uses */
export function refuseUnused({ names, values, used }: Placeholders): void {
  const unused = (keys: object) => Object.keys(keys).filter((key) => !used.has(key));
  const [unusedNames, unusedValues] = [unused(names), unused(values)];
  if (unusedNames.length > 0) {
    throw invalid(
      `Value provided in ExpressionAttributeNames unused in expressions: keys: {${unusedNames.join(", ")}}`,
    );
  }
  if (unusedValues.length > 0) {
    throw invalid(
      `Value provided in ExpressionAttributeValues unused in expressions: keys: {${unusedValues.join(", ")}}`,
    );
  }
}

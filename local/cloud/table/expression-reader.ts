import type { AwsError } from "../aws-error.ts";
import { type AttributeValue, type Item, lengthOf, readValue } from "./attribute-value.ts";
import { type Token, tokenise } from "./expression-tokens.ts";
import { invalid } from "./invalid.ts";
import { type Path, valueAt } from "./path.ts";
import { isReservedWord } from "./reserved-words.ts";

export interface Placeholders {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, AttributeValue>>;
  readonly used: Set<string>;
}

/** A value in an expression: given with the request, or found in an item. */
export interface Operand {
  /** Undefined if it does not exist. */
  read(item: Item): AttributeValue | undefined;
  /** The given value. */
  readonly value?: AttributeValue;
  readonly path?: Path;
}

/** @throws AwsError, also if no expression uses one of the names or values */
export function withPlaceholders<T>(
  request: {
    readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
    readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>> | undefined;
  },
  read: (placeholders: Placeholders) => T,
): T {
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues = {} } = request;
  const values = Object.fromEntries(
    Object.entries(ExpressionAttributeValues).map(([name, value]) => [name, readValue(value)]),
  );
  const used = new Set<string>();
  const result = read({ names, values, used });
  for (const [parameter, given] of Object.entries({ Names: names, Values: values })) {
    const unused = Object.keys(given).filter((key) => !used.has(key));
    if (unused.length === 0) continue;
    throw invalid(
      `Value provided in ExpressionAttribute${parameter} unused in expressions: keys: {${unused.join(", ")}}`,
    );
  }
  return result;
}

const endToken: Token = { kind: "end", text: "<EOF>" };

/** Every method throws AwsError for an unexpected token. */
export class ExpressionReader {
  readonly #kind: string;
  readonly #placeholders: Placeholders;
  readonly #tokens: readonly Token[];
  #at = 0;

  /** @param kind for errors: `ConditionExpression` */
  constructor(text: string, kind: string, placeholders: Placeholders) {
    if (text.trim() === "") throw invalid(`Invalid ${kind}: The expression can not be empty;`);
    this.#kind = kind;
    this.#placeholders = placeholders;
    this.#tokens = tokenise(text, kind);
  }

  get isAtEnd(): boolean {
    return this.#peek().kind === "end";
  }

  takes(wanted: string): boolean {
    const { kind, text } = this.#peek();
    const isNext = /^[A-Z]+$/.test(wanted)
      ? kind === "word" && text.toUpperCase() === wanted
      : kind === "sign" && text === wanted;
    if (isNext) this.#at += 1;
    return isNext;
  }

  demand(wanted: string): void {
    if (!this.takes(wanted)) throw this.error();
  }

  takesFunction(name: string): boolean {
    const { kind, text } = this.#peek();
    if (kind !== "word" || text !== name || this.#peek(1).text !== "(") return false;
    this.#at += 2;
    return true;
  }

  path(): Path {
    const steps: (string | number)[] = [this.#name()];
    for (;;) {
      if (this.takes(".")) steps.push(this.#name());
      else if (this.takes("[")) {
        steps.push(Number(this.#take("number")));
        this.demand("]");
      } else return steps;
    }
  }

  value(): AttributeValue {
    const name = this.#take("value");
    this.#placeholders.used.add(name);
    const found = this.#placeholders.values[name];
    if (found !== undefined) return found;
    throw this.#invalid(
      `An expression attribute value used in expression is not defined; attribute value: ${name}`,
    );
  }

  operand(): Operand {
    if (this.#peek().kind === "value") {
      const value = this.value();
      return { read: () => value, value };
    }
    const isSize = this.takesFunction("size");
    const path = this.path();
    if (!isSize) return { read: (item) => valueAt(item, path), path };
    this.demand(")");
    return {
      read(item) {
        const value = valueAt(item, path);
        const length = value && lengthOf(value);
        return length === undefined ? undefined : { N: String(length) };
      },
    };
  }

  /** Reads one or more, with a sign or keyword between them. */
  list<T>(read: () => T, separator = ","): T[] {
    const found = [read()];
    while (this.takes(separator)) found.push(read());
    return found;
  }

  end(): void {
    if (!this.isAtEnd) throw this.error();
  }

  error(): AwsError {
    const near = this.#tokens.slice(Math.max(0, this.#at - 1), this.#at + 2).map(({ text }) => text);
    return this.#invalid(`Syntax error; token: "${this.#peek().text}", near: "${near.join(" ")}"`);
  }

  #peek(ahead = 0): Token {
    return this.#tokens[this.#at + ahead] ?? endToken;
  }

  #take(kind: Token["kind"]): string {
    const token = this.#peek();
    if (token.kind !== kind) throw this.error();
    this.#at += 1;
    return token.text;
  }

  #name(): string {
    if (this.#peek().kind === "word") {
      const word = this.#take("word");
      if (!isReservedWord(word)) return word;
      throw this.#invalid(`Attribute name is a reserved keyword; reserved keyword: ${word}`);
    }
    const placeholder = this.#take("name");
    this.#placeholders.used.add(placeholder);
    const name = this.#placeholders.names[placeholder];
    if (name !== undefined) return name;
    throw this.#invalid(
      `An expression attribute name used in the document path is not defined; attribute name: ${placeholder}`,
    );
  }

  #invalid(text: string): AwsError {
    return invalid(`Invalid ${this.#kind}: ${text}`);
  }
}

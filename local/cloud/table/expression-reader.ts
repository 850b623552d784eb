import type { AwsError } from "../aws-error.ts";
import { type AttributeValue, type Item, lengthOf, readValue } from "./attribute-value.ts";
import { invalid } from "./invalid.ts";
import { type Path, valueAt } from "./path.ts";
import { isReservedWord } from "./reserved-words.ts";

/** A request's expressions. */
export interface Expressions {
  readonly ConditionExpression?: string | undefined;
  readonly FilterExpression?: string | undefined;
  readonly KeyConditionExpression?: string | undefined;
  readonly ProjectionExpression?: string | undefined;
  readonly UpdateExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>> | undefined;
}

type Kind = `${"Condition" | "Filter" | "KeyCondition" | "Projection" | "Update"}Expression`;

export interface Operand {
  read(item: Item): AttributeValue | undefined;
  readonly value?: AttributeValue;
  readonly path?: Path;
}

/**
 * @param read reads a whole expression, or returns undefined without one
 * @throws AwsError for a syntax error, also if no expression uses one of the names or values
 */
export function readExpressions<T>(
  request: Expressions,
  read: (one: <R>(kind: Kind, parse: (reader: ExpressionReader) => R) => R | undefined) => T,
): T {
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues = {} } = request;
  const values = Object.fromEntries(
    Object.entries(ExpressionAttributeValues).map(([name, value]) => [name, readValue(value)]),
  );
  const used = new Set<string>();
  const result = read((kind, parse) => {
    const { [kind]: text } = request;
    if (text === undefined) return undefined;
    const reader = new ExpressionReader(text, kind, { names, values, used });
    const parsed = parse(reader);
    if (!reader.isAtEnd) throw reader.error();
    return parsed;
  });
  for (const [parameter, given] of Object.entries({ Names: names, Values: values })) {
    const unused = Object.keys(given).filter((key) => !used.has(key));
    if (unused.length === 0) continue;
    throw invalid(
      `Value provided in ExpressionAttribute${parameter} unused in expressions: keys: {${unused.join(", ")}}`,
    );
  }
  return result;
}

interface Placeholders {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, AttributeValue>>;
  readonly used: Set<string>;
}

const end = "<EOF>";

export class ExpressionReader {
  readonly #kind: string;
  readonly #placeholders: Placeholders;
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string, kind: Kind, placeholders: Placeholders) {
    const tokens = text.match(/\s+|[#:]\w+|[A-Za-z_]\w*|<>|<=|>=|./gs) ?? [];
    this.#tokens = tokens.filter((token) => token.trim() !== "");
    this.#kind = kind;
    this.#placeholders = placeholders;
    if (this.isAtEnd) throw this.#invalid("The expression can not be empty;");
  }

  get isAtEnd(): boolean {
    return this.#peek() === end;
  }

  takes(wanted: string): boolean {
    const isNext = this.#peek().toUpperCase() === wanted;
    if (isNext) this.#at += 1;
    return isNext;
  }

  demand(wanted: string): void {
    if (!this.takes(wanted)) throw this.error();
  }

  takesFunction(name: string): boolean {
    if (this.#peek() !== name || this.#peek(1) !== "(") return false;
    this.#at += 2;
    return true;
  }

  path(): Path {
    return this.list(() => this.#name(), ".");
  }

  value(): AttributeValue {
    const name = this.#take(":");
    const found = this.#placeholders.values[name];
    if (found !== undefined) return found;
    throw this.#invalid(
      `An expression attribute value used in expression is not defined; attribute value: ${name}`,
    );
  }

  operand(): Operand {
    if (this.#peek().startsWith(":")) {
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

  list<T>(read: () => T, separator = ","): T[] {
    const found = [read()];
    while (this.takes(separator)) found.push(read());
    return found;
  }

  error(): AwsError {
    const near = this.#tokens.slice(Math.max(0, this.#at - 1), this.#at + 2);
    return this.#invalid(`Syntax error; token: "${this.#peek()}", near: "${near.join(" ")}"`);
  }

  #peek(ahead = 0): string {
    return this.#tokens[this.#at + ahead] ?? end;
  }

  #take(start: "#" | ":"): string {
    const token = this.#peek();
    if (!token.startsWith(start) || token === start) throw this.error();
    this.#at += 1;
    this.#placeholders.used.add(token);
    return token;
  }

  #name(): string {
    const word = this.#peek();
    if (/^[A-Za-z_]/.test(word)) {
      this.#at += 1;
      if (!isReservedWord(word)) return word;
      throw this.#invalid(`Attribute name is a reserved keyword; reserved keyword: ${word}`);
    }
    const placeholder = this.#take("#");
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

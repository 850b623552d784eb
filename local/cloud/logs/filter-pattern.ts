import { parseJson } from "../../../lib/base/json.ts";

/** Whether a log event's message matches a pattern. */
export type MessageFilter = (message: string) => boolean;

/** Thrown for an invalid or unsupported pattern. */
export class PatternError extends Error {
  override readonly name = "PatternError";
}

/**
 * Parses a filter pattern. Supported are: the empty pattern; terms and quoted phrases that the message must all contain, or
 * with `?` before each at least one of them; JSON patterns of `=`, `!=`, `&&`, `||` and parentheses over numbers and texts,
 * with `*` for any text.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 * @throws PatternError
 */
export function readFilterPattern(pattern: string): MessageFilter {
  const text = pattern.trim();
  if (text === "") return () => true;
  if (text.startsWith("{")) return readJsonPattern(text);
  return readTerms(text);
}

function readTerms(text: string): MessageFilter {
  const terms = [...text.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, phrase, word = ""]) => {
    if (phrase === undefined && !/^\??\w+$/.test(word)) throw new PatternError(`Not supported: ${word}`);
    return phrase === undefined ? word : unquote(phrase);
  });
  // Of terms with a question mark, one is enough.
  const [some, all] = [terms.filter(isOptional), terms.filter((term) => !isOptional(term))];
  return (message) =>
    all.every((term) => message.includes(term)) &&
    (some.length === 0 || some.some((term) => message.includes(term.slice(1))));
}

function isOptional(term: string): boolean {
  return term.startsWith("?");
}

type Condition = (fields: unknown) => boolean;

function readJsonPattern(text: string): MessageFilter {
  const tokens = tokensOf(text);
  let next = 0;
  const take = () => tokens[next++] ?? "";
  const takeSign = (token: string) => {
    if (take() !== token) throw new PatternError(`Expected ${token}: ${text}`);
  };
  const oneOrMore = (sign: string, read: () => Condition, join: "some" | "every"): Condition => {
    const parts = [read()];
    while (tokens[next] === sign) {
      next += 1;
      parts.push(read());
    }
    return (fields) => parts[join]((part) => part(fields));
  };
  const readOr = (): Condition => oneOrMore("||", readAnd, "some");
  const readAnd = (): Condition => oneOrMore("&&", readOne, "every");
  const readOne = (): Condition => {
    const selector = take();
    if (selector === "(") {
      const inner = readOr();
      takeSign(")");
      return inner;
    }
    if (!selector.startsWith("$.")) throw new PatternError(`No selector: ${selector}`);
    const path = selector.slice(2).split(".");
    const operator = take();
    const isMeant = readValue(take());
    if (operator === "=") return (fields) => isMeant(valueAt(fields, path));
    if (operator === "!=") return (fields) => !isMeant(valueAt(fields, path));
    throw new PatternError(`Not supported: ${operator}`);
  };

  takeSign("{");
  const condition = readOr();
  takeSign("}");
  if (next !== tokens.length) throw new PatternError(`More after the end: ${text}`);
  return (message) => {
    const fields = parseJson(message);
    return typeof fields === "object" && fields !== null && condition(fields);
  };
}

function tokensOf(text: string): readonly string[] {
  const tokens = text.match(/\s+|"(?:[^"\\]|\\.)*"|\$(?:\.[\w-]+)+|\|\||&&|!=|[={}()]|[\w*.-]+/g) ?? [];
  if (tokens.join("") !== text) throw new PatternError(`Not supported: ${text}`);
  return tokens.filter((token) => token.trim() !== "");
}

function readValue(token: string): (value: unknown) => boolean {
  const text = token.startsWith('"') ? unquote(token.slice(1, -1)) : token;
  if (!token.startsWith('"') && /^-?\d+(\.\d+)?$/.test(text)) return (value) => value === Number(text);
  const shape = new RegExp(`^${text.split("*").map(RegExp.escape).join("[^]*")}$`);
  return (value) => typeof value === "string" && shape.test(value);
}

function unquote(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}

function valueAt(fields: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined),
    fields,
  );
}

import { parseJson } from "../../../lib/base/json.ts";

export type MessageFilter = (message: string) => boolean;

export class PatternError extends Error {
  override readonly name = "PatternError";
}

/**
 * Reads patterns of this project's commands: empty; words with `?`, of which one must occur; JSON patterns of
 * `=`, `&&`, `||` and parentheses over quoted texts, with `*`.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 * @throws PatternError
 */
export function readFilterPattern(pattern: string): MessageFilter {
  const text = pattern.trim();
  if (text === "") return () => true;
  if (text.startsWith("{")) return readJsonPattern(text);
  const words = text.split(/\s+/);
  const other = words.find((word) => !/^\?\w+$/.test(word));
  if (other !== undefined) throw new PatternError(`Not supported: ${other}`);
  return (message) => words.some((word) => message.includes(word.slice(1)));
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
    takeSign("=");
    const wanted = take().split("*").map(RegExp.escape).join("[^]*");
    const shape = new RegExp(`^${wanted}$`);
    return (fields) => {
      const value = valueAt(fields, path);
      return typeof value === "string" && shape.test(`"${value}"`);
    };
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
  const tokens = text.match(/\s+|"[^"\\]*"|\$(?:\.[\w-]+)+|\|\||&&|[={}()]/g) ?? [];
  if (tokens.join("") !== text) throw new PatternError(`Not supported: ${text}`);
  return tokens.filter((token) => token.trim() !== "");
}

function valueAt(fields: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined),
    fields,
  );
}

import { causesOf } from "./causes.ts";
import { hideSecrets } from "./known-secrets.ts";

const longestMessage = 600;
const mostParts = 5;

/**
 * Name, code and message of the error and its causes, and the operation. Never message texts, secrets or
 * stacks. Never throws.
 */
export function describeError(error: unknown): string {
  const causes = causesOf(error);
  const innermost = causes.length === 0 ? error : readField(causes.at(-1), "cause");
  const parts = causes.map(describeOne);
  if (!(innermost instanceof Error) && (innermost !== undefined || causes.length === 0)) {
    parts.push(`a thrown ${innermost === null ? "null" : typeof innermost}`);
  }
  return hideSecrets(parts.join("; caused by "));
}

const namedFields = ["code", "operation", "status", "requestId"] as const;

function describeOne(error: Error): string {
  const message = clean(error);
  const facts = namedFields.flatMap((name) => {
    const value = readField(error, name);
    const isWorthIt = (typeof value === "string" && value !== "") || typeof value === "number";
    return !isWorthIt || message.includes(String(value))
      ? []
      : [name === "code" ? value : `${name} ${value}`];
  });
  const sdk = readField(error, "$metadata");
  const sdkRequest = readField(sdk, "requestId");
  if (typeof sdkRequest === "string") facts.push(`requestId ${sdkRequest}`);
  const said = readField(error, "said");
  return [
    `${String(readField(error, "name") ?? "Error")}${facts.length > 0 ? ` (${facts.join(", ")})` : ""}: ${message}`,
    ...(typeof said === "string" && said !== "" ? [`It said: ${said.slice(0, longestMessage)}`] : []),
    ...partsOf(error),
  ].join(" ");
}

function partsOf(error: Error): readonly string[] {
  const parts = readField(error, "errors");
  if (!(error instanceof AggregateError) || !Array.isArray(parts)) return [];
  return parts
    .slice(0, mostParts)
    .map((part) => `[${part instanceof Error ? describeOne(part) : describeError(part)}]`);
}

/** Errors of the language and of Node may quote a user's text. */
const quoting: readonly (readonly [pattern: RegExp, instead: string])[] = [
  // The parser may have added its own words.
  [
    /^.* is not valid JSON\b.*$|^(Unexpected|Expected|Bad|Unterminated|Exponent|No number).* in JSON at .*$/s,
    "The text is not valid JSON.",
  ],
  [/( on (string|number|boolean|bigint|symbol)) .*$/s, "$1"],
  [/(operator to search for ).*$/s, "$1something in what is no object"],
  [/^(Invalid regular expression).*$/s, "$1"],
  [/^(Cannot convert) .*( to a BigInt)$/s, "$1 a text$2"],
  [/^(Invalid [a-z ]+ specified|Invalid [a-z ]+|Object prototype may only be [a-z ]+): .*$/is, "$1"],
  [/\bReceived .*$/s, "Received something else."],
  [
    /^(Iterator value|Class extends value|Promise resolver|Value) .* (is not a|out of range for )/s,
    "$1 … $2",
  ],
  [/^(Failed to parse URL) .*$/s, "$1"],
  [/^(Cannot (define|redefine|add|delete) property):? .*?(, object is not extensible)?$/s, "$1$3"],
  // A name in code has no spaces; a value may.
  [/^(?!\(intermediate value\))\S* .* (is not (a function|a constructor|iterable))/s, "Something $2"],
];

const quotedName = /(['"`])[\w$.()[\]-]{1,60}\1/g;

/** Replaces quoted parts that are not names. A user's text may contain quotes. */
function hideQuoted(message: string): string {
  return /['"`]/.test(message.replace(quotedName, "")) ? message.replace(/['"`].*['"`]/s, "'…'") : message;
}

function clean(error: Error): string {
  let message = String(readField(error, "message") ?? "").slice(0, longestMessage * 4);
  if (isOfTheLanguage(error)) {
    for (const [pattern, instead] of quoting) message = message.replace(pattern, instead);
    message = hideQuoted(message);
  }
  return message.slice(0, longestMessage);
}

function isOfTheLanguage(error: Error): boolean {
  return error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError;
}

function readField(value: unknown, name: string): unknown {
  try {
    return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  } catch {
    return undefined; // describing an error must not throw
  }
}

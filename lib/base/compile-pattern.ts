import { RE2JS } from "re2js";
import { OwnError } from "./errors.ts";
import { isError } from "./realm.ts";

export interface Pattern {
  /** Takes time proportional to the text's length times `size`. */
  readonly test: (text: string) => boolean;
  /** The number of instructions, which is the maximum cost per character. */
  readonly size: number;
}

/** The message says what to write instead. */
export class InvalidPatternError extends OwnError {
  override readonly name = "InvalidPatternError";
}

/**
 * Compiles RE2's syntax, case-insensitive. RE2 never backtracks (docs/internals/decisions.md#patterns).
 * @throws InvalidPatternError
 * @see https://github.com/google/re2/wiki/Syntax
 */
export function compilePattern(pattern: string): Pattern {
  try {
    const compiled = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
    return { test: (text) => compiled.test(text), size: compiled.programSize() };
  } catch (error) {
    throw new InvalidPatternError(adviceFor(pattern) ?? reasonOf(error));
  }
}

const advice: readonly (readonly [RegExp, string])[] = [
  [
    /\(\?<?[=!]/,
    "looking ahead or behind, as in (?=…), is not possible: write what may stand there, or two patterns",
  ],
  [/\\(?:[1-9]|k<)/, "references back, as in \\1, are not possible: write out what may come twice"],
  [/\\u/, "characters are written \\x{1F600}, not \\u{1F600} or \\uABCD"],
  [/\\c[A-Za-z]/, "control characters are written \\x01, not \\cA"],
  [/\\[pP]\{(?:Script|sc|General_Category|gc)=/, "a script is written \\p{Greek}, not \\p{Script=Greek}"],
  [
    /\\[pP]\{/,
    "there is no such class: categories are short, as in \\p{L}, and scripts are bare, as in \\p{Greek}",
  ],
  [/\[\^?\]/, "a class must not be empty: any character is written (?s:.)"],
  [/\{\d*,?\d{4,}/, "a part may be repeated 1000 times at most: write * or +, which cost nothing more"],
];

function adviceFor(pattern: string) {
  return advice.find(([cause]) => cause.test(pattern))?.[1];
}

/** Returns RE2's message without the flag that is prepended here. */
function reasonOf(error: unknown) {
  if (!isError(error)) return "this is no pattern";
  return error.message.replace(/^error parsing regexp: /, "").replace("`(?i)", "`");
}

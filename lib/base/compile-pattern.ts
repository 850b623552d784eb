import { RE2JS } from "re2js";

/** A pattern, ready to be looked for. */
export interface Pattern {
  /** Tells whether a text holds it, in time that grows with the text's length times `size` and no faster. */
  readonly test: (text: string) => boolean;
  /** How many instructions it was made into: what one character of a text costs at most. */
  readonly size: number;
}

/** Thrown for a pattern that cannot be taken; says what to write in its place. */
export class InvalidPatternError extends Error {
  override readonly name = "InvalidPatternError";
}

/**
 * Makes a pattern of RE2's syntax, in any case. RE2 never goes back in a text, so that no pattern and no text can keep
 * it busy for long (docs/decisions/0018-patterns-run-in-linear-time.md).
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

/** What JavaScript takes and RE2 does not, and what says the same. */
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

function adviceFor(pattern: string): string | undefined {
  return advice.find(([cause]) => cause.test(pattern))?.[1];
}

/** RE2's own words, such as "missing closing ): `(a`", without the flag that is put before a pattern. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "this is no pattern";
  return error.message.replace(/^error parsing regexp: /, "").replace("`(?i)", "`");
}

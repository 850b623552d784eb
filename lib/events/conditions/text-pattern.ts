import { compilePattern, InvalidPatternError } from "../../base/compile-pattern.ts";
import { InvalidInputError } from "../../chat/errors.ts";
import { type FindPattern, patternIn, type TextPattern, useCompiler } from "./patterns.ts";

/**
 * Makes a pattern for the condition `text`: of RE2's syntax, in any case, looked for anywhere in the text. It takes time in
 * proportion to the text, whatever somebody writes.
 * @throws InvalidInputError for what is no text, InvalidPatternError for what RE2 does not take, fits every text, or is larger than 1,000 instructions
 * @see https://github.com/google/re2/wiki/Syntax
 * @example where: { text: textPattern("\\brefund(s|ed)?\\b") }
 */
export function textPattern(pattern: string): TextPattern {
  if (typeof pattern !== "string")
    throw new InvalidInputError("textPattern", "pattern", "a text", pattern === undefined);
  const made = { pattern };
  patternIn(made);
  return made;
}

/** As many as the patterns of config/moderation.yml may have together (docs/decisions/0018-patterns-run-in-linear-time.md). */
const maxInstructions = 1_000;
/** What a look may take, in characters times instructions: 16,000 characters for the largest pattern. */
const maxWork = 16_000_000;

function compile(source: string): FindPattern {
  const pattern = compilePattern(source);
  if (pattern.size > maxInstructions) {
    const size = `${pattern.size} instructions, and ${maxInstructions} are allowed`;
    throw new InvalidPatternError(`The pattern is made of ${size}: {0,40} needs 80 of them, * two.`);
  }
  if (pattern.test("")) throw new InvalidPatternError("The pattern fits every text, the empty one too.");
  const maxCharacters = Math.floor(maxWork / pattern.size);
  return (text) => pattern.test(text.slice(-maxCharacters));
}

// Whoever can make a pattern brings along what finds it, also where one comes from storage.
useCompiler(compile);

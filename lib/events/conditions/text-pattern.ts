import { compilePattern, InvalidPatternError } from "../../base/compile-pattern.ts";
import { InvalidInputError } from "../../chat/errors.ts";
import { type FindPattern, patternIn, type TextPattern, useCompiler } from "./patterns.ts";

/**
 * Creates a pattern for the condition `text`: RE2 syntax, any case, anywhere in the text, in time
 * proportional to it.
 * @throws InvalidInputError if the pattern is not a text
 * @throws InvalidPatternError if RE2 refuses the pattern, it matches every text, or it exceeds 1,000
 * instructions
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

/**
 * For all patterns of config/moderation.yml together
 * (docs/internals/decisions.md#patterns).
 */
const maxInstructions = 1_000;
/** Of one search, in characters times instructions: 16,000 characters for the largest pattern. */
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

// Also compiles stored patterns.
useCompiler(compile);

import * as z from "zod/mini";
import { compilePattern, InvalidPatternError } from "../../base/compile-pattern.ts";
import { normalise } from "./word-matcher.ts";

/**
 * Of all patterns together: the worst take 0.4 s of the available 1.5 s for 16,000 characters, on a desktop's
 * core (docs/internals/decisions.md#patterns).
 */
export const maxPatternInstructions = 1_000;

const text = z.string().check(z.minLength(1));

const pattern = text.check(({ value, issues }) => {
  const message = wrongIn(value);
  if (message !== undefined) issues.push({ code: "custom", input: value, message });
});

function wrongIn(source: string) {
  try {
    const fitsAll = compilePattern(source).test("");
    return fitsAll ? "fits every message, the empty one too: something of it must stand there" : undefined;
  } catch (error) {
    return error instanceof InvalidPatternError ? error.message : "is no pattern";
  }
}

/** A word of invisible characters would match every text. */
const word = text.check(({ value, issues }) => {
  if (normalise(value).trim() !== "") return;
  issues.push({ code: "custom", input: value, message: "has nothing to look for" });
});

const listSchema = z.strictObject({
  name: text,
  confidence: z.number().check(z.gte(0), z.lte(1)),
  reason: z.optional(text),
  language: z.optional(z.string().check(z.regex(/^[a-z]{2,3}$/, { message: 'must look like "de"' }))),
  joined: z._default(z.boolean(), false),
  words: z._default(z.array(word), []),
  patterns: z._default(z.array(pattern), []),
});

export const moderationRulesSchema = z
  .strictObject({
    lists: z.array(listSchema),
    dropFrom: z.number().check(z.gte(0), z.lte(1)),
    whenUndecided: z.strictObject({
      beforeMessage: z.enum(["pass", "drop"]),
      moderation: z.enum(["noMatch", "match"]),
    }),
  })
  .check(({ value, issues }) => {
    const sizes = value.lists.flatMap(({ patterns }) =>
      patterns.map((source) => compilePattern(source).size),
    );
    const size = sizes.reduce((sum, one) => sum + one, 0);
    if (size <= maxPatternInstructions) return;
    const message =
      `all patterns together are made of ${size} instructions, and ${maxPatternInstructions} are allowed: ` +
      "use smaller bounds, or * and +, which need one or two";
    issues.push({ code: "custom", input: value.lists, path: ["lists"], message });
  });

export type ModerationRules = z.infer<typeof moderationRulesSchema>;
export type ModerationList = ModerationRules["lists"][number];

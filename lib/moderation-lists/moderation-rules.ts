import * as z from "zod/mini";
import { patternCost } from "./pattern-cost.ts";

/**
 * What all patterns together may cost at one place of a text, in steps. The worst patterns and the longest text then take
 * about 0.3 s on a desktop's core and less than a second on a function with 512 MB, of the 1.5 s that there are.
 */
const maxPatternSteps = 6_000;

const text = z.string().check(z.minLength(1));

const pattern = text.check((context) => {
  try {
    patternCost(context.value);
  } catch (error) {
    const message = error instanceof Error ? error.message : "is no pattern";
    context.issues.push({ code: "custom", input: context.value, message });
  }
});

const listSchema = z.strictObject({
  name: text,
  confidence: z.number().check(z.gte(0), z.lte(1)),
  reason: z.optional(text),
  /** A language's code, such as `de`. */
  language: z.optional(z.string().check(z.regex(/^[a-z]{2,3}$/, { message: 'must look like "de"' }))),
  joined: z._default(z.boolean(), false),
  words: z._default(z.array(text), []),
  patterns: z._default(z.array(pattern), []),
});

/** What config/moderation.yml may hold. */
export const moderationRulesSchema = z.strictObject({
  lists: z.array(listSchema).check(
    z.refine((lists) => costOf(lists) <= maxPatternSteps, {
      error: ({ input }) =>
        `All patterns together cost ${costOf(input)} steps, and ${maxPatternSteps} are allowed: use smaller bounds.`,
    }),
  ),
  dropFrom: z.number().check(z.gte(0), z.lte(1)),
  whenUndecided: z.strictObject({
    beforeMessage: z.enum(["pass", "drop"]),
    moderation: z.enum(["noMatch", "match"]),
  }),
});

export type ModerationRules = z.infer<typeof moderationRulesSchema>;
export type ModerationList = ModerationRules["lists"][number];

function costOf(lists: unknown): number {
  const patterns = z.array(z.object({ patterns: z.array(z.string()) })).safeParse(lists);
  const costs = (patterns.data ?? []).flatMap((list) => list.patterns.map(patternCost));
  return costs.reduce((sum, cost) => sum + cost, 0);
}

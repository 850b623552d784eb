import * as z from "zod/mini";

const text = z.string().check(z.minLength(1));

/** What config/welcome.yml may hold. */
export const welcomeRulesSchema = z.strictObject({
  groups: z.array(z.strictObject({ group: text, as: text, text })),
});

export type WelcomeRules = z.infer<typeof welcomeRulesSchema>;

import * as z from "zod/mini";
import { duration } from "../duration.ts";

const text = z.string().check(z.minLength(1));

/** What config/welcome.yml may hold. */
export const welcomeRulesSchema = z.strictObject({
  maxAge: z.optional(duration),
  groups: z.array(z.strictObject({ group: text, as: text, maxAge: z.optional(duration), text })),
});

export type WelcomeRules = z.infer<typeof welcomeRulesSchema>;

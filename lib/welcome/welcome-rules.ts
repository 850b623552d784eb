import * as z from "zod/mini";
import { chosenId } from "../chosen-id.ts";
import { duration } from "../duration.ts";

const text = z.string().check(z.minLength(1));

/** A misspelt placeholder would be said as it is. */
const welcomeText = text.check(
  z.refine((said) => !/\{(?!names\})\w*\}/.test(said), {
    message: "there is one placeholder only, {names}",
  }),
);

/** What config/welcome.yml may hold. */
export const welcomeRulesSchema = z.strictObject({
  maxAge: z.optional(duration),
  groups: z.array(
    z.strictObject({ group: chosenId, as: chosenId, maxAge: z.optional(duration), text: welcomeText }),
  ),
});

export type WelcomeRules = z.infer<typeof welcomeRulesSchema>;

import * as z from "zod/mini";
import { chosenId } from "../chosen-id.ts";
import { duration } from "../duration.ts";
import { noTwoAlike } from "../no-two-alike.ts";
import { saidText } from "../said-text.ts";

/** Five names of fifty characters, of which one may take three bytes, and how many others came (decide-welcome.ts). */
const maxNamesBytes = 800;

/** What config/welcome.yml may hold. */
export const welcomeRulesSchema = z.strictObject({
  maxAge: z.optional(duration),
  groups: z
    .array(
      z.strictObject({
        group: chosenId,
        as: chosenId,
        maxAge: z.optional(duration),
        text: saidText({ names: maxNamesBytes }),
      }),
    )
    .check(noTwoAlike("group", "this group has a welcome already")),
});

export type WelcomeRules = z.infer<typeof welcomeRulesSchema>;

import * as z from "zod/mini";
import { chosenId } from "../../base/chosen-id.ts";
import { duration } from "../../base/duration.ts";
import { noTwoAlike } from "../../base/no-two-alike.ts";
import { saidText } from "../../base/said-text.ts";

/** Five names of fifty characters, of which one may take three bytes, and how many others came (decide-welcome.ts). */
const maxNamesBytes = 800;

/** What config/welcome.yml may hold. */
export const welcomeRulesSchema: z.ZodMiniType<WelcomeRules> = z.strictObject({
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

/** Who welcomes new members of which group: config/welcome.yml. */
export interface WelcomeRules {
  /** Who came longer ago is not welcomed: `90s`, `30min`, `1h`, `2d`. Default: all are. */
  readonly maxAge?: string | undefined;
  /** A welcome for each group; no group twice. */
  readonly groups: GroupWelcome[];
}

/** How new members of a group are welcomed. */
export interface GroupWelcome {
  /** The group's guid. */
  readonly group: string;
  /** The uid of the member who welcomes. */
  readonly as: string;
  /** As in the rules as a whole, and instead of it. */
  readonly maxAge?: string | undefined;
  /** What is said, `{names}` for those who came: at most 9,000 bytes. */
  readonly text: string;
}

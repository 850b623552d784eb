import * as z from "zod/mini";
import { chosenId, duration, noTwoAlike, saidText } from "../../base/config-fields.ts";

/**
 * Five names of fifty characters with up to three bytes each (750), and the number of the others
 * (create-welcome.ts).
 */
const maxNamesBytes = 800;

/** Schema of `config/welcome.yml`. */
export const welcomeRulesSchema: z.ZodMiniType<WelcomeRules> = z.strictObject({
  maxAge: z.optional(duration()),
  groups: z
    .array(
      z.strictObject({
        group: chosenId(),
        as: chosenId(),
        maxAge: z.optional(duration()),
        text: saidText({ names: maxNamesBytes }),
      }),
    )
    .check(noTwoAlike("group", "this group has a welcome already")),
});

/** Welcomes of new members: config/welcome.yml. */
export interface WelcomeRules {
  /** `90s`, `30min`, `1h`, `2d`: members who joined earlier are not welcomed. Default: `1h`. */
  readonly maxAge?: string | undefined;
  /** One per group; no group twice. */
  readonly groups: GroupWelcome[];
}

/** The welcome of one group. */
export interface GroupWelcome {
  /** Guid. */
  readonly group: string;
  /** Uid of the member who welcomes. */
  readonly as: string;
  /** Overrides the rules' `maxAge`. */
  readonly maxAge?: string | undefined;
  /** `{names}` stands for the new members. At most 9,000 bytes. */
  readonly text: string;
}

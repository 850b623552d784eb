import * as z from "zod/mini";
import { chosenId, duration } from "../../base/config-fields.ts";

/** Schema of `config/escalate.yml`. */
export const escalationRulesSchema: z.ZodMiniType<EscalationRules> = z
  .strictObject({
    enabled: z.boolean(),
    group: chosenId(),
    as: chosenId(),
    maxAge: z.optional(duration()),
    on: z.array(z.enum(["blocked", "failed"])),
  })
  .check(
    z.refine(({ enabled, on }) => !enabled || on.length > 0, {
      path: ["on"],
      message: 'must hold "blocked" or "failed"; to notify of nothing, write "enabled: false"',
    }),
  );

/** Notifications about messages that moderation blocked or could not judge: config/escalate.yml. */
export interface EscalationRules {
  /** Turns the notifications on. */
  readonly enabled: boolean;
  /** Guid of the moderators' group. */
  readonly group: string;
  /** Uid of the sender. */
  readonly as: string;
  /** `90s`, `30min`, `1h`, `2d`: skips older cases. Default: no limit. */
  readonly maxAge?: string | undefined;
  /** `blocked`: the engine blocked a message. `failed`: a moderation service returned no usable decision. */
  readonly on: ("blocked" | "failed")[];
}

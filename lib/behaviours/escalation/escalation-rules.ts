import * as z from "zod/mini";
import { chosenId } from "../../base/chosen-id.ts";
import { duration } from "../../base/duration.ts";

/** What config/escalate.yml may hold. */
export const escalationRulesSchema: z.ZodMiniType<EscalationRules> = z.strictObject({
  enabled: z.boolean(),
  group: chosenId,
  as: chosenId,
  maxAge: z.optional(duration),
  on: z.array(z.enum(["blocked", "failed"])),
});

/** Who is told what the moderation blocked or could not judge: config/escalate.yml. */
export interface EscalationRules {
  /** Whether anybody is told. */
  readonly enabled: boolean;
  /** The guid of the group in which it is told. */
  readonly group: string;
  /** The uid of the member who tells. */
  readonly as: string;
  /** Older cases are left alone: `90s`, `30min`, `1h`, `2d`. Default: none are. */
  readonly maxAge?: string | undefined;
  /** `blocked`: the engine blocked a message. `failed`: a moderation service gave no usable decision. */
  readonly on: ("blocked" | "failed")[];
}

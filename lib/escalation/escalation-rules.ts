import * as z from "zod/mini";
import { chosenId } from "../chosen-id.ts";
import { duration } from "../duration.ts";

/** What config/escalate.yml may hold. */
export const escalationRulesSchema = z.strictObject({
  enabled: z.boolean(),
  group: chosenId,
  as: chosenId,
  maxAge: z.optional(duration),
  on: z.array(z.enum(["blocked", "failed"])),
});

export type EscalationRules = z.infer<typeof escalationRulesSchema>;

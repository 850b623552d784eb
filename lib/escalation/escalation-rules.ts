import * as z from "zod/mini";
import { duration } from "../duration.ts";

const text = z.string().check(z.minLength(1));

/** What config/escalate.yml may hold. */
export const escalationRulesSchema = z.strictObject({
  enabled: z.boolean(),
  group: text,
  as: text,
  maxAge: z.optional(duration),
  on: z.array(z.enum(["blocked", "failed"])),
});

export type EscalationRules = z.infer<typeof escalationRulesSchema>;

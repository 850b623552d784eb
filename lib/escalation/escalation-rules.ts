import * as z from "zod/mini";

const text = z.string().check(z.minLength(1));

/** What config/escalate.yml may hold. */
export const escalationRulesSchema = z.strictObject({
  enabled: z.boolean(),
  group: text,
  as: text,
  on: z.array(z.enum(["blocked", "failed"])),
});

export type EscalationRules = z.infer<typeof escalationRulesSchema>;

import * as z from "zod/mini";
import { noTwoAlike } from "../no-two-alike.ts";

// No lengths: the platform documents none for a reason's fields (docs/platform/ids-and-limits.md#texts).
const reasonSchema = z.strictObject({
  id: z.string().check(z.minLength(1)),
  name: z.string().check(z.minLength(1)),
  description: z.optional(z.string()),
});

/** What config/moderation-reasons.yml may hold. */
export const declaredReasonsSchema = z.strictObject({
  reasons: z.array(reasonSchema).check(noTwoAlike("id", "another reason has the same id")),
});

/** A moderation reason as an operator declares it. */
export type DeclaredReason = z.infer<typeof reasonSchema>;

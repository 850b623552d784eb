import type { ZodMiniType } from "zod/mini";
import { replyRulesSchema } from "../lib/replies/reply-rules.ts";
import { declaredReasonsSchema } from "../lib/seeding/declared-reasons.ts";

/** What each file of config/ may hold, by file name. A build with a file that does not fit, or is not named here, fails. */
export const configSchemas: ReadonlyMap<string, ZodMiniType> = new Map<string, ZodMiniType>([
  ["moderation-reasons.yml", declaredReasonsSchema],
  ["replies.yml", replyRulesSchema],
]);

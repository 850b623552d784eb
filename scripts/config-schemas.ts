import type { ZodMiniType } from "zod/mini";
import { escalationRulesSchema } from "../lib/escalation/escalation-rules.ts";
import { forwardRulesSchema } from "../lib/forwarding/forward-rules.ts";
import { loginSettingsSchema } from "../lib/login/login-settings.ts";
import { moderationRulesFileSchema } from "../lib/moderation-lists/moderation-rules.ts";
import { replyRulesFileSchema } from "../lib/replies/reply-rules.ts";
import { declaredReasonsSchema } from "../lib/seeding/declared-reasons.ts";
import { declaredUsersSchema } from "../lib/user-seeding/declared-users.ts";
import { welcomeRulesSchema } from "../lib/welcome/welcome-rules.ts";

/** What each file of config/ may hold, by file name. A build with a file that does not fit, or is not named here, fails. */
export const configSchemas: ReadonlyMap<string, ZodMiniType> = new Map<string, ZodMiniType>([
  ["auth-token.yml", loginSettingsSchema],
  ["escalate.yml", escalationRulesSchema],
  ["forward.yml", forwardRulesSchema],
  ["moderation.yml", moderationRulesFileSchema],
  ["moderation-reasons.yml", declaredReasonsSchema],
  ["replies.yml", replyRulesFileSchema],
  ["users.yml", declaredUsersSchema],
  ["welcome.yml", welcomeRulesSchema],
]);

import repliesFile from "../../config/replies.yml";
import { createAutoReply } from "../../lib/behaviours/replies/create-auto-reply.ts";
import { replyRulesSchema } from "../../lib/behaviours/replies/reply-rules.ts";
import { settingsFrom } from "../../lib/chat/settings-from.ts";

/** By config/replies.yml. */
export const autoReply = createAutoReply(settingsFrom(repliesFile, replyRulesSchema));

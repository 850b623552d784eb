import repliesFile from "../../config/replies.yml";
import { createAutoReply } from "../../lib/replies/create-auto-reply.ts";
import { replyRulesSchema } from "../../lib/replies/reply-rules.ts";
import { settingsFrom } from "../../lib/settings/settings-from.ts";

/** Answers messages as config/replies.yml says. */
export const autoReply = createAutoReply(settingsFrom(repliesFile, replyRulesSchema));

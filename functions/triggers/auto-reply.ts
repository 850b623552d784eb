import repliesFile from "../../config/replies.yml";
import { isAutomatic } from "../../lib/effects/automatic.ts";
import { decideReply } from "../../lib/replies/decide-reply.ts";
import { replyRulesSchema } from "../../lib/replies/reply-rules.ts";
import { onTrigger } from "../../lib/triggers/on-trigger.ts";

const rules = replyRulesSchema.parse(repliesFile);

/** Answers messages as config/replies.yml says; never an automatic one, its own included. */
export const autoReply = onTrigger("message_sent", async ({ event, effects, log }) => {
  const { message, head } = event;
  if (isAutomatic(message)) return;
  const sentAt = head.occurredAt ?? new Date();
  const reply = decideReply({ ...message, text: message.data.text, sentAt }, rules);
  if (reply === undefined) return;
  const { id } = await effects.sendText("reply", reply);
  log.info("answered a message", { appId: head.appId, messageId: message.id, replyId: id });
});

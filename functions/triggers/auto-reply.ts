import repliesFile from "../../config/replies.yml";
import { findReplyRule, replyBy } from "../../lib/replies/decide-reply.ts";
import { type ReplyRules, replyRulesSchema } from "../../lib/replies/reply-rules.ts";
import { whyNotReply } from "../../lib/replies/why-not-reply.ts";
import { type Settings, settingsFrom } from "../../lib/settings/settings-from.ts";
import { onTrigger, type Trigger } from "../../lib/triggers/on-trigger.ts";

/**
 * Makes the trigger for other rules than those of config/replies.yml. It answers people's messages alone; what a rule fits
 * and is not answered all the same is passed over, for a reason that is logged and counted.
 */
export function createAutoReply(settings: Settings<ReplyRules>): Trigger {
  // What it leaves alone although a rule fits is counted, our own messages too.
  return onTrigger("message_sent", { where: { from: "anybody" }, settings }, async (context) => {
    const { event, effects, log, receivedAt, ageMs, passOver, settings: rules } = context;
    const { message, head } = event;
    const { category, data } = message;
    const asked = { ...message, text: data.text, sentAt: head.occurredAt ?? receivedAt };
    const rule = findReplyRule(asked, rules);
    if (rule === undefined) return;
    const reason = whyNotReply({ category, moderation: data.moderation?.status, ageMs }, rule, rules);
    if (reason !== undefined) return passOver(reason);
    const answer = await effects.answer("reply", replyBy(rule, asked), message);
    if ("passedOver" in answer) return passOver(answer.passedOver);
    log.info("answered a message", { appId: head.appId, messageId: message.id, replyId: answer.id });
  });
}

/** Answers messages as config/replies.yml says. */
export const autoReply = createAutoReply(settingsFrom(repliesFile, replyRulesSchema));

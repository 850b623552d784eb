import { checkSettings, onTrigger, type SettingsSource, type Trigger } from "../../handle/on-trigger.ts";
import { explainNoRule, findReplyRule, replyBy, replyMaxAgeMs, skipReason } from "./decide-reply.ts";
import type { ReplyRules } from "./reply-rules.ts";

/**
 * Answers people's messages. Logs and counts a matching message that is not answered. Invalid rules fail
 * their events.
 */
export function createAutoReply(settings: SettingsSource<ReplyRules>): Trigger {
  checkSettings("createAutoReply", settings);
  // Matches all senders: `answer` counts its own messages as skipped.
  return onTrigger("message_sent", { where: { from: "anybody" }, settings }, async (context) => {
    const { event, effects, explain, log, receivedAt, ageMs, passOver, settings: rules } = context;
    const { message, head } = event;
    const { category, data } = message;
    const asked = { ...message, text: data.text, sentAt: head.occurredAt ?? receivedAt };
    const rule = findReplyRule(asked, rules);
    if (rule === undefined) return explain(explainNoRule(asked, rules));
    const role = data.entities?.sender?.entity?.role;
    const reason = skipReason({ category, role, moderation: data.moderation?.status, ageMs }, rule, rules);
    if (reason !== undefined) return passOver(reason, replyMaxAgeMs(rule, rules));
    const answer = await effects.answer("reply", replyBy(rule, asked), message);
    if ("passedOver" in answer) return passOver(answer.passedOver);
    log.info("answered a message", { appId: head.appId, messageId: message.id, replyId: answer.id });
  });
}

import { containsWord } from "./contains-word.ts";
import { isWithinOfficeHours } from "./office-hours.ts";
import type { ReplyRule, ReplyRules } from "./reply-rules.ts";

/** What a decision needs to know of a message. */
export interface AnswerableMessage {
  readonly sender: string;
  readonly receiver: string;
  readonly receiverType: string;
  /** Undefined for a message without text, such as an image. */
  readonly text?: string | undefined;
  readonly sentAt: Date;
}

/** A text to send in the conversation of the message, on behalf of a user. */
export interface Reply {
  readonly onBehalfOf: string;
  readonly receiver: string;
  readonly receiverType: "user" | "group";
  readonly text: string;
}

/** Finds the rule that answers a message, if any: the first that fits. Pure; nobody answers themselves. */
export function findReplyRule(
  message: AnswerableMessage,
  { ignoreSenders = [], rules }: ReplyRules,
): ReplyRule | undefined {
  if (ignoreSenders.includes(message.sender)) return undefined;
  return rules.find((candidate) => isAddressed(message, candidate) && applies(message, candidate));
}

/** Gives what a rule answers to a message. Pure. */
export function replyBy(rule: ReplyRule, message: AnswerableMessage): Reply {
  return "group" in rule
    ? { onBehalfOf: rule.as, receiver: rule.group, receiverType: "group", text: rule.text }
    : { onBehalfOf: rule.receiver, receiver: message.sender, receiverType: "user", text: rule.text };
}

function isAddressed({ sender, receiver, receiverType }: AnswerableMessage, rule: ReplyRule): boolean {
  return "group" in rule
    ? receiverType === "group" && receiver === rule.group && sender !== rule.as
    : receiverType === "user" && receiver === rule.receiver && sender !== rule.receiver;
}

function applies({ text = "", sentAt }: AnswerableMessage, { when = "always" }: ReplyRule): boolean {
  if (when === "always") return true;
  const { words, outsideOfficeHours } = when;
  if (words !== undefined && !words.some((word) => containsWord(text, word))) return false;
  return outsideOfficeHours === undefined || !isWithinOfficeHours(sentAt, outsideOfficeHours);
}

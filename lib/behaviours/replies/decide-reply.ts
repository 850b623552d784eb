import { containsWord } from "../../events/conditions/contains-word.ts";
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
export function findReplyRule(message: AnswerableMessage, rules: ReplyRules): ReplyRule | undefined {
  if (isIgnored(message, rules)) return undefined;
  return rules.rules.find((candidate) => whyNoFit(message, candidate) === undefined);
}

/** Tells whether nothing that its sender writes is answered. */
export function isIgnored({ sender }: AnswerableMessage, { ignoreSenders = [] }: ReplyRules): boolean {
  return ignoreSenders.includes(sender);
}

/** What keeps a rule from fitting a message: it is for somebody else, its own sender wrote it, or one of its conditions. */
export type NoFit = "receiver" | "own-message" | "words" | "office-hours";

/** Tells why a rule does not fit a message; undefined where it does. Pure. */
export function whyNoFit(message: AnswerableMessage, rule: ReplyRule): NoFit | undefined {
  const { sender, receiver, receiverType, text = "", sentAt } = message;
  const [type, id, speaker] =
    "group" in rule ? ["group", rule.group, rule.as] : ["user", rule.receiver, rule.receiver];
  if (receiverType !== type || receiver !== id) return "receiver";
  if (sender === speaker) return "own-message";
  const { when = "always" } = rule;
  if (when === "always") return undefined;
  const { words, outsideOfficeHours } = when;
  if (words !== undefined && !words.some((word) => containsWord(text, word))) return "words";
  const isWithin = outsideOfficeHours !== undefined && isWithinOfficeHours(sentAt, outsideOfficeHours);
  return isWithin ? "office-hours" : undefined;
}

/** Gives what a rule answers to a message. Pure. */
export function replyBy(rule: ReplyRule, message: AnswerableMessage): Reply {
  return "group" in rule
    ? { onBehalfOf: rule.as, receiver: rule.group, receiverType: "group", text: rule.text }
    : { onBehalfOf: rule.receiver, receiver: message.sender, receiverType: "user", text: rule.text };
}

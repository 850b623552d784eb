import { durationMs } from "../../base/config-fields.ts";
import { containsWord } from "../../events/conditions/contains-word.ts";
import { isOfAgent } from "../../events/conditions/where.ts";
import type { PassReason } from "../../handle/on-trigger.ts";
import type { OfficeHours, ReplyRule, ReplyRules } from "./reply-rules.ts";

export interface AnswerableMessage {
  readonly sender: string;
  readonly receiver: string;
  readonly receiverType: string;
  /** Undefined without text, such as for an image. */
  readonly text?: string | undefined;
  readonly sentAt: Date;
}

export interface Reply {
  readonly onBehalfOf: string;
  readonly receiver: string;
  readonly receiverType: "user" | "group";
  readonly text: string;
}

/** The first rule that matches. A user never answers own messages. */
export function findReplyRule(message: AnswerableMessage, rules: ReplyRules): ReplyRule | undefined {
  if (isIgnored(message, rules)) return undefined;
  return rules.rules.find((candidate) => findMismatch(message, candidate) === undefined);
}

export function isIgnored({ sender }: AnswerableMessage, { ignoreSenders = [] }: ReplyRules): boolean {
  return ignoreSenders.includes(sender);
}

export type Mismatch = "receiver" | "own-message" | "words" | "office-hours";

export function findMismatch(message: AnswerableMessage, rule: ReplyRule): Mismatch | undefined {
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

const mismatchTexts: Readonly<Record<Mismatch, string>> = {
  "own-message": "no user answers itself",
  words: "the message has none of the rules' words",
  "office-hours": "it came within the office hours",
  receiver: "config/replies.yml has no rule for the receiver",
};

/** Explains by the rule that came closest. */
export function explainNoRule(message: AnswerableMessage, rules: ReplyRules): string {
  if (isIgnored(message, rules)) return `${message.sender} is in ignoreSenders`;
  const reasons = rules.rules.map((rule) => findMismatch(message, rule));
  const closest = reasons.find((reason) => reason !== undefined && reason !== "receiver") ?? "receiver";
  return mismatchTexts[closest];
}

export function replyBy(rule: ReplyRule, message: AnswerableMessage): Reply {
  return "group" in rule
    ? { onBehalfOf: rule.as, receiver: rule.group, receiverType: "group", text: rule.text }
    : { onBehalfOf: rule.receiver, receiver: message.sender, receiverType: "user", text: rule.text };
}

/** `from` inclusive, `to` exclusive. */
export function isWithinOfficeHours(moment: Date, { timeZone, days, from, to }: OfficeHours): boolean {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  const day = parts.get("weekday")?.toLowerCase();
  const time = `${parts.get("hour")}:${parts.get("minute")}`;
  return days.some((officeDay) => officeDay === day) && from <= time && time < to;
}

interface MessageCircumstances {
  readonly category?: string | undefined;
  /** The sender's role. */
  readonly role?: string | undefined;
  readonly moderation?: string | undefined;
  readonly ageMs: number;
}

const defaultMaxAge = "1h";

const hiddenStates = ["disapproved", "blocked"];

/**
 * Only visible messages of people are answered. `pending` hides none: `message_sent` reports no blocked
 * message (docs/internals/platform/events.md#what-fires-message_sent).
 */
export function skipReason(
  { category, role, moderation = "", ageMs }: MessageCircumstances,
  rule: Pick<ReplyRule, "maxAge">,
  rules: Pick<ReplyRules, "categories" | "maxAge">,
): PassReason | undefined {
  const { categories = ["message"] } = rules;
  if (isOfAgent({ category, role })) return "category";
  if (!categories.some((answered) => answered === category)) return "category";
  if (hiddenStates.includes(moderation)) return "moderation";
  return ageMs > replyMaxAgeMs(rule, rules) ? "too-old" : undefined;
}

export function replyMaxAgeMs(
  rule: Pick<ReplyRule, "maxAge">,
  { maxAge = defaultMaxAge }: Pick<ReplyRules, "maxAge">,
): number {
  return durationMs(rule.maxAge ?? maxAge);
}

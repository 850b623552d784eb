import type { LineFilter } from "./log-line.ts";

// Patterns only make CloudWatch send less; lines are filtered again: match too much, never too little.

/**
 * By field if one is asked for, else by words of the level's lines, in both of Lambda's formats.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */
export function toFilterPattern({ level, hasMetrics, ...wanted }: LineFilter): string {
  const conditions = Object.entries(wanted).flatMap(([field, value]) =>
    value === undefined ? [] : [`($.${field} = ${quote(value)})`],
  );
  if (conditions.length > 0) return `{ ${conditions.join(" && ")} }`;
  if (hasMetrics || level === "debug" || level === "info") return "";
  const words = ["ERROR", "FATAL", "Error", "error", "timed", "exited", "killed", "failure", "timeout"];
  return [...words, ...(level === "warn" ? ["WARN"] : [])].map((word) => `?${word}`).join(" ");
}

/** By the event's key, or a message's id in any key or field. */
export function toEventPattern(event: { readonly key: string } | { readonly messageId: string }): string {
  if ("key" in event) return `{ $.deliveryKey = ${quote(event.key)} }`;
  const { messageId } = event;
  const fields = ["messageId", "about", "replyId"].map((field) => `($.${field} = ${quote(messageId)})`);
  return `{ ($.deliveryKey = ${quote(`*|${messageId}*`)}) || ${fields.join(" || ")} }`;
}

/** Characters with a meaning become wildcards: lines are filtered again. */
export function quote(value: string): string {
  return `"${value.replaceAll(/["\\]+/g, "*")}"`;
}

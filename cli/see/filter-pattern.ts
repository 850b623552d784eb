import type { LineFilter } from "./log-line.ts";

// Patterns make CloudWatch send less; what comes is looked at once more, so a pattern may find too much, and never too little.

/**
 * Writes the pattern for what is looked for: by field where a field is asked for, else by words that lines of the level
 * have, in either of Lambda's formats.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */
export function toFilterPattern({ appId, trigger, lanes, level, hasMetrics }: LineFilter): string {
  const equals = (field: string, value: string) => `$.${field} = ${quote(value)}`;
  const conditions = [
    ...(appId === undefined ? [] : [equals("appId", appId)]),
    ...(trigger === undefined ? [] : [equals("trigger", trigger)]),
    ...(lanes === undefined ? [] : [`(${lanes.map((lane) => equals("lane", lane)).join(" || ")})`]),
  ];
  if (conditions.length > 0) return `{ ${conditions.map((one) => `(${one})`).join(" && ")} }`;
  if (hasMetrics || level === "debug" || level === "info") return "";
  const words = ["ERROR", "FATAL", "Error", "error", "timed", "exited", "killed", "failure", "timeout"];
  return [...words, ...(level === "warn" ? ["WARN"] : [])].map((word) => `?${word}`).join(" ");
}

/** Writes the pattern for every line about an event: by its key, or by a message's id wherever a key or a field has it. */
export function toEventPattern(event: { readonly key: string } | { readonly messageId: string }): string {
  if ("key" in event) return `{ $.deliveryKey = ${quote(event.key)} }`;
  const { messageId } = event;
  const fields = ["messageId", "about", "replyId"].map((field) => `($.${field} = ${quote(messageId)})`);
  return `{ ($.deliveryKey = ${quote(`*|${messageId}*`)}) || ${fields.join(" || ")} }`;
}

/** What a pattern might read as a sign of its own becomes any text: the lines are looked at once more. */
function quote(value: string): string {
  return `"${value.replaceAll(/["\\]+/g, "*")}"`;
}

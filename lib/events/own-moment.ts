import { readText } from "../base/json.ts";
import { recognise } from "./identity.ts";

const sentAt: Readonly<Record<string, string>> = { message_sent: "message.sentAt", after_message: "sentAt" };

/**
 * Returns when the occurrence happened that a parsed body reports, in milliseconds since 1970: the first time
 * in its key, or when the message was sent. Small, because the receiver's cold start includes it.
 * @returns NaN if the body does not say: times of groups, judged messages and removed reactions are of
 * earlier changes
 */
export function ownMoment(body: unknown): number {
  const { trigger = "", data, rule = [""] } = recognise(body) ?? {};
  const isOwn = !/^group_|^moderation_(?!engine_f)|_removed$/.test(trigger);
  for (const spec of [...rule, sentAt[trigger]]) {
    for (const place of isOwn && typeof spec === "string" ? spec.split("|") : []) {
      const text = /^[^~].*(At|[_.]at|imestamp)$/.test(place) && readText(data, place);
      // Seconds have ten digits, milliseconds thirteen.
      if (text) return /^\d{10}$/.test(text) ? Number(text) * 1_000 : Number(text) || Date.parse(text);
    }
  }
  return Number.NaN;
}

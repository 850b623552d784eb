import { readText } from "../base/json.ts";
import { recognise } from "./identity.ts";
import type { Spec } from "./identity-rules.ts";

const sentAt: Readonly<Record<string, string>> = { message_sent: "message.sentAt", after_message: "sentAt" };

/**
 * Returns when the occurrence happened that a parsed body reports, in milliseconds since 1970: the first time
 * in its key, or when the message was sent. Small: the receiver's cold start includes it.
 * @returns NaN if the body does not say: times of groups, judged messages and removed reactions are of
 * earlier changes, as are the other times in a key
 */
export function ownMoment(body: unknown): number {
  const envelope = recognise(body);
  if (!envelope || /^group_|^moderation_(?!engine_f)|_removed$/.test(envelope.trigger)) return Number.NaN;
  const { trigger, data, rule } = envelope;
  const isTime = (spec: Spec): spec is string =>
    typeof spec === "string" && /(At|[_.]at|imestamp)\b/.test(spec);
  const places = (rule.find(isTime) ?? sentAt[trigger] ?? "").split("|");
  // None is found at a place that begins with ~.
  const text = places.map((place) => readText(data, place)).find(Boolean) ?? "";
  const amount = Number(text) || Date.parse(text);
  // In the unit that leads to this century, as readMoment does, which would add 400 bytes.
  return (
    [1_000, 1, 0.001].map((unitMs) => amount * unitMs).find((ms) => ms > 9.5e11 && ms < 4.2e12) ?? Number.NaN
  );
}

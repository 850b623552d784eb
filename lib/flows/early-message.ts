import type { AppEvent } from "../events/app-event.ts";

/** The platform retries for 40 s: a message is received within this time, or never. */
const latestReceiptMs = 2 * 60_000;

/**
 * The message of an event that may be received before it (pure): a reaction, which lacks the message's time,
 * or an event about a message sent less than two minutes before.
 */
export function earlyMessageOf(event: AppEvent, receivedAt: number): string | undefined {
  if ("reaction" in event) return event.reaction.messageId;
  if (!("message" in event) || event.trigger === "message_sent") return undefined;
  const { id, sentAt } = event.message;
  return sentAt === undefined || receivedAt - sentAt.getTime() < latestReceiptMs ? id : undefined;
}

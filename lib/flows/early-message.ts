import type { AppEvent } from "../events/app-event.ts";

/** The platform retries a delivery for 40 s: a message is received within this time, or never. */
const latestReceiptMs = 2 * 60_000;

/**
 * Returns the id of the message that an event is about if the event may be received before the message
 * (pure): a reaction, which does not contain the message's time, or an event about a message sent less than
 * two minutes before.
 */
export function earlyMessageOf(event: AppEvent, receivedAt: number): string | undefined {
  if ("reaction" in event) return event.reaction.messageId;
  if (!("message" in event) || event.trigger === "message_sent") return undefined;
  const { id, sentAt } = event.message;
  return sentAt === undefined || receivedAt - sentAt.getTime() < latestReceiptMs ? id : undefined;
}

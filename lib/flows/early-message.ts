import type { AppEvent } from "../events/app-event.ts";

/** A delivery is tried again for 40 s: within this time of its sending a message is received, or never. */
const latestReceiptMs = 2 * 60_000;

/**
 * Returns the id of the message that an event is about if the event may be received before the message (pure): a reaction,
 * which does not say when its message was sent, and what happened to a message that was sent less than two minutes before.
 */
export function earlyMessageOf(event: AppEvent, receivedAt: number): string | undefined {
  if ("reaction" in event) return event.reaction.messageId;
  if (!("message" in event) || event.trigger === "message_sent") return undefined;
  const { id, sentAt } = event.message;
  return sentAt === undefined || receivedAt - sentAt.getTime() < latestReceiptMs ? id : undefined;
}

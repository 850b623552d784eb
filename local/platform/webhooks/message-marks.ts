import type { JsonObject } from "../json.ts";
import type { Switches } from "../services/switches.ts";
import type { Message } from "../store/messages.ts";

/** Gives a message as webhooks carry it: without tags and metadata where the switch says so. */
export function showInWebhook(
  message: Message,
  { messageMarksInWebhooks }: Pick<Switches, "messageMarksInWebhooks">,
): JsonObject {
  if (messageMarksInWebhooks === "kept") return message;
  const { tags: _tags, ...rest } = message;
  const { metadata: _metadata, ...data } = message.data;
  return { ...rest, data };
}

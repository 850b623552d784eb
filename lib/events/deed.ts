import { readText } from "./read-path.ts";

/**
 * Tells whether `data.message` is the action message that was written when another message was edited or deleted, and
 * not the changed message itself. An action message can be changed, too: then it has a time of its own change, and most
 * hold a person or a group, which have no `id`.
 * @see docs/platform/events.md#edited-and-deleted-messages
 */
export function isDeed(data: unknown, deed: "edited" | "deleted"): boolean {
  if (readText(data, `message.${deed}At`) !== undefined) return false;
  if (readText(data, "message.data.entities.on.entity.id") !== undefined) return true;
  // Without the message inside, a deed says too little to be read.
  return readText(data, "message.category") === "action" && readText(data, "message.data.action") === deed;
}

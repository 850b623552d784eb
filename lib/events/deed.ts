import { readPath, readText } from "./read-path.ts";

/**
 * Tells whether `data.message` is the action message that was written when another message was edited or deleted, and
 * not the changed message itself. An action message can be changed, too: it says what it was written for, such as
 * `joined`, and where it tells of a deletion, it has a time of its own deletion.
 * @see docs/platform/events.md#edited-and-deleted-messages
 */
export function isDeed(data: unknown, deed: "edited" | "deleted"): boolean {
  if (readText(data, `message.${deed}At`) !== undefined) return false;
  const done = readPath(data, "message.data.action");
  const isAction = readText(data, "message.category") === "action";
  const hasInner = readText(data, "message.data.entities.on.entity.id") !== undefined;
  if (typeof done !== "string" || done === "") return isAction && hasInner;
  return done === deed && (isAction || hasInner);
}

import { readText } from "./read-path.ts";

/** The changed message in an action message. */
export const CHANGED = "message.data.entities.on.entity";

/**
 * True for the action message about an edit or deletion, not the changed message. An action message can be
 * changed: then it has its own time of change, and usually contains a user or group, which have no `id`.
 * @see docs/internals/platform/events.md#edited-and-deleted-messages
 */
export function isActionMessage(data: unknown, action: "edited" | "deleted"): boolean {
  if (readText(data, `message.${action}At`) !== undefined) return false;
  if (readText(data, `${CHANGED}.id`) !== undefined) return true;
  // An action message without the changed message inside is unreadable.
  return readText(data, "message.category") === "action" && readText(data, "message.data.action") === action;
}

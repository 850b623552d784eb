import { isRecord } from "../base/json.ts";
import { readText } from "../events/read-path.ts";

/**
 * Edits, deletions, members and calls have their own triggers. Whether `message_sent` also reports their
 * messages is not known (docs/internals/platform/events.md#what-fires-message_sent).
 */
const reportedCategories: ReadonlySet<string> = new Set(["message", "custom", "interactive"]);

/**
 * Returns whether `message_sent` reports the message: a blocked message has its own event, and an undecided
 * one may still get it (docs/internals/platform/moderation.md#status-of-a-message).
 */
export function isReported(message: unknown): message is Record<string, unknown> {
  return mayBeReported(message) && readText(message, moderationStatus) !== "pending";
}

/** Also accepts undecided messages: they are usually approved by now. */
export function mayBeReported(message: unknown): message is Record<string, unknown> {
  return (
    isRecord(message) &&
    reportedCategories.has(readText(message, "category") ?? "") &&
    readText(message, moderationStatus) !== "disapproved"
  );
}

const moderationStatus = "data.moderation.status";

/** Returns unix seconds. */
export function sentAtOf(message: unknown): number | undefined {
  const sentAt = Number(readText(message, "sentAt"));
  return Number.isSafeInteger(sentAt) && sentAt > 0 ? sentAt : undefined;
}

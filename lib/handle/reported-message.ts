import { isRecord } from "../base/json.ts";
import { readText } from "../events/read-path.ts";

/**
 * Replaces the webhook's id in messages from reconcile: webhooks' ids are alphanumeric
 * (docs/internals/platform/ids-and-limits.md#chosen-ids).
 */
export const reconcileWebhook = "reconcile-function";

/**
 * Messages of people and apps. Edits, deletions, members and calls have their own triggers; whether
 * `message_sent` also reports their action and call messages is open
 * (docs/internals/platform/events.md#what-fires-message_sent).
 */
const reportedCategories: ReadonlySet<string> = new Set(["message", "custom", "interactive"]);

/**
 * Whether `message_sent` reports, or reported, it: a blocked message has its own event instead, and an
 * undecided one may still get it (docs/internals/platform/moderation.md#status-of-a-message).
 */
export function isReported(message: unknown): message is Record<string, unknown> {
  return mayBeReported(message) && readText(message, moderationStatus) !== "pending";
}

/** For a message that was reported: one undecided then is usually approved by now, and listed as such. */
export function mayBeReported(message: unknown): message is Record<string, unknown> {
  return (
    isRecord(message) &&
    reportedCategories.has(readText(message, "category") ?? "") &&
    readText(message, moderationStatus) !== "disapproved"
  );
}

const moderationStatus = "data.moderation.status";

/** In unix seconds by the platform's clock. */
export function sentAtOf(message: unknown): number | undefined {
  const sentAt = Number(readText(message, "sentAt"));
  return Number.isSafeInteger(sentAt) && sentAt > 0 ? sentAt : undefined;
}

import { isRecord } from "../base/json.ts";
import { readText } from "../events/read-path.ts";

/**
 * Stands in the place of the webhook's id in what reconciling hands over. No webhook has it: their ids are alphanumeric
 * (docs/platform/ids-and-limits.md#chosen-ids).
 */
export const reconcileWebhook = "reconcile-function";

/**
 * What people and apps say. Of edits, deletions, members and calls other triggers tell; whether `message_sent` tells of
 * their action and call messages too is open (docs/platform/events.md#what-fires-message_sent).
 */
const toldCategories: ReadonlySet<string> = new Set(["message", "custom", "interactive"]);

/**
 * Tells whether `message_sent` tells, or told, of a message: what moderation blocked has an event of its own instead,
 * and what it has not decided yet may still come to have it (docs/platform/moderation.md#status-of-a-message).
 */
export function isTold(message: unknown): message is Record<string, unknown> {
  return mayBeTold(message) && readText(message, moderationStatus) !== "pending";
}

/** As `isTold`, of a message that was told of: what was not decided then is mostly approved by now, and so listed. */
export function mayBeTold(message: unknown): message is Record<string, unknown> {
  return (
    isRecord(message) &&
    toldCategories.has(readText(message, "category") ?? "") &&
    readText(message, moderationStatus) !== "disapproved"
  );
}

const moderationStatus = "data.moderation.status";

/** Gives when a message was sent, in unix seconds by the platform's clock; undefined where it does not say so. */
export function sentAtOf(message: unknown): number | undefined {
  const sentAt = Number(readText(message, "sentAt"));
  return Number.isSafeInteger(sentAt) && sentAt > 0 ? sentAt : undefined;
}

import type { TriggerName } from "./chat-event.ts";
import type { EventFamily } from "./identity.ts";

/** Facts about a trigger other than its shape. */
export interface CatalogueEntry {
  /** The families of deliveries with this name. */
  readonly families: readonly EventFamily[];
  /** Month or year of the first evidence; absent for triggers older than the current engine. */
  readonly since?: string;
  /** Whether the platform's table of triggers lists it; absent if unknown. */
  readonly isListed?: boolean;
  /** The source of its payload. */
  readonly source: "documented" | "older-documentation" | "seen-live";
}

/** All triggers with a known payload. @see docs/internals/platform/webhooks.md#families-of-calls */
export const catalogue: Readonly<Record<TriggerName, CatalogueEntry>> = {
  // Messages
  message_sent: { families: ["webhook"], since: "2023-10", isListed: true, source: "documented" },
  message_edited: { families: ["webhook"], since: "2023-10", isListed: true, source: "documented" },
  message_deleted: { families: ["webhook"], since: "2023-10", isListed: true, source: "documented" },
  message_delivery_receipt: {
    families: ["webhook", "legacy"],
    since: "2023-10",
    isListed: true,
    source: "documented",
  },
  message_read_receipt: {
    families: ["webhook", "legacy"],
    since: "2023-10",
    isListed: true,
    source: "documented",
  },
  message_delivered_to_all: {
    families: ["webhook"],
    since: "2024-07",
    isListed: false,
    source: "older-documentation",
  },
  message_read_by_all: {
    families: ["webhook"],
    since: "2024-07",
    isListed: false,
    source: "older-documentation",
  },
  message_reaction_added: { families: ["webhook"], since: "2023-11", isListed: true, source: "documented" },
  message_reaction_removed: { families: ["webhook"], since: "2023-11", isListed: true, source: "documented" },
  user_mentioned: { families: ["webhook"], since: "2023-12", isListed: false, source: "documented" },
  message_pinned: { families: ["webhook"], since: "2026-09", isListed: false, source: "seen-live" },
  message_unpinned: { families: ["webhook"], since: "2026-09", isListed: false, source: "seen-live" },
  // Users
  user_blocked: { families: ["webhook"], since: "2023-10", source: "documented" },
  user_unblocked: { families: ["webhook"], since: "2023-10", source: "documented" },
  user_connection_status_changed: { families: ["webhook"], since: "2023-10", source: "documented" },
  // Groups
  group_created: { families: ["webhook"], since: "2023-10", source: "documented" },
  group_updated: { families: ["webhook"], since: "2023-10", source: "documented" },
  group_deleted: { families: ["webhook"], since: "2023-10", source: "documented" },
  group_owner_transferred: { families: ["webhook"], since: "2023-10", source: "documented" },
  group_member_added: { families: ["webhook"], since: "2023-10", source: "documented" },
  group_member_joined: { families: ["webhook"], since: "2023-10", source: "documented" },
  group_member_left: { families: ["webhook"], since: "2023-10", source: "documented" },
  group_member_kicked: { families: ["webhook"], since: "2023-10", source: "documented" },
  group_member_banned: { families: ["webhook"], since: "2023-10", source: "documented" },
  group_member_unbanned: { families: ["webhook"], since: "2023-10", source: "documented" },
  group_member_scope_changed: { families: ["webhook"], since: "2023-10", source: "documented" },
  // Phone calls and their sessions
  call_initiated: { families: ["webhook"], since: "2023-10", source: "documented" },
  call_busy: { families: ["webhook"], since: "2025-04", source: "documented" },
  call_cancelled: { families: ["webhook"], since: "2025-04", source: "documented" },
  call_rejected: { families: ["webhook"], since: "2025-04", source: "documented" },
  call_unanswered: { families: ["webhook"], since: "2025-04", source: "documented" },
  call_started: { families: ["webhook"], since: "2023-10", source: "documented" },
  call_participant_joined: { families: ["webhook"], since: "2023-10", source: "documented" },
  call_participant_left: { families: ["webhook"], since: "2023-10", source: "documented" },
  call_ended: { families: ["webhook"], since: "2023-10", source: "documented" },
  meeting_started: { families: ["webhook"], since: "2023-10", source: "documented" },
  meeting_participant_joined: { families: ["webhook"], since: "2023-10", source: "documented" },
  meeting_participant_left: { families: ["webhook"], since: "2023-10", source: "documented" },
  meeting_ended: { families: ["webhook"], since: "2023-10", source: "documented" },
  recording_generated: { families: ["webhook"], since: "2023-10", source: "documented" },
  transcription_generated: { families: ["webhook"], since: "2026", source: "documented" },
  // Moderation
  moderation_engine_approved: { families: ["webhook"], since: "2025-02", source: "documented" },
  moderation_engine_blocked: { families: ["webhook"], since: "2025-02", source: "documented" },
  moderation_manual_approved: { families: ["webhook"], since: "2025-02", source: "documented" },
  moderation_engine_failed: { families: ["webhook"], since: "2026", source: "documented" },
  // Campaigns
  after_campaign_completed: { families: ["webhook"], since: "2026", source: "documented" },
  after_campaign_failed: { families: ["webhook"], since: "2026", source: "documented" },
  after_notification_created: { families: ["webhook"], since: "2026", source: "documented" },
  after_feed_item_sent: { families: ["webhook"], since: "2026", source: "documented" },
  after_feed_item_delivered: { families: ["webhook"], since: "2026", source: "documented" },
  after_feed_item_read: { families: ["webhook"], since: "2026", source: "documented" },
  after_feed_item_interacted: { families: ["webhook"], since: "2026", source: "documented" },
  after_push_notification_sent: { families: ["webhook"], since: "2026", source: "documented" },
  after_push_notification_delivered: { families: ["webhook"], since: "2026", source: "documented" },
  after_push_notification_clicked: { families: ["webhook"], since: "2026", source: "documented" },
  // Legacy engine and bots
  before_message: { families: ["legacy"], source: "documented" },
  after_message: { families: ["legacy", "bot"], source: "documented" },
  after_connection_status_changed: { families: ["legacy"], source: "documented" },
  // Custom providers and extensions
  "push-notification-payload-generated": { families: ["notification"], source: "documented" },
  "email-notification-payload-generated": { families: ["notification"], source: "documented" },
  "sms-notification-payload-generated": { families: ["notification"], source: "documented" },
  "email-extension": { families: ["extension"], source: "documented" },
};

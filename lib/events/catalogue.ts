import { recordOf } from "../base/record-of.ts";
import type { TriggerName } from "./chat-event.ts";
import type { EventFamily } from "./identity.ts";

/** What is known about a trigger. */
export interface CatalogueEntry {
  /** The families of deliveries with this name. */
  readonly families: readonly EventFamily[];
  /** Month or year of the first evidence; absent for older triggers. */
  readonly since?: string;
  /** Whether the platform's table lists it; absent if unknown. */
  readonly isListed?: boolean;
  /** The source of its payload. */
  readonly source: "documented" | "older-documentation" | "seen-live";
}

const webhook = { families: ["webhook"], source: "documented" } as const;
const first = { ...webhook, since: "2023-10" } as const;
const notification = { families: ["notification"], source: "documented" } as const;
const in2026 = { ...webhook, since: "2026" } as const;

/** All triggers with a known payload. @see docs/internals/platform/webhooks.md#families-of-calls */
export const catalogue: Readonly<Record<TriggerName, CatalogueEntry>> = {
  ...entries(["message_sent", "message_edited", "message_deleted"], { ...first, isListed: true }),
  ...entries(["message_delivery_receipt", "message_read_receipt"], {
    ...first,
    families: ["webhook", "legacy"],
    isListed: true,
  }),
  ...entries(["message_delivered_to_all", "message_read_by_all"], {
    families: ["webhook"],
    since: "2024-07",
    isListed: false,
    source: "older-documentation",
  }),
  ...entries(["message_reaction_added", "message_reaction_removed"], {
    ...webhook,
    since: "2023-11",
    isListed: true,
  }),
  user_mentioned: { ...webhook, since: "2023-12", isListed: false },
  ...entries(["message_pinned", "message_unpinned"], {
    families: ["webhook"],
    since: "2026-09",
    isListed: false,
    source: "seen-live",
  }),
  ...entries(["user_blocked", "user_unblocked", "user_connection_status_changed"], first),
  ...entries(["group_created", "group_updated", "group_deleted", "group_owner_transferred"], first),
  ...entries(
    ["group_member_added", "group_member_joined", "group_member_left", "group_member_kicked"],
    first,
  ),
  ...entries(["group_member_banned", "group_member_unbanned", "group_member_scope_changed"], first),
  call_initiated: first,
  ...entries(["call_busy", "call_cancelled", "call_rejected", "call_unanswered"], {
    ...webhook,
    since: "2025-04",
  }),
  ...entries(["call_started", "call_participant_joined", "call_participant_left", "call_ended"], first),
  ...entries(
    ["meeting_started", "meeting_participant_joined", "meeting_participant_left", "meeting_ended"],
    first,
  ),
  recording_generated: first,
  transcription_generated: in2026,
  ...entries(["moderation_engine_approved", "moderation_engine_blocked", "moderation_manual_approved"], {
    ...webhook,
    since: "2025-02",
  }),
  moderation_engine_failed: in2026,
  ...entries(["after_campaign_completed", "after_campaign_failed", "after_notification_created"], in2026),
  ...entries(["after_feed_item_sent", "after_feed_item_delivered", "after_feed_item_read"], in2026),
  ...entries(["after_feed_item_interacted", "after_push_notification_sent"], in2026),
  ...entries(["after_push_notification_delivered", "after_push_notification_clicked"], in2026),
  before_message: { families: ["legacy"], source: "documented" },
  after_message: { families: ["legacy", "bot"], source: "documented" },
  after_connection_status_changed: { families: ["legacy"], source: "documented" },
  ...entries(["push-notification-payload-generated", "email-notification-payload-generated"], notification),
  "sms-notification-payload-generated": notification,
  "email-extension": { families: ["extension"], source: "documented" },
};

function entries<const Name extends string>(names: readonly Name[], entry: CatalogueEntry) {
  return recordOf(names, () => entry);
}

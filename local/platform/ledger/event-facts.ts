import type { Fidelity } from "../fidelity.ts";

/** Tells where a page describes an event, and what was seen live or assumed of it. */
export type EventFact = { level: Fidelity; source: string; note?: string };

/** Gives what is known of an event of the current engine. */
export function factOfEvent(trigger: string): EventFact {
  const special = specialEvents[trigger];
  if (special !== undefined) return special;
  const family = families.find(({ prefix }) => trigger.startsWith(prefix));
  return { level: "documented", source: family?.source ?? "webhooks §4, §5" };
}

/** Gives what is known of an event of the legacy engine. */
export function factOfLegacyEvent(trigger: string): EventFact {
  if (trigger === "before_message") {
    return { level: "documented", source: "webhooks §7", note: "Time limit and failure are switches." };
  }
  if (trigger === "user_connection_status_change") {
    return {
      level: "documented",
      source: "webhooks §7, secondary-apis §2",
      note: "Carries the name after_connection_status_changed; times are numbers (assumed).",
    };
  }
  return { level: "documented", source: "webhooks §7" };
}

const specialEvents: Record<string, EventFact> = {
  message_edited: { level: "live", source: "webhooks §5", note: "The documented form is a switch." },
  message_deleted: { level: "live", source: "webhooks §5", note: "The documented form is a switch." },
  message_pinned: { level: "live", source: "webhooks §5" },
  message_unpinned: { level: "live", source: "webhooks §5" },
  group_member_banned: { level: "live", source: "webhooks §4", note: "The live bug is a switch." },
  group_member_unbanned: { level: "live", source: "webhooks §4", note: "The live bug is a switch." },
  call_cancelled: { level: "live", source: "webhooks §3, §4", note: "`entities` are a switch." },
  call_rejected: { level: "live", source: "webhooks §3, §4", note: "`entities` are a switch." },
  call_busy: { level: "live", source: "webhooks §3, §4", note: "`entities` are a switch." },
  call_unanswered: { level: "live", source: "webhooks §3, §4", note: "`entities` are a switch." },
  moderation_engine_blocked: {
    level: "live",
    source: "webhooks §4, §5",
    note: "Comes instead of message_sent, which is a switch.",
  },
  after_feed_item_delivered: {
    level: "live",
    source: "webhooks §4 Campaigns",
    note: "The documented form is a switch.",
  },
  after_feed_item_interacted: {
    level: "live",
    source: "webhooks §4 Campaigns",
    note: "The documented form is a switch.",
  },
  moderation_engine_failed: { level: "documented", source: "webhooks §6" },
};

const families = [
  { prefix: "message_", source: "webhooks §4 Messages, §5" },
  { prefix: "user_", source: "webhooks §4 Users, §5" },
  { prefix: "group_", source: "webhooks §4 Groups, §5" },
  { prefix: "call_", source: "webhooks §4 Calls, §5" },
  { prefix: "meeting_", source: "webhooks §4 Calls, §5" },
  { prefix: "recording_", source: "webhooks §4 Calls, §5" },
  { prefix: "transcription_", source: "webhooks §4 Calls, §5" },
  { prefix: "moderation_", source: "webhooks §4 Moderation, §5" },
  { prefix: "after_", source: "webhooks §4 Campaigns, §5" },
];

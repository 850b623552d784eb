import type { Fidelity } from "../fidelity.ts";

/** Tells where a page describes an event, and what was seen live or assumed of it. */
export type EventFact = { level: Fidelity; source: string; note?: string };

/** Gives what is known of an event of the current engine. */
export function factOfEvent(trigger: string): EventFact {
  const special = specialEvents[trigger];
  if (special !== undefined) return special;
  const family = families.find(({ prefix }) => trigger.startsWith(prefix));
  return { level: "documented", source: family?.source ?? "docs/platform/events.md#triggers" };
}

/** Gives what is known of an event of the legacy engine. */
export function factOfLegacyEvent(trigger: string): EventFact {
  if (trigger === "before_message") {
    return {
      level: "documented",
      source: "docs/platform/legacy-engine.md#before-a-message",
      note: "Time limit and failure are switches.",
    };
  }
  if (trigger === "user_connection_status_change") {
    return {
      level: "documented",
      source: "docs/platform/legacy-engine.md#legacy-triggers",
      note: "Carries the name after_connection_status_changed; times are numbers (assumed).",
    };
  }
  return { level: "documented", source: "docs/platform/legacy-engine.md#legacy-triggers" };
}

const specialEvents: Record<string, EventFact> = {
  message_edited: {
    level: "live",
    source: "docs/platform/events.md#edited-and-deleted-messages",
    note: "The documented form is a switch.",
  },
  message_deleted: {
    level: "live",
    source: "docs/platform/events.md#edited-and-deleted-messages",
    note: "The documented form is a switch.",
  },
  message_pinned: { level: "live", source: "docs/platform/events.md#pinned-messages" },
  message_unpinned: { level: "live", source: "docs/platform/events.md#pinned-messages" },
  group_member_banned: {
    level: "live",
    source: "docs/platform/events.md#bans-on-behalf-of-a-user",
    note: "The live bug is a switch.",
  },
  group_member_unbanned: {
    level: "live",
    source: "docs/platform/events.md#bans-on-behalf-of-a-user",
    note: "The live bug is a switch.",
  },
  call_cancelled: {
    level: "live",
    source: "docs/platform/events.md#call-signalling",
    note: "`entities` are a switch.",
  },
  call_rejected: {
    level: "live",
    source: "docs/platform/events.md#call-signalling",
    note: "`entities` are a switch.",
  },
  call_busy: {
    level: "live",
    source: "docs/platform/events.md#call-signalling",
    note: "`entities` are a switch.",
  },
  call_unanswered: {
    level: "live",
    source: "docs/platform/events.md#call-signalling",
    note: "`entities` are a switch.",
  },
  moderation_engine_blocked: {
    level: "live",
    source: "docs/platform/events.md#moderation-events",
    note: "Comes instead of message_sent, which is a switch.",
  },
  after_feed_item_delivered: {
    level: "live",
    source: "docs/platform/events.md#feed-items-live",
    note: "The documented form is a switch.",
  },
  after_feed_item_interacted: {
    level: "live",
    source: "docs/platform/events.md#feed-items-live",
    note: "The documented form is a switch.",
  },
  moderation_engine_failed: { level: "documented", source: "docs/platform/events.md#failed-engines" },
};

const families = [
  { prefix: "message_", source: "docs/platform/events.md#message-events" },
  { prefix: "user_", source: "docs/platform/events.md#blocks, docs/platform/events.md#connections" },
  { prefix: "group_", source: "docs/platform/events.md#group-events" },
  {
    prefix: "call_",
    source: "docs/platform/events.md#call-signalling, docs/platform/events.md#call-sessions",
  },
  { prefix: "meeting_", source: "docs/platform/events.md#call-sessions" },
  { prefix: "recording_", source: "docs/platform/events.md#recordings-and-transcripts" },
  { prefix: "transcription_", source: "docs/platform/events.md#recordings-and-transcripts" },
  { prefix: "moderation_", source: "docs/platform/events.md#moderation-events" },
  { prefix: "after_", source: "docs/platform/events.md#campaign-events" },
];

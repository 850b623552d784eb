import type { Fidelity, Level } from "../fidelity.ts";

/** Tells where a page describes an event, and what was seen live or assumed of it. */
type EventFact = { level: Fidelity; source: string; note?: string };

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

/** Lists what goes to customers' servers and is no webhook. `covered` is its id in the table of coverage. */
export const callbackFacts: readonly {
  id: string;
  covered?: string;
  level: Level;
  source: string;
  notes: readonly string[];
}[] = [
  {
    id: "before_message",
    covered: "callback before_message",
    level: "documented",
    source: "docs/platform/legacy-engine.md#before-a-message",
    notes: [
      "Several hooks are asked in turn (assumed).",
      "A dropped message answers ERR_BLOCKED_BY_WEBHOOK (assumed).",
    ],
  },
  {
    id: "custom moderation API",
    covered: "callback custom_moderation",
    level: "documented",
    source: "docs/platform/moderation.md#custom-api, docs/platform/events.md#failed-engines",
    notes: [
      "Asked about text and custom messages; the body for media is not documented.",
      "The key of the message under test is its sender (assumed).",
    ],
  },
  {
    id: "bot callback",
    covered: "event after_message",
    level: "documented",
    source: "docs/platform/other-calls.md#bots",
    notes: [
      "The platform's dashboard makes bots; here `PUT /_platform/apps/{appId}/bots/{uid}` does, which is the emulation's own.",
      "The group setting's values are assumed.",
      "`origin` names the platform alone.",
    ],
  },
  {
    id: "push provider",
    covered: "event push-notification-payload-generated",
    level: "documented",
    source: "docs/platform/other-calls.md#push",
    notes: [
      "Called about messages, reactions, group actions and calls; not about edited and deleted messages.",
      "Preferences, mutes, do not disturb and schedules are obeyed, mutes first (order assumed).",
      "A mention with bypassPreferencesForMentions passes preferences, not mutes and schedules (assumed).",
      "Titles are `sender` and `sender @ group`; group actions are told in words made after the one printed (assumed).",
    ],
  },
  {
    id: "e-mail provider",
    covered: "event email-notification-payload-generated",
    level: "documented",
    source: "docs/platform/other-calls.md#e-mail-and-sms",
    notes: [
      "The interval runs from the first unread message (assumed).",
      "Preferences and mutes of the time the message came count; quotas a day are not kept.",
    ],
  },
  {
    id: "SMS provider",
    covered: "event sms-notification-payload-generated",
    level: "documented",
    source: "docs/platform/other-calls.md#e-mail-and-sms",
    notes: [
      "The interval runs from the first unread message (assumed).",
      "Preferences and mutes of the time the message came count; quotas a day are not kept.",
    ],
  },
  {
    id: "legacy extension callbacks",
    level: "not built",
    source: "docs/platform/other-calls.md#legacy-extensions",
    notes: ["Two of the three bodies are not documented."],
  },
  {
    id: "AI agents: API tools, MCP servers, own agents",
    level: "not built",
    source: "docs/platform/other-calls.md#ai-agents",
    notes: ["The customer defines the shapes."],
  },
];

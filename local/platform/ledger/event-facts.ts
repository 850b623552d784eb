import type { Fidelity, Level } from "../fidelity.ts";
import { defined } from "../json.ts";

/** Describes where a page describes an event, and what was seen live or assumed of it. */
type EventFact = { level: Fidelity; source: string; note?: string };

/** Returns what is known of an event of the current engine. */
export function factOfEvent(trigger: string): EventFact {
  const family = Object.entries(families).find(([prefix]) => trigger.startsWith(prefix));
  return specialEvents[trigger] ?? documented(`events.md#${family?.[1] ?? "triggers"}`);
}

/** Returns what is known of an event of the legacy engine. */
export function factOfLegacyEvent(trigger: string): EventFact {
  if (trigger === "before_message") {
    return documented("legacy-engine.md#before-a-message", "Time limit and failure are switches.");
  }
  const renamed = "Carries the name after_connection_status_changed; times are numbers (assumed).";
  const note = trigger === "user_connection_status_change" ? renamed : undefined;
  return documented("legacy-engine.md#legacy-triggers", note);
}

const edited = live("edited-and-deleted-messages", "The documented form is a switch.");
const banned = live("bans-on-behalf-of-a-user", "The live bug is a switch.");
const signalled = live("call-signalling", "`entities` are a switch.");
const feedItem = live("feed-items-live", "The documented form is a switch.");
const pinned = live("pinned-messages");

const specialEvents: Record<string, EventFact> = {
  message_edited: edited,
  message_deleted: edited,
  message_pinned: pinned,
  message_unpinned: pinned,
  group_member_banned: banned,
  group_member_unbanned: banned,
  call_cancelled: signalled,
  call_rejected: signalled,
  call_busy: signalled,
  call_unanswered: signalled,
  moderation_engine_blocked: live("moderation-events", "Comes instead of message_sent, which is a switch."),
  after_feed_item_delivered: feedItem,
  after_feed_item_interacted: feedItem,
  moderation_engine_failed: documented("events.md#failed-engines"),
};

const families = {
  message_: "message-events",
  user_: "blocks, docs/internals/platform/events.md#connections",
  group_: "group-events",
  call_: "call-signalling, docs/internals/platform/events.md#call-sessions",
  meeting_: "call-sessions",
  recording_: "recordings-and-transcripts",
  transcription_: "recordings-and-transcripts",
  moderation_: "moderation-events",
  after_: "campaign-events",
};

function live(section: string, note?: string): EventFact {
  return { ...documented(`events.md#${section}`), level: "live", ...defined({ note }) };
}

function documented(place: string, note?: string): EventFact {
  return { level: "documented", source: `docs/internals/platform/${place}`, ...defined({ note }) };
}

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
    source: "docs/internals/platform/legacy-engine.md#before-a-message",
    notes: [
      "Several hooks are asked in turn (assumed).",
      "A dropped message answers ERR_BLOCKED_BY_WEBHOOK (assumed).",
    ],
  },
  {
    id: "custom moderation API",
    covered: "callback custom_moderation",
    level: "documented",
    source:
      "docs/internals/platform/moderation.md#custom-api, docs/internals/platform/events.md#failed-engines",
    notes: [
      "Asked about text and custom messages; the body for media is not documented.",
      "The key of the message under test is its sender (assumed).",
    ],
  },
  {
    id: "bot callback",
    covered: "event after_message",
    level: "documented",
    source: "docs/internals/platform/other-calls.md#bots",
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
    source: "docs/internals/platform/other-calls.md#push",
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
    source: "docs/internals/platform/other-calls.md#e-mail-and-sms",
    notes: [
      "The interval runs from the first unread message (assumed).",
      "Preferences and mutes of the time the message came count; quotas a day are not kept.",
    ],
  },
  {
    id: "SMS provider",
    covered: "event sms-notification-payload-generated",
    level: "documented",
    source: "docs/internals/platform/other-calls.md#e-mail-and-sms",
    notes: [
      "The interval runs from the first unread message (assumed).",
      "Preferences and mutes of the time the message came count; quotas a day are not kept.",
    ],
  },
  {
    id: "legacy extension callbacks",
    level: "not built",
    source: "docs/internals/platform/other-calls.md#legacy-extensions",
    notes: ["Two of the three bodies are not documented."],
  },
  {
    id: "AI agents: API tools, MCP servers, own agents",
    level: "not built",
    source: "docs/internals/platform/other-calls.md#ai-agents",
    notes: ["The customer defines the shapes."],
  },
];

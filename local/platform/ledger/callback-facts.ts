import type { Level } from "../fidelity.ts";

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

import type { Level } from "../fidelity.ts";

/** Lists the calls to customers' servers that are no webhooks. `word` is looked for in the tests. */
export const callbackFacts: readonly {
  id: string;
  word: string;
  level: Level;
  source: string;
  notes: readonly string[];
}[] = [
  {
    id: "before_message",
    word: "before_message",
    level: "documented",
    source: "docs/platform/legacy-engine.md#before-a-message",
    notes: [
      "Several hooks are asked in turn (assumed).",
      "A dropped message answers ERR_BLOCKED_BY_WEBHOOK (assumed).",
    ],
  },
  {
    id: "custom moderation API",
    word: "custom moderation",
    level: "documented",
    source: "docs/platform/moderation.md#custom-api, docs/platform/events.md#failed-engines",
    notes: [
      "Asked about text and custom messages; the body for media is not documented.",
      "The key of the message under test is its sender (assumed).",
    ],
  },
  {
    id: "bot callback",
    word: "bots",
    level: "documented",
    source: "docs/platform/other-calls.md#bots",
    notes: ["The group setting's values are assumed.", "`origin` names the platform alone."],
  },
  {
    id: "push provider",
    word: "push-notification-payload-generated",
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
    word: "email-notification-payload-generated",
    level: "documented",
    source: "docs/platform/other-calls.md#e-mail-and-sms",
    notes: [
      "The interval runs from the first unread message (assumed).",
      "Preferences and mutes of the time the message came count; quotas a day are not kept.",
    ],
  },
  {
    id: "SMS provider",
    word: "sms-notification-payload-generated",
    level: "documented",
    source: "docs/platform/other-calls.md#e-mail-and-sms",
    notes: [
      "The interval runs from the first unread message (assumed).",
      "Preferences and mutes of the time the message came count; quotas a day are not kept.",
    ],
  },
  {
    id: "legacy extension callbacks",
    word: "legacy extension callbacks",
    level: "not built",
    source: "docs/platform/other-calls.md#legacy-extensions",
    notes: ["Two of the three bodies are not documented."],
  },
  {
    id: "AI agents: API tools, MCP servers, own agents",
    word: "AI agents",
    level: "not built",
    source: "docs/platform/other-calls.md#ai-agents",
    notes: ["The customer defines the shapes."],
  },
];

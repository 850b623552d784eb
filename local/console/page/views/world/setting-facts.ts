export interface SettingFact {
  readonly key: string;
  readonly title: string;
  readonly hint: string;
  /** The emulation acts on it instead of only storing it. */
  readonly acts: boolean;
  /** The default; undefined if it is not known. */
  readonly initial: boolean | undefined;
}

/**
 * The known settings. A test compares the keys and `acts` with the emulation.
 * @see docs/internals/platform/management.md#settings,
 * docs/internals/platform/conversations.md#life-of-a-conversation
 */
export const settingFacts: readonly {
  readonly group: string;
  readonly says: string;
  readonly settings: readonly SettingFact[];
}[] = [
  {
    group: "Conversations",
    says: "Which messages become a conversation's last one and move it up in the list.",
    settings: [
      {
        key: "core.conversations.updateOnGroupActions",
        title: "Acts in groups",
        hint: "Somebody joins, leaves, is kicked, banned or promoted.",
        acts: true,
        initial: true,
      },
      {
        key: "core.conversations.updateOnReplies",
        title: "Replies in threads",
        hint: "A message with a parent.",
        acts: true,
        initial: true,
      },
      {
        key: "core.conversations.updateOnMessageActions",
        title: "Edits and deletions",
        hint: "The action message that an edit or a deletion leaves.",
        acts: true,
        initial: false,
      },
      {
        key: "core.conversations.updateOnCallActivity",
        title: "Calls",
        hint: "Messages that tell of a call.",
        acts: true,
        initial: false,
      },
      {
        key: "core.conversations.updateOnCustomMessage",
        title: "Custom messages",
        hint: "Known from an example alone; without a documented default it counts as on until it is switched off.",
        acts: true,
        initial: true,
      },
    ],
  },
  {
    group: "Threads",
    says: "What no page says more of: the emulation keeps it.",
    settings: [
      {
        key: "core.threads.updateOnMessageActions",
        title: "Edits and deletions in threads",
        hint: "Kept and shown again; nothing follows from it here.",
        acts: false,
        initial: false,
      },
    ],
  },
  {
    group: "Push notifications",
    says: "Kept as they are set. What they change on the platform is not documented.",
    settings: [
      {
        key: "core.notifications.push.enabled",
        title: "Push notifications",
        hint: "Off unless it is set.",
        acts: false,
        initial: false,
      },
      {
        key: "core.notifications.push.accessible",
        title: "Accessible",
        hint: "Known from an example alone.",
        acts: false,
        initial: undefined,
      },
      {
        key: "core.notifications.push.advanced.enabled",
        title: "Advanced",
        hint: "Known from an example alone.",
        acts: false,
        initial: undefined,
      },
      {
        key: "core.notifications.push.advanced.included",
        title: "Advanced: included",
        hint: "A list of texts, known from an example alone.",
        acts: false,
        initial: undefined,
      },
    ],
  },
];

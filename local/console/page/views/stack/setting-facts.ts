export interface SettingFact {
  readonly key: string;
  readonly title: string;
  readonly hint: string;
  /** False if the emulation only stores it. */
  readonly acts: boolean;
  readonly initial: boolean | undefined;
}

/**
 * A test compares the keys and `acts` with the emulation.
 * @see docs/internals/platform/management.md#settings,
 * docs/internals/platform/conversations.md#life-of-a-conversation
 */
export const settingFacts: readonly {
  readonly group: string;
  readonly description: string;
  readonly settings: readonly SettingFact[];
}[] = [
  {
    group: "Conversations",
    description: "Which messages become a conversation's last one and move it up in the list.",
    settings: [
      {
        key: "core.conversations.updateOnGroupActions",
        title: "Acts in groups",
        hint: "A member joins, leaves, is kicked, banned or promoted.",
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
        hint: "Messages about a call.",
        acts: true,
        initial: false,
      },
      {
        key: "core.conversations.updateOnCustomMessage",
        title: "Custom messages",
        hint: "Known only from an example. Without a documented default, it counts as on until it is turned off.",
        acts: true,
        initial: true,
      },
    ],
  },
  {
    group: "Threads",
    description: "Not described further on any page; the emulation only stores it.",
    settings: [
      {
        key: "core.threads.updateOnMessageActions",
        title: "Edits and deletions in threads",
        hint: "Only stored and returned here.",
        acts: false,
        initial: false,
      },
    ],
  },
  {
    group: "Push notifications",
    description: "Only stored. Their effect on the platform is not documented.",
    settings: [
      {
        key: "core.notifications.push.enabled",
        title: "Push notifications",
        hint: "Off by default.",
        acts: false,
        initial: false,
      },
      {
        key: "core.notifications.push.accessible",
        title: "Accessible",
        hint: "Known only from an example.",
        acts: false,
        initial: undefined,
      },
      {
        key: "core.notifications.push.advanced.enabled",
        title: "Advanced",
        hint: "Known only from an example.",
        acts: false,
        initial: undefined,
      },
      {
        key: "core.notifications.push.advanced.included",
        title: "Advanced: included",
        hint: "A list of texts, known only from an example.",
        acts: false,
        initial: undefined,
      },
    ],
  },
];

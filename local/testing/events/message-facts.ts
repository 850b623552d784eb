/** What a builder lets its caller choose of a message. */
export interface MessageFacts {
  /** Default: `1001`. */
  id?: string;
  /** Default: `Hello`. */
  text?: string;
  /** The uid of who writes. Default: `ann`. */
  sender?: string;
  /** The uid of the other person; ignored for a message in a group. Default: `bela`. */
  receiver?: string;
  /** Makes it a message in this group. */
  guid?: string;
  /** Default: `message`. */
  category?: string;
  /** Default: `text`. */
  type?: string;
  /** In seconds since 1970. Default: 2026-11-20T12:00:00Z. */
  sentAt?: number;
  /** The id of the message that this one answers in a thread. */
  parentId?: string;
  /** Labels of the message. */
  tags?: string[];
  /** `data.metadata`. */
  metadata?: Record<string, unknown>;
  /** `data.attachments`. */
  attachments?: Record<string, unknown>[];
  /** `data.customData`. */
  customData?: Record<string, unknown>;
}

/** What can be chosen of a message that names people. */
export interface MentionFacts extends MessageFacts {
  /** The uids of those whom it names. Default: the receiver's. */
  uids?: string[];
}

/** What can be chosen of a message that is edited, deleted, pinned or unpinned. */
export interface MessageChangeFacts extends MessageFacts {
  /** The uid of who changes it. Default: its sender; of a pin, `ann`. */
  by?: string;
  /** In seconds since 1970. Default: some seconds after the message was sent. */
  at?: number;
  /** `live`: the changed message itself, as seen live. `documented`: an action message that holds it. */
  form?: "live" | "documented";
}

/** What can be chosen of a message to a bot. */
export interface BotMessageFacts extends MessageFacts {
  /** The bot's uid. Default: `helper`. */
  bot?: string;
}

/** What can be chosen of a receipt, in either engine. */
export interface ReceiptFacts {
  /** Default: `1001`. */
  messageId?: string;
  /** The uid of who received or read. Default: `bela`. */
  reader?: string;
  /** The uid of who wrote the message. Default: `ann`. */
  author?: string;
  /** Makes it a receipt of a message in this group. */
  guid?: string;
  /** In seconds since 1970. */
  at?: number;
}

/** What can be chosen of a reaction. */
export interface ReactionFacts {
  /** The reaction's own id. */
  id?: string;
  /** Default: `1001`. */
  messageId?: string;
  /** The emoji. */
  reaction?: string;
  /** The uid of who reacts. Default: `bela`. */
  uid?: string;
  /** In seconds since 1970. */
  reactedAt?: number;
}

/** What can be chosen of a message that the moderation decided on. */
export interface ModerationDecisionFacts extends MessageFacts {
  /** The id of the rule that matches. Default: `no-spam`. */
  ruleId?: string;
  /** Its name. */
  ruleName?: string;
}

/** What can be chosen of a message that an engine of the moderation could not judge. */
export interface ModerationFailureFacts extends MessageFacts {
  /** Default: `text`. */
  contentType?: string;
  /** What happened to the message nevertheless. Default: `approved`. */
  outcome?: "approved" | "disapproved";
  /** `http_5xx` (the default), `timeout` and the like. */
  failure?: string;
  /** In seconds since 1970. */
  completedAt?: number;
}

/** What can be chosen of a push, an e-mail or an SMS for a provider of one's own. */
export interface NotificationFacts {
  /** The uid of who is to get it. Default: `bela`. */
  to?: string;
  /** The uid of who wrote. Default: `ann`. */
  from?: string;
  /** What was written. Default: `Hello`. */
  text?: string;
  /** Makes it about a message in this group. */
  guid?: string;
}

/** What can be chosen of a push for a provider of one's own. */
export interface PushPayloadFacts extends NotificationFacts {
  /** Default: `1001`. */
  messageId?: string;
  /** In milliseconds since 1970. */
  atMs?: number;
}

/** What can be chosen of the e-mail extension's call. */
export interface EmailExtensionFacts {
  /** The address to write to. */
  to?: string;
  /** What is unread. Default: one message. */
  messages?: MessageFacts[];
}

/** The options of a message. */
export interface MessageFacts {
  /** Default: `1001`. */
  id?: string;
  /** Default: `Hello`. */
  text?: string;
  /** The sender's uid. Default: `ann`. */
  sender?: string;
  /** The receiver's uid, except in a group. Default: `bela`. */
  receiver?: string;
  /** Makes it a message in this group. */
  guid?: string;
  /** Default: `message`. With `agentic`, the sender is an AI agent. */
  category?: string;
  /** Default: `text`, of an agent `assistant`. */
  type?: string;
  /** Seconds since 1970. Default: 2026-11-20T12:00:00Z. */
  sentAt?: number;
  /** The id of the thread's parent message. */
  parentId?: string;
  tags?: string[];
  /** `data.metadata`. */
  metadata?: Record<string, unknown>;
  /** `data.attachments`. */
  attachments?: Record<string, unknown>[];
  /** `data.customData`. */
  customData?: Record<string, unknown>;
  /** Other fields of `data`, such as the `toolCalls` of an agent. */
  content?: Record<string, unknown>;
}

/** The options of a message with mentions. */
export interface MentionFacts extends MessageFacts {
  /** The uids of the mentioned users. Default: the receiver's. */
  uids?: string[];
}

/** The options of a message that is edited, deleted, pinned or unpinned. */
export interface MessageChangeFacts extends MessageFacts {
  /** The uid of the user who changes it. Default: its sender; for a pin, `ann`. */
  by?: string;
  /** Seconds since 1970. Default: some seconds after the message was sent. */
  at?: number;
  /** `live`: the changed message, as observed. `documented`: an action message that contains it. */
  form?: "live" | "documented";
}

/** The options of a message to a bot. */
export interface BotMessageFacts extends MessageFacts {
  /** The bot's uid. Default: `helper`. */
  bot?: string;
}

/** The options of a receipt, in either engine. */
export interface ReceiptFacts {
  /** Default: `1001`. */
  messageId?: string;
  /** The uid of the recipient or reader. Default: `bela`. */
  reader?: string;
  /** The uid of the message's sender. Default: `ann`. */
  author?: string;
  /** Makes it a receipt of a message in this group. */
  guid?: string;
  /** Seconds since 1970. */
  at?: number;
}

/** The options of a reaction. */
export interface ReactionFacts {
  /** The reaction's id. */
  id?: string;
  /** Default: `1001`. */
  messageId?: string;
  reaction?: string;
  /** The uid of the user who reacts. Default: `bela`. */
  uid?: string;
  /** Seconds since 1970. */
  reactedAt?: number;
}

/** The options of a message that moderation decided on. */
export interface ModerationDecisionFacts extends MessageFacts {
  /** The matching rule's id. Default: `no-spam`. */
  ruleId?: string;
  /** The matching rule's name. */
  ruleName?: string;
}

/** The options of a message that an engine could not judge. */
export interface ModerationFailureFacts extends MessageFacts {
  /** Default: `text`. */
  contentType?: string;
  /** What happened to the message. Default: `approved`. */
  outcome?: "approved" | "disapproved";
  /** `http_5xx` (the default), `timeout` and others. */
  failure?: string;
  /** Seconds since 1970. */
  completedAt?: number;
}

/** The options of a push, e-mail or SMS for a custom provider. */
export interface NotificationFacts {
  /** The recipient's uid. Default: `bela`. */
  to?: string;
  /** The sender's uid. Default: `ann`. */
  from?: string;
  /** The message's text. Default: `Hello`. */
  text?: string;
  /** Makes it about a message in this group. */
  guid?: string;
}

/** The options of a push for a custom provider. */
export interface PushPayloadFacts extends NotificationFacts {
  /** Default: `1001`. */
  messageId?: string;
  /** Milliseconds since 1970. */
  atMs?: number;
}

/** The options of the e-mail extension's call. */
export interface EmailExtensionFacts {
  /** The address to write to. */
  to?: string;
  /** The unread messages. Default: one. */
  messages?: MessageFacts[];
}

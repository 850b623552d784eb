/**
 * Behaviours the platform's pages leave open or contradict. Each has a default and can be switched per platform.
 * This is the one table of assumptions that change what the emulation does.
 */
export type Switches = {
  /** Where the second retry's 30 s count from: not documented (platform facts: webhooks §2). */
  secondRetryFrom: "firstAttempt" | "firstRetry";
  /** `live`: the flat message with its original id; `documented`: the action message (platform facts: webhooks §5). */
  editedAndDeletedForm: "live" | "documented";
  /** Who `members` of a ban or unban event with onBehalfOf holds: `live` the acting user (a bug), `documented` the banned one (webhooks §4). */
  bannedMembersForm: "live" | "documented";
  /** `object` follows the schema of a single conversation, `array` the printed examples (chat-api §9). */
  singleConversationForm: "object" | "array";
  /** Whether group receipts "to all" fire; the platform needs "Enhanced Messaging Status" for them (webhooks §4). */
  receiptsToAll: boolean;
  /** Number of user_mentioned events for one message: not documented (platform facts: webhooks §2). */
  userMentionedEvents: "perMessage" | "perMentionedUser";
  /** Default `limit` of message lists: declared 10, printed examples show 100 (platform facts: chat-api §3). */
  defaultMessageLimit: number;
  /** `enabled` of a new webhook when the request does not say: not documented (platform facts: secondary-apis §2). */
  webhookEnabledByDefault: boolean;
  /** Status of ERR_UID_ALREADY_EXISTS and ERR_GUID_ALREADY_EXISTS: clients expect 400 or 409 (chat-api §6). */
  duplicateIdStatus: 400 | 409;
  /** Milliseconds a webhook may take to answer (platform facts: webhooks §2, "within 2 seconds"). */
  deliveryTimeoutMs: number;
  /** Whether an authOnly key may create users: the pages contradict each other (platform facts: chat-api §1). */
  authOnlyCreatesUsers: boolean;
  /** Events of a blocked message: seen live without message_sent (platform facts: webhooks §4 Moderation). */
  blockedMessageEvents: "insteadOfSent" | "besidesSent";
  /** Milliseconds a before_message hook may take: not documented (platform facts: webhooks §7). */
  beforeMessageTimeoutMs: number;
  /** What happens when a before_message hook fails: not documented (platform facts: webhooks §7). */
  beforeMessageFailure: "deliver" | "drop";
  /** Milliseconds a custom moderation service may take (platform facts: webhooks §9, "exactly 2000"). */
  customModerationTimeoutMs: number;
  /** Whether legacy calls carry `origin`, `chatAPIVersion` and `region`: optional (platform facts: webhooks §7). */
  legacyEnvelope: "full" | "bare";
  /** Whether bot and notification provider calls are retried: not documented (platform facts: webhooks §2). */
  callbackRetries: boolean;
  /** Milliseconds between two e-mails or SMS to one recipient; the least is a minute (platform facts: webhooks §10). */
  notificationIntervalMs: number;
  /** Whether `occupant` carries `uid`: seen live, absent on the pages (platform facts: webhooks §3). */
  occupantUid: boolean;
  /** Whether all signalling events carry `entities`: seen live, absent on the pages (platform facts: webhooks §3). */
  callEntities: boolean;
  /** Core operations per app and minute (platform facts: chat-api §7). */
  coreRateLimit: number;
  /** Other operations per app and minute (platform facts: chat-api §7). */
  standardRateLimit: number;
  /** Data import operations per app and minute (platform facts: secondary-apis §1). */
  importRateLimit: number;
};

/** Holds what the emulation does unless told otherwise. */
export const defaultSwitches: Switches = {
  secondRetryFrom: "firstAttempt",
  editedAndDeletedForm: "live",
  bannedMembersForm: "live",
  singleConversationForm: "object",
  receiptsToAll: true,
  userMentionedEvents: "perMessage",
  defaultMessageLimit: 10,
  webhookEnabledByDefault: true,
  duplicateIdStatus: 400,
  deliveryTimeoutMs: 2_000,
  authOnlyCreatesUsers: true,
  blockedMessageEvents: "insteadOfSent",
  beforeMessageTimeoutMs: 2_000,
  beforeMessageFailure: "deliver",
  customModerationTimeoutMs: 2_000,
  legacyEnvelope: "full",
  callbackRetries: false,
  notificationIntervalMs: 60_000,
  occupantUid: true,
  callEntities: true,
  coreRateLimit: 10_000,
  standardRateLimit: 20_000,
  importRateLimit: 60,
};

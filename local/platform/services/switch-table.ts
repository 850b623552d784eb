import type { Fidelity } from "../fidelity.ts";

export type SwitchDefinition = {
  initial: string | number | boolean;
  allowed?: readonly (string | number)[];
  level: Fidelity;
  source: string;
  says: string;
};

/**
 * Behaviours that the pages leave open or contradict. `level` and `source` are the initial value's; without
 * `allowed`, any number or boolean is valid.
 */
export const switchTable = {
  secondRetryFrom: oneOf(
    ["firstAttempt", "firstRetry"],
    "assumed",
    "docs/internals/platform/webhooks.md#retries",
    "Where the second retry's 30 s count from: not documented.",
  ),
  editedAndDeletedForm: oneOf(
    ["live", "documented"],
    "live",
    "docs/internals/platform/events.md#edited-and-deleted-messages",
    "`live`: the flat message with its original id; `documented`: the action message.",
  ),
  bannedMembersForm: oneOf(
    ["live", "documented"],
    "live",
    "docs/internals/platform/events.md#bans-on-behalf-of-a-user",
    "Who `members` of a ban or unban event with onBehalfOf holds: `live` the acting user (a bug), `documented` the banned one.",
  ),
  singleConversationForm: oneOf(
    ["object", "array"],
    "documented",
    "docs/internals/platform/ids-and-limits.md#what-examples-get-wrong",
    "`object` follows the schema of a single conversation, `array` the printed examples.",
  ),
  receiptsToAll: open(
    true,
    "documented",
    "docs/internals/platform/events.md#receipts-of-all",
    "Whether group receipts 'to all' fire; the platform needs 'Enhanced Messaging Status' for them.",
  ),
  userMentionedEvents: oneOf(
    ["perMessage", "perMentionedUser"],
    "assumed",
    "docs/internals/platform/webhooks.md#telling-duplicates",
    "Number of user_mentioned events for one message: not documented.",
  ),
  defaultMessageLimit: open(
    10,
    "documented",
    "docs/internals/platform/answers-and-errors.md#lists-by-cursor",
    "Default `limit` of message lists: the specification declares 10, printed examples show 100.",
  ),
  messageListBegins: oneOf(
    ["oldest", "newest"],
    "assumed",
    "docs/internals/platform/answers-and-errors.md#lists-by-cursor",
    "The messages with which a list by `append` without a cursor begins: not documented.",
  ),
  webhookEnabledByDefault: open(
    true,
    "assumed",
    "docs/internals/platform/management.md#webhooks",
    "`enabled` of a new webhook when the request does not say: not documented.",
  ),
  webhookSettingsEchoed: open(
    false,
    "assumed",
    "docs/internals/platform/management.md#webhooks",
    "Whether answers about a webhook hold its `useBasicAuth`, `username` and `retryOnFailure`: not documented.",
  ),
  duplicateIdStatus: oneOf(
    [400, 409],
    "assumed",
    "docs/internals/platform/answers-and-errors.md#error-codes",
    "Status of ERR_UID_ALREADY_EXISTS and ERR_GUID_ALREADY_EXISTS: clients expect 400 or 409.",
  ),
  mediaAddresses: oneOf(
    ["open", "presigned", "token"],
    "documented",
    "docs/internals/platform/messages.md#media",
    "Addresses of sent files: `open` always answer (ours), `presigned` expire after a day, `token` need the headers appId and apiKey.",
  ),
  messagesToBlocker: oneOf(
    ["hidden", "refused"],
    "documented",
    "docs/internals/platform/users-and-groups.md#blocked-users",
    "A message to a user who blocked the sender: `hidden` takes it and never shows it to them; `refused` answers ERR_BLOCKED_SENDER.",
  ),
  deliveryTimeoutMs: open(
    2_000,
    "documented",
    "docs/internals/platform/webhooks.md#time-to-answer",
    "Milliseconds a webhook may take to answer ('within 2 seconds').",
  ),
  changesMoveUpdatedAt: open(
    true,
    "assumed",
    "docs/internals/platform/events.md#group-events",
    "Whether changing a message, a group or its members moves `updatedAt`: the samples of a ban and of its lifting have the same.",
  ),
  authOnlyCreatesUsers: open(
    true,
    "documented",
    "docs/internals/platform/addressing-and-keys.md#scopes-of-keys",
    "Whether an authOnly key may create users: two pages say so (authentication, API keys), two do not (properties, error guide).",
  ),
  blockedMessageEvents: oneOf(
    ["insteadOfSent", "besidesSent"],
    "live",
    "docs/internals/platform/events.md#what-fires-message_sent",
    "Events of a blocked message: seen live without message_sent.",
  ),
  clientMessageEvents: oneOf(
    ["sent", "none"],
    "documented",
    "docs/internals/platform/events.md#what-fires-message_sent",
    "Whether messages of client libraries fire message_sent and user_mentioned: printed samples say so, one live test did not see them.",
  ),
  customMessagesModerated: open(
    true,
    "documented",
    "docs/internals/platform/moderation.md#conditions",
    "Whether rules look at custom messages: one page names them, another text, images and videos alone.",
  ),
  ruleChanges: oneOf(
    ["replace", "merge"],
    "assumed",
    "docs/internals/platform/moderation.md#rules",
    "A change of a rule without some fields: `replace` gives them their defaults ('A PUT carries the whole rule'), `merge` keeps them.",
  ),
  providerChanges: oneOf(
    ["merge", "replace"],
    "assumed",
    "docs/internals/platform/notifications.md#push-providers",
    "What a change of a notification provider does to fields that it leaves out: not documented.",
  ),
  messageMarksInWebhooks: oneOf(
    ["kept", "stripped"],
    "assumed",
    "docs/internals/platform/webhooks.md#loops",
    "Whether webhooks carry a message's `tags` and `metadata`, by which senders mark what they send: no page promises it.",
  ),
  beforeMessageTimeoutMs: open(
    2_000,
    "assumed",
    "docs/internals/platform/legacy-engine.md#before-a-message-what-is-not-known",
    "Milliseconds a before_message hook may take: not documented.",
  ),
  beforeMessageFailure: oneOf(
    ["deliver", "drop"],
    "assumed",
    "docs/internals/platform/legacy-engine.md#before-a-message-what-is-not-known",
    "What happens when a before_message hook fails: not documented.",
  ),
  customModerationTimeoutMs: open(
    2_000,
    "documented",
    "docs/internals/platform/moderation.md#answering-the-custom-api",
    "Milliseconds a custom moderation service may take ('exactly 2000').",
  ),
  legacyEnvelope: oneOf(
    ["full", "bare"],
    "assumed",
    "docs/internals/platform/legacy-engine.md#legacy-envelope",
    "Whether legacy calls carry `origin`, `chatAPIVersion` and `region`: optional.",
  ),
  feedItemForm: oneOf(
    ["live", "documented"],
    "live",
    "docs/internals/platform/events.md#feed-items-live",
    "`live`: reading delivers too and an interaction keeps the status; `documented`: apart, and the status is read.",
  ),
  callbackRetries: open(
    false,
    "assumed",
    "docs/internals/platform/webhooks.md#retries",
    "Whether bot and notification provider calls are retried: not documented.",
  ),
  notificationIntervalMs: open(
    60_000,
    "live",
    "docs/internals/platform/other-calls.md#notification-providers",
    "Milliseconds between two e-mails or SMS to one recipient; the least is a minute.",
  ),
  occupantUid: open(
    true,
    "live",
    "docs/internals/platform/events.md#call-sessions",
    "Whether `occupant` carries `uid`: seen live, absent on the pages.",
  ),
  callEntities: open(
    true,
    "live",
    "docs/internals/platform/events.md#call-signalling",
    "Whether all signalling events carry `entities`: seen live, absent on the pages.",
  ),
  knowledgeIndexingMs: open(
    2_000,
    "assumed",
    "docs/internals/platform/ai-agents.md#knowledge",
    "Milliseconds that indexing a source or page takes: not documented.",
  ),
  knowledgeIndexing: oneOf(
    ["succeeds", "fails"],
    "documented",
    "docs/internals/platform/ai-agents.md#knowledge",
    "How indexing that begins now ends.",
  ),
  agentCallTimeoutMs: open(
    60_000,
    "assumed",
    "docs/internals/platform/other-calls.md#ai-agents",
    "Milliseconds that an API tool or an own agent may take: not documented.",
  ),
  agentFailure: oneOf(
    ["message", "silent"],
    "assumed",
    "docs/internals/platform/ai-agents.md#what-a-run-leaves",
    "Whether a run that fails leaves a message that says so: not documented.",
  ),
  agenticMessageEvents: oneOf(
    ["sent", "none"],
    "assumed",
    "docs/internals/platform/ai-agents.md#what-a-run-leaves",
    "Whether agents' messages fire message_sent: not documented.",
  ),
  agentErrorForm: oneOf(
    ["code", "plain"],
    "assumed",
    "docs/internals/platform/ai-agents.md#errors",
    "Refusals below /ai-agents: `code` as in the Chat API, `plain` as in the specification, which has no codes.",
  ),
  messageRetentionDays: open(
    180,
    "documented",
    "docs/internals/platform/import-and-metrics.md#importing",
    "Days that the plan keeps messages (about six months unless more is bought): an older one ends an import with 500. 0: without limit.",
  ),
  missingFeature: oneOf(
    ["none", "moderation", "pins"],
    "live",
    "docs/internals/platform/answers-and-errors.md#error-codes",
    "What the plan lacks: its operations answer ERR_FEATURE_NOT_ACCESSIBLE.",
  ),
  plan: oneOf(
    ["paid", "free"],
    "documented",
    "docs/internals/platform/answers-and-errors.md#rate-limits",
    "`free` allows 500 operations of each class a minute, and no app to be deleted (ERR_APP_DELETION).",
  ),
  maxApps: open(
    1_000,
    "assumed",
    "docs/internals/platform/management.md#refusals",
    "Apps of one account; creating more answers ERR_APP_CREATION_FAILED_MAX_LIMIT. The number is not documented.",
  ),
  inactiveExtensions: oneOf(
    ["takeSettings", "refuse"],
    "assumed",
    "docs/internals/platform/management.md#refusals",
    "Whether settings of an extension that is not enabled are stored, or refused with ERR_EXTENSION_INACTIVE: no page says which calls answer it.",
  ),
  userRateLimits: oneOf(
    ["off", "on", "exceptBots"],
    "documented",
    "docs/internals/platform/answers-and-errors.md#rate-limits",
    "30 messages sent and 5 conversations marked as unread per user and minute. Which REST calls count is not documented: `off` none, `on` a bot's and those with onBehalfOf, `exceptBots` those with onBehalfOf.",
  ),
  userLimitHeaders: oneOf(
    ["app", "own"],
    "assumed",
    "docs/internals/platform/answers-and-errors.md#rate-limits",
    "Whose numbers the X-Rate-Limit headers of a 429 show when a user's own limit is reached: not documented.",
  ),
  rateLimitHeaders: oneOf(
    ["X-Rate-Limit", "X-RateLimit-Limit"],
    "documented",
    "docs/internals/platform/answers-and-errors.md#rate-limits",
    "Two pages spell the headers differently.",
  ),
  coreRateLimit: open(
    10_000,
    "documented",
    "docs/internals/platform/answers-and-errors.md#rate-limits",
    "Core operations per app and minute.",
  ),
  standardRateLimit: open(
    20_000,
    "documented",
    "docs/internals/platform/answers-and-errors.md#rate-limits",
    "Other operations per app and minute.",
  ),
  importRateLimit: open(
    60,
    "documented",
    "docs/internals/platform/import-and-metrics.md#import-limits",
    "Data import operations per app and minute.",
  ),
} satisfies Record<string, SwitchDefinition>;

function oneOf<const T extends string | number>(
  allowed: readonly [T, ...T[]],
  level: Fidelity,
  source: string,
  says: string,
) {
  return { initial: allowed[0], allowed, level, source, says };
}

function open<T extends number | boolean>(initial: T, level: Fidelity, source: string, says: string) {
  return { initial, level, source, says };
}

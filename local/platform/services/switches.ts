import type { Fidelity } from "../fidelity.ts";
import type { JsonObject } from "../json.ts";

/**
 * Holds the behaviours that the platform's pages leave open or contradict, one line each, and what the emulation does
 * unless told otherwise. `level` and `source` belong to the initial value; `allowed` is absent where any number (at
 * least 0) or boolean will do. The fidelity ledger and `/_platform/switches` are made from this table.
 */
export const switchTable = {
  secondRetryFrom: {
    initial: "firstAttempt",
    allowed: ["firstAttempt", "firstRetry"],
    level: "assumed",
    source: "docs/internals/platform/webhooks.md#retries",
    says: "Where the second retry's 30 s count from: not documented.",
  },
  editedAndDeletedForm: {
    initial: "live",
    allowed: ["live", "documented"],
    level: "live",
    source: "docs/internals/platform/events.md#edited-and-deleted-messages",
    says: "`live`: the flat message with its original id; `documented`: the action message.",
  },
  bannedMembersForm: {
    initial: "live",
    allowed: ["live", "documented"],
    level: "live",
    source: "docs/internals/platform/events.md#bans-on-behalf-of-a-user",
    says: "Who `members` of a ban or unban event with onBehalfOf holds: `live` the acting user (a bug), `documented` the banned one.",
  },
  singleConversationForm: {
    initial: "object",
    allowed: ["object", "array"],
    level: "assumed",
    source: "docs/internals/platform/ids-and-limits.md#what-examples-get-wrong",
    says: "`object` follows the schema of a single conversation, `array` the printed examples.",
  },
  receiptsToAll: {
    initial: true,
    level: "assumed",
    source: "docs/internals/platform/events.md#receipts-of-all",
    says: "Whether group receipts 'to all' fire; the platform needs 'Enhanced Messaging Status' for them.",
  },
  userMentionedEvents: {
    initial: "perMessage",
    allowed: ["perMessage", "perMentionedUser"],
    level: "assumed",
    source: "docs/internals/platform/webhooks.md#telling-duplicates",
    says: "Number of user_mentioned events for one message: not documented.",
  },
  defaultMessageLimit: {
    initial: 10,
    level: "assumed",
    source: "docs/internals/platform/answers-and-errors.md#lists-by-cursor",
    says: "Default `limit` of message lists: declared 10, printed examples show 100.",
  },
  webhookEnabledByDefault: {
    initial: true,
    level: "assumed",
    source: "docs/internals/platform/management.md#webhooks",
    says: "`enabled` of a new webhook when the request does not say: not documented.",
  },
  webhookSettingsEchoed: {
    initial: false,
    level: "assumed",
    source: "docs/internals/platform/management.md#webhooks",
    says: "Whether answers about a webhook hold its `useBasicAuth`, `username` and `retryOnFailure`: not documented.",
  },
  duplicateIdStatus: {
    initial: 400,
    allowed: [400, 409],
    level: "assumed",
    source: "docs/internals/platform/answers-and-errors.md#error-codes",
    says: "Status of ERR_UID_ALREADY_EXISTS and ERR_GUID_ALREADY_EXISTS: clients expect 400 or 409.",
  },
  deliveryTimeoutMs: {
    initial: 2_000,
    level: "documented",
    source: "docs/internals/platform/webhooks.md#time-to-answer",
    says: "Milliseconds a webhook may take to answer ('within 2 seconds').",
  },
  changesMoveUpdatedAt: {
    initial: true,
    level: "assumed",
    source: "docs/internals/platform/events.md#group-events",
    says: "Whether changing a message, a group or its members moves `updatedAt`: the samples of a ban and of its lifting have the same.",
  },
  authOnlyCreatesUsers: {
    initial: true,
    level: "assumed",
    source: "docs/internals/platform/addressing-and-keys.md#scopes-of-keys",
    says: "Whether an authOnly key may create users: the pages contradict each other.",
  },
  blockedMessageEvents: {
    initial: "insteadOfSent",
    allowed: ["insteadOfSent", "besidesSent"],
    level: "live",
    source: "docs/internals/platform/events.md#what-fires-message_sent",
    says: "Events of a blocked message: seen live without message_sent.",
  },
  messageMarksInWebhooks: {
    initial: "kept",
    allowed: ["kept", "stripped"],
    level: "assumed",
    source: "docs/internals/platform/webhooks.md#loops",
    says: "Whether webhooks carry a message's `tags` and `metadata`, by which senders mark what they send: no page promises it.",
  },
  beforeMessageTimeoutMs: {
    initial: 2_000,
    level: "assumed",
    source: "docs/internals/platform/legacy-engine.md#before-a-message-what-is-not-known",
    says: "Milliseconds a before_message hook may take: not documented.",
  },
  beforeMessageFailure: {
    initial: "deliver",
    allowed: ["deliver", "drop"],
    level: "assumed",
    source: "docs/internals/platform/legacy-engine.md#before-a-message-what-is-not-known",
    says: "What happens when a before_message hook fails: not documented.",
  },
  customModerationTimeoutMs: {
    initial: 2_000,
    level: "documented",
    source: "docs/internals/platform/moderation.md#answering-the-custom-api",
    says: "Milliseconds a custom moderation service may take ('exactly 2000').",
  },
  legacyEnvelope: {
    initial: "full",
    allowed: ["full", "bare"],
    level: "assumed",
    source: "docs/internals/platform/legacy-engine.md#legacy-envelope",
    says: "Whether legacy calls carry `origin`, `chatAPIVersion` and `region`: optional.",
  },
  feedItemForm: {
    initial: "live",
    allowed: ["live", "documented"],
    level: "live",
    source: "docs/internals/platform/events.md#feed-items-live",
    says: "`live`: reading delivers too and an interaction keeps the status; `documented`: apart, and the status is read.",
  },
  callbackRetries: {
    initial: false,
    level: "assumed",
    source: "docs/internals/platform/webhooks.md#retries",
    says: "Whether bot and notification provider calls are retried: not documented.",
  },
  notificationIntervalMs: {
    initial: 60_000,
    level: "live",
    source: "docs/internals/platform/other-calls.md#notification-providers",
    says: "Milliseconds between two e-mails or SMS to one recipient; the least is a minute.",
  },
  occupantUid: {
    initial: true,
    level: "live",
    source: "docs/internals/platform/events.md#call-sessions",
    says: "Whether `occupant` carries `uid`: seen live, absent on the pages.",
  },
  callEntities: {
    initial: true,
    level: "live",
    source: "docs/internals/platform/events.md#call-signalling",
    says: "Whether all signalling events carry `entities`: seen live, absent on the pages.",
  },
  coreRateLimit: {
    initial: 10_000,
    level: "documented",
    source: "docs/internals/platform/answers-and-errors.md#rate-limits",
    says: "Core operations per app and minute.",
  },
  standardRateLimit: {
    initial: 20_000,
    level: "documented",
    source: "docs/internals/platform/answers-and-errors.md#rate-limits",
    says: "Other operations per app and minute.",
  },
  importRateLimit: {
    initial: 60,
    level: "documented",
    source: "docs/internals/platform/import-and-metrics.md#import-limits",
    says: "Data import operations per app and minute.",
  },
} as const satisfies Record<string, SwitchFact>;

/** What is known of one switch. */
type SwitchFact = {
  initial: string | number | boolean;
  allowed?: readonly (string | number)[];
  level: Fidelity;
  source: string;
  says: string;
};

/** The value of every switch. */
export type Switches = { -readonly [Name in keyof typeof switchTable]: ValueOf<(typeof switchTable)[Name]> };

type ValueOf<Fact extends SwitchFact> = Fact extends { allowed: readonly (infer Allowed)[] }
  ? Allowed
  : Fact["initial"] extends boolean
    ? boolean
    : number;

/** Returns every switch its initial value. */
export function initialSwitches(): Switches {
  const values = Object.fromEntries(Object.entries(switchTable).map(([name, fact]) => [name, fact.initial]));
  if (!isComplete(values)) throw new TypeError("The table of switches has an initial value that it forbids.");
  return values;
}

/** Changes switches as the JSON names them, all or none. @throws TypeError naming the first that is wrong */
export function changeSwitches(switches: Switches, changes: JsonObject): void {
  for (const [name, value] of Object.entries(changes)) {
    const problem = problemOf(name, value);
    if (problem !== undefined) throw new TypeError(problem);
  }
  Object.assign(switches, changes);
}

function isComplete(values: Record<string, unknown>): values is Switches {
  return Object.keys(switchTable).every((name) => problemOf(name, values[name]) === undefined);
}

function problemOf(name: string, value: unknown): string | undefined {
  const fact = Object.entries(switchTable).find(([known]) => known === name)?.[1];
  if (fact === undefined) return `There is no switch ${name}.`;
  if ("allowed" in fact) {
    const allowed: readonly unknown[] = fact.allowed;
    return allowed.includes(value) ? undefined : `${name} must be one of: ${fact.allowed.join(", ")}.`;
  }
  if (typeof fact.initial === "boolean") {
    return typeof value === "boolean" ? undefined : `${name} must be true or false.`;
  }
  return typeof value === "number" && value >= 0 ? undefined : `${name} must be a number of at least 0.`;
}

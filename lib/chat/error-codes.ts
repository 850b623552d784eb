/** How sure a status is: a page or a live answer shows it, it was concluded, or nobody knows. */
export type Evidence = "documented" | "inferred" | "unknown";

/** What is known about an error code. */
export interface ErrorCodeFacts {
  /** HTTP status it comes with; undefined where nobody knows. */
  readonly status: number | undefined;
  readonly evidence: Evidence;
  /** Whether the same request may succeed later without any change. Follows from the status: 429 and 5xx. */
  readonly retryable: boolean;
}

/**
 * Looks up an error code of the platform; undefined for codes nobody has written down.
 * The client itself goes by the status of the answer; this table is for people, tools and tests.
 */
export function describeErrorCode(code: string): ErrorCodeFacts | undefined {
  const rows: readonly (readonly [string, number | null, Evidence])[] = [
    ...errorCodes,
    ...secondaryErrorCodes,
  ];
  const row = rows.find(([known]) => known === code);
  if (!row) return undefined;
  const [, status, evidence] = row;
  return { status: status ?? undefined, evidence, retryable: status === 429 || (status ?? 0) >= 500 };
}

/** Codes behind which somebody else can make the same request succeed: keys, scopes, plans, addresses, the platform's own trouble. */
const curable =
  /^(AUTH_|ERR_PLAN_|ERR_SUBSCRIPTION_|ERR_WS_)|_FAILED$|^ERR_(API_NOT_FOUND|INVALID_API_VERSION|TOO_MANY_REQUESTS|EXCEPTION|BAD_ERROR_RESPONSE|UNAUTHORIZED|INTERNAL)$/;

/** Tells whether a code is one of the platform's own and means that the same request never succeeds. */
export function isFinalCode(code: string): boolean {
  return describeErrorCode(code) !== undefined && !curable.test(code);
}

// Written once: a function's bundle holds the whole table.
const documented = "documented";
const inferred = "inferred";
const unknown = "unknown";

/**
 * All codes the platform is known to use (docs/platform/answers-and-errors.md#error-codes). null: the status is not
 * documented.
 */
export const errorCodes = [
  // auth
  ["AUTH_ERR_EMPTY_APPID", 400, inferred],
  ["AUTH_ERR_INVALID_APPID", 404, inferred],
  ["AUTH_ERR_EMPTY_APIKEY", 401, inferred],
  ["AUTH_ERR_APIKEY_NOT_FOUND", 401, documented],
  ["AUTH_ERR_NO_ACCESS", 403, inferred],
  ["AUTH_ERR_EMPTY_AUTH_HEADER", 401, inferred],
  ["AUTH_ERR_EMPTY_AUTH_TOKEN", 401, inferred],
  ["AUTH_ERR_AUTH_TOKEN_NOT_FOUND", 401, inferred],
  // apiKeys
  ["ERR_APIKEY_NOT_FOUND", 404, inferred],
  ["ERR_APIKEY_NO_SELF_ACTION", 400, inferred],
  // authTokens
  ["ERR_AUTH_TOKEN_NOT_FOUND", 404, inferred],
  ["ERR_AUTH_TOKEN_DELETE_FAILED", 500, inferred],
  ["ERR_AUTH_TOKENS_DELETE_FAILED", 500, inferred],
  ["ERR_AUTHTOKEN_UNAVAILABLE", 403, inferred],
  ["ERR_AUTHTOKEN_NOT_ACCESSIBLE", 403, inferred],
  // subscription
  ["ERR_PLAN_RESTRICTION", 403, inferred],
  ["ERR_SUBSCRIPTION_EXPIRED", 403, inferred],
  ["ERR_PLAN_QUOTA_RESTRICTION", 403, inferred],
  // roles
  ["ERR_ROLE_NOT_FOUND", 404, inferred],
  ["ERR_ROLE_DELETE_FAILED", 500, inferred],
  ["ERR_ROLE_DELETE_DENIED", 400, inferred],
  // users
  ["ERR_UID_NOT_FOUND", 404, inferred],
  ["ERR_UID_DELETE_FAILED", 500, inferred],
  ["ERR_UID_ALREADY_EXISTS", null, unknown],
  // groups
  ["ERR_GUID_ALREADY_EXISTS", null, unknown],
  ["ERR_GUID_NOT_FOUND", 404, inferred],
  ["ERR_EMPTY_GROUP_PASS", 400, inferred],
  ["ERR_GROUP_DELETE_FAILED", 500, inferred],
  ["ERR_NOT_A_MEMBER", null, unknown],
  ["ERR_WRONG_GROUP_PASS", null, unknown],
  ["ERR_ALREADY_JOINED", null, unknown],
  ["ERR_GROUP_NOT_JOINED", null, unknown],
  ["ERR_GROUP_JOIN_NOT_ALLOWED", null, unknown],
  ["ERR_MEMBER_DELETE_FAILED", 500, inferred],
  ["ERR_NO_VACANCY", null, unknown],
  ["ERR_SAME_SCOPE", null, unknown],
  ["ERR_MEMBER_SCOPE_CHANGE_FAILED", 500, inferred],
  ["ERR_NOT_A_BANNED_USER", null, unknown],
  ["ERR_BANNED_GROUPMEMBER", null, unknown],
  ["ERR_ALREADY_BANNED", null, unknown],
  ["ERR_MEMBER_BAN_FAILED", 500, inferred],
  ["ERR_MEMBER_UNBAN_FAILED", 500, inferred],
  ["ERR_GROUP_NO_CLEARANCE", null, unknown],
  ["ERR_GROUP_NO_ADMIN_SCOPE", null, unknown],
  ["ERR_GROUP_NO_MODERATOR_SCOPE", null, unknown],
  ["ERR_GROUP_NO_SCOPE_CLEARANCE", null, unknown],
  ["ERR_GROUP_NO_SELF_ACTION", null, unknown],
  // bots
  ["ERR_BOT_NOT_FOUND", 404, inferred],
  ["ERR_BOT_ALREADY_EXISTS", null, unknown],
  // messages
  ["ERR_EMPTY_RECEIVER", 400, inferred],
  ["ERR_INVALID_RECEIVER_TYPE", 400, inferred],
  ["ERR_CONVERSATION_NOT_FOUND", 404, inferred],
  ["ERR_CONVERSATION_NOT_ACCESSIBLE", null, unknown],
  ["ERR_USER_MESSAGE_DELETE_FAILED", 500, inferred],
  ["ERR_MESSAGE_ID_NOT_FOUND", 404, documented],
  ["ERR_INVALID_MESSAGE_DATA", 400, inferred],
  ["ERR_EMPTY_MESSAGE_TEXT", 400, inferred],
  ["ERR_INVALID_MESSAGE_TEXT", 400, inferred],
  ["ERR_EMPTY_MESSAGE_CATEGORY", 400, inferred],
  ["ERR_INVALID_MESSAGE_CATEGORY", 400, inferred],
  ["ERR_EMPTY_MESSAGE_TYPE", 400, inferred],
  ["ERR_INVALID_MESSAGE_TYPE", 400, inferred],
  ["ERR_EMPTY_MESSAGE_FILE", 400, inferred],
  ["ERR_MESSAGE_NOT_A_SENDER", 403, inferred],
  ["ERR_MESSAGE_NO_ACCESS", 403, inferred],
  ["ERR_MESSAGE_ACTION_NOT_ALLOWED", 400, inferred],
  ["ERR_EMPTY_CUSTOM_DATA", 400, inferred],
  ["ERR_INVALID_MEDIA_MESSAGE", 400, inferred],
  ["ERR_INVALID_CUSTOM_DATA", 400, inferred],
  ["ERR_INVALID_METADATA", 400, inferred],
  ["ERR_WRONG_MESSAGE_THREAD", 400, inferred],
  ["ERR_MESSAGE_THREAD_NESTING", 400, inferred],
  ["ERR_WRONG_MESSAGE_THREAD_CATEGORY", 400, inferred],
  ["ERR_PINNED_MESSAGES_LIMIT_EXCEEDED", 400, documented],
  ["ERR_SAVED_MESSAGES_LIMIT_EXCEEDED", 400, documented],
  ["ERR_PINNED_CONVERSATIONS_LIMIT_EXCEEDED", 400, documented],
  ["ERR_SYSTEM_PINNED_CONVERSATIONS_LIMIT_EXCEEDED", 400, documented],
  ["ERR_SYSTEM_PINNED_CONVERSATION", 403, documented],
  ["ERR_MSG_NOT_FOUND", 404, inferred],
  // rbac
  ["ERR_PERMISSION_DENIED", 403, documented],
  // calls
  ["ERR_CALLING_SELF", null, unknown],
  ["ERR_CALL_BUSY_SELF", null, unknown],
  ["ERR_CALL_BUSY_GROUP", null, unknown],
  ["ERR_CALL_BUSY_USER", null, unknown],
  ["ERR_EMPTY_CALL_SESSION_ID", null, unknown],
  ["ERR_CALL_SESSION_NOT_FOUND", null, unknown],
  ["ERR_CALL_TERMINATED", null, unknown],
  ["ERR_CALL_GROUP_ALREADY_JOINED", null, unknown],
  ["ERR_CALL_GROUP_ALREADY_LEFT", null, unknown],
  ["ERR_CALL_INVALID_INIT", null, unknown],
  ["ERR_CALL_USER_ALREADY_JOINED", null, unknown],
  ["ERR_CALL_GROUP_INVALID_STATUS", null, unknown],
  ["ERR_CALL_ONGOING_TO_INVALID", null, unknown],
  ["ERR_CALL_NOT_A_PART", null, unknown],
  ["ERR_CALL_EMPTY_JOINED_AT", null, unknown],
  ["ERR_CALL_NOT_STARTED", null, unknown],
  // friends
  ["ERR_ALREADY_FRIEND", null, unknown],
  ["ERR_NOT_A_FRIEND", null, unknown],
  ["ERR_CANNOT_FORM_SELF_RELATION", null, unknown],
  ["ERR_FAILED_TO_ADD_FRIEND", null, unknown],
  // blockedUsers
  ["ERR_CANNOT_BLOCK_SELF", null, unknown],
  ["ERR_BLOCKED_RECEIVER", null, unknown],
  ["ERR_BLOCKED_SENDER", null, unknown],
  // extensions
  ["ERR_EXTENSION_NOT_FOUND", null, unknown],
  ["ERR_BLOCKED_BY_EXTENSION", null, unknown],
  // webhooks
  ["ERR_WEBHOOK_NOT_FOUND", null, unknown],
  ["ERR_BLOCKED_BY_WEBHOOK", null, unknown],
  ["ERR_TRIGGER_NOT_FOUND", null, unknown],
  // moderation
  ["ERR_RULE_NOT_FOUND", 404, inferred],
  ["ERR_KEYWORD_NOT_FOUND", 404, inferred],
  ["ERR_REASON_NOT_FOUND", 404, inferred],
  // general
  ["ERR_INVALID_API_VERSION", null, unknown],
  ["ERR_API_NOT_FOUND", 404, inferred],
  ["ERR_MISSION_FAILED", 500, inferred],
  ["ERR_BAD_REQUEST", 400, inferred],
  ["ERR_OPERATION_FAILED", 500, inferred],
  ["ERR_EXCEPTION", 500, inferred],
  ["ERR_TOO_MANY_REQUESTS", 429, inferred],
  ["ERR_BAD_ERROR_RESPONSE", 500, inferred],
  // websocket
  ["ERR_WS_INIT_FAILED", null, unknown],
  ["ERR_WS_APP_INIT_FAILED", null, unknown],
  ["ERR_WS_APP_DESTROY_FAILED", null, unknown],
  ["ERR_WS_ROLE_CREATION_FAILED", null, unknown],
  ["ERR_WS_ROLE_DELETION_FAILED", null, unknown],
  ["ERR_WS_USER_CREATION_FAILED", null, unknown],
  ["ERR_WS_USER_UPDATION_FAILED", null, unknown],
  ["ERR_WS_GROUP_CREATION_FAILED", null, unknown],
  ["ERR_WS_GROUP_DELETION_FAILED", null, unknown],
  ["ERR_WS_GROUP_JOIN_FAILED", null, unknown],
] as const satisfies readonly (readonly [string, number | null, Evidence])[];

/**
 * Codes only the Campaigns and Data Import APIs use (docs/platform/import-and-metrics.md#import-errors,
 * docs/platform/campaigns.md#statuses-and-errors).
 */
export const secondaryErrorCodes = [
  ["ERR_VALIDATION", 400, documented],
  ["ERR_UNAUTHORIZED", 401, documented],
  ["ERR_NOT_FOUND", 404, documented],
  ["ERR_CONFLICT", 409, documented],
  ["ERR_INTERNAL", 500, documented],
  ["ERR_TEMPLATE_NOT_FOUND", null, unknown],
  ["ERR_CHANNEL_NOT_FOUND", null, unknown],
  ["ERR_FEED_ITEM_NOT_FOUND", null, unknown],
  ["ERR_IMPORT_MUID_ALREADY_EXISTS", null, unknown],
  ["ERR_IMPORT_INVALID_MESSAGE_FORMAT", null, unknown],
  ["ERR_IMPORT_INVALID_USER_FORMAT", null, unknown],
  ["ERR_IMPORT_INVALID_MEMBER_FORMAT", null, unknown],
  ["ERR_IMPORT_INVALID_GROUP_FORMAT", null, unknown],
  ["ERR_IMPORT_INVALID_JOINEDAT", null, unknown],
] as const satisfies readonly (readonly [string, number | null, Evidence])[];

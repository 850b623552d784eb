import { lazy } from "../base/lazy.ts";
import { type CodeTable, finalChatCodes, finalOtherCodes } from "./final-codes.ts";

/** How a status is known: shown by a page or live, concluded, or unknown. */
type Evidence = "documented" | "inferred" | "unknown";

/** What is known about an error code. */
export interface ErrorCodeFacts {
  /** The HTTP status; undefined if unknown. */
  readonly status: number | undefined;
  readonly evidence: Evidence;
  /** Whether the same request may succeed later: 429 and 5xx. */
  readonly retryable: boolean;
}

/**
 * Describes a code for people, tools and tests: the client uses the answer's status. Never throws.
 * @returns undefined for undocumented codes
 */
export function describeErrorCode(code: string): ErrorCodeFacts | undefined {
  return errorCodes().get(code) ?? secondaryErrorCodes().get(code);
}

/** @see docs/internals/platform/answers-and-errors.md#error-codes */
export const errorCodes = lazy(
  () => new Map([...read(finalChatCodes, "ERR_"), ...read(curableChatCodes, "")]),
);

/**
 * Only the Campaigns, Data Import and AI Agents APIs have these
 * (docs/internals/platform/import-and-metrics.md#import-errors,
 * docs/internals/platform/campaigns.md#statuses-and-errors, docs/internals/platform/ai-agents.md#errors).
 */
export const secondaryErrorCodes = lazy(
  () => new Map([...read(finalOtherCodes, "ERR_"), ...read(curableOtherCodes, "")]),
);

/** The remedy is outside the request: keys, scopes, plans, URLs, the platform's errors. */
const curableChatCodes: CodeTable = [
  ["400 inferred", `AUTH_ERR_EMPTY_APPID`],
  ["401 documented", `AUTH_ERR_APIKEY_NOT_FOUND`],
  [
    "401 inferred",
    `AUTH_ERR_EMPTY_APIKEY AUTH_ERR_EMPTY_AUTH_HEADER AUTH_ERR_EMPTY_AUTH_TOKEN AUTH_ERR_AUTH_TOKEN_NOT_FOUND`,
  ],
  [
    "403 inferred",
    `AUTH_ERR_NO_ACCESS ERR_PLAN_RESTRICTION ERR_SUBSCRIPTION_EXPIRED ERR_PLAN_QUOTA_RESTRICTION`,
  ],
  ["404 inferred", `AUTH_ERR_INVALID_APPID ERR_API_NOT_FOUND`],
  ["429 documented", `ERR_TOO_MANY_REQUESTS`],
  ["500 documented", `ERR_EXCEPTION`],
  [
    "500 inferred",
    `ERR_AUTH_TOKEN_DELETE_FAILED ERR_AUTH_TOKENS_DELETE_FAILED ERR_ROLE_DELETE_FAILED ERR_UID_DELETE_FAILED
ERR_GROUP_DELETE_FAILED ERR_MEMBER_DELETE_FAILED ERR_MEMBER_SCOPE_CHANGE_FAILED ERR_MEMBER_BAN_FAILED
ERR_MEMBER_UNBAN_FAILED ERR_USER_MESSAGE_DELETE_FAILED ERR_MISSION_FAILED ERR_OPERATION_FAILED
ERR_BAD_ERROR_RESPONSE`,
  ],
  [
    "unknown",
    `ERR_INVALID_API_VERSION ERR_WS_INIT_FAILED ERR_WS_APP_INIT_FAILED ERR_WS_APP_DESTROY_FAILED
ERR_WS_ROLE_CREATION_FAILED ERR_WS_ROLE_DELETION_FAILED ERR_WS_USER_CREATION_FAILED
ERR_WS_USER_UPDATION_FAILED ERR_WS_GROUP_CREATION_FAILED ERR_WS_GROUP_DELETION_FAILED
ERR_WS_GROUP_JOIN_FAILED`,
  ],
];

const curableOtherCodes: CodeTable = [
  ["unknown", `ERR_AGENT_CREATION_FAILED ERR_KB_INDEXING_FAILED`],
  ["401 documented", `ERR_UNAUTHORIZED`],
  ["500 documented", `ERR_INTERNAL`],
];

function read(table: CodeTable, prefix: string): Map<string, ErrorCodeFacts> {
  return new Map(
    table.flatMap(([known, codes]) => {
      const status = Number.parseInt(known, 10) || undefined;
      const evidence =
        status === undefined ? "unknown" : known.endsWith("inferred") ? "inferred" : "documented";
      const facts = { status, evidence, retryable: status === 429 || (status ?? 0) >= 500 } as const;
      return codes.split(/\s/).map((code) => [prefix + code, facts] as const);
    }),
  );
}

/**
 * Marks errors of this client. The registry of symbols is one for all realms and for all copies of a package, and no other
 * library has this name: what bears it is ours, whichever copy made it.
 */
export const errorBrand = Symbol.for("cometchat-functions.chat-error");

/** Where a request that got no usable answer ended. `wait`: before anything was sent. `connect`: no connection came about. `answer`: sent, no answer. `body`: an answer that breaks off or cannot be read. */
export type UnreachablePhase = "wait" | "connect" | "answer" | "body";

/**
 * Says that the platform answered "no": any answer that is not 2xx, and a 2xx with `error` or `success: false` in its envelope or
 * data.
 * It carries what the platform said, with every credential taken out; `cause` is never set, because the platform's
 * 401 and 403 texts contain the API key in clear (docs/platform/answers-and-errors.md#refused-keys). It does not cover
 * missing answers
 * (ChatUnreachableError) or input that never left (InvalidInputError).
 */
export class ChatApiError extends Error {
  override readonly name = "ChatApiError" as const;
  /** HTTP status of the answer: a 2xx where it says no in its body alone. */
  declare readonly status: number;
  /**
   * The platform's error code, for instance ERR_UID_NOT_FOUND; `HTTP_<status>` when the answer has none.
   *
   * An operation's own codes stand with it, after "Errors:". The platform's pages name none for most; where none is named, expect those
   * of all: AUTH_ERR_APIKEY_NOT_FOUND, AUTH_ERR_INVALID_APPID and AUTH_ERR_NO_ACCESS (key, app, scope), ERR_PLAN_RESTRICTION,
   * ERR_BAD_REQUEST (what the client lets through and the platform does not), ERR_UID_NOT_FOUND of `onBehalfOf`,
   * ERR_TOO_MANY_REQUESTS, ERR_MISSION_FAILED, ERR_OPERATION_FAILED and ERR_EXCEPTION (the platform's trouble). `describeErrorCode` tells
   * what is known of each (docs/platform/answers-and-errors.md#error-codes).
   */
  declare readonly code: string;
  /** Operation id of the platform's catalogue, for instance `send-message`. */
  declare readonly operation: string;
  /** The answer's request id header, if it has one. */
  declare readonly requestId: string | undefined;
  /** True when the same request may succeed later without any change. */
  declare readonly retryable: boolean;
  /** How long the platform asks to wait, in milliseconds. */
  declare readonly retryAfterMs: number | undefined;
  /** True when an earlier try of this request got no answer and may have been executed: a 404 of a DELETE then means "done". */
  declare readonly maybeExecuted: boolean;

  constructor(message: string, facts: ChatApiErrorFacts) {
    super(message);
    this.status = facts.status;
    this.code = facts.code;
    this.operation = facts.operation;
    this.requestId = facts.requestId;
    this.retryable = facts.retryable;
    this.retryAfterMs = facts.retryAfterMs;
    this.maybeExecuted = facts.maybeExecuted;
  }

  /** @internal */
  get [errorBrand](): string {
    return this.name;
  }
}

/** What a ChatApiError carries beside its message. */
export interface ChatApiErrorFacts {
  readonly status: number;
  readonly code: string;
  readonly operation: string;
  readonly requestId?: string | undefined;
  readonly retryable: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly maybeExecuted: boolean;
}

/**
 * Says that no usable answer reached us: refused or broken connection, timeout, unreadable body, a 2xx that does not say what the
 * operation documents.
 * `maybeExecuted` tells whether the platform may have carried the request out; before sending a message again,
 * look for it by its `muid`. `cause` is never set; `reason` holds the socket's error code.
 */
export class ChatUnreachableError extends Error {
  override readonly name = "ChatUnreachableError" as const;
  readonly code = "CHAT_UNREACHABLE" as const;
  declare readonly operation: string;
  declare readonly phase: UnreachablePhase;
  /** False only when the request surely did not reach the platform, in this try and in every earlier one. */
  declare readonly maybeExecuted: boolean;
  /**
   * A short code such as ECONNREFUSED or TIMEOUT. `NOT_AS_DOCUMENTED`: a 2xx that says nothing, or a list that is none;
   * `UNEXPECTED_SHAPE`: one that says something else than is documented.
   */
  declare readonly reason: string;
  readonly retryable = true as const;

  constructor(facts: { operation: string; phase: UnreachablePhase; maybeExecuted: boolean; reason: string }) {
    const executed = facts.maybeExecuted
      ? "The platform may have carried it out: check before sending it again"
      : "It was not carried out, so it may be sent again";
    super(
      `No usable answer to ${facts.operation} (phase ${facts.phase}, ${facts.reason}). ${executed}. Check the network, the base URL template and the region.`,
    );
    this.operation = facts.operation;
    this.phase = facts.phase;
    this.maybeExecuted = facts.maybeExecuted;
    this.reason = facts.reason;
  }

  /** @internal */
  get [errorBrand](): string {
    return this.name;
  }
}

/**
 * Says that a value breaks a rule of the platform, found before anything was sent.
 * The message names operation, field and rule, never the value. `cause` is never set.
 */
export class InvalidInputError extends Error {
  override readonly name = "InvalidInputError" as const;
  readonly code = "INVALID_INPUT" as const;
  declare readonly operation: string;
  /** Dotted path of the field, for instance `data.text` or `tags.3`; empty for the input as a whole. */
  declare readonly field: string;
  /** The broken rule in words, for instance "at most 100 characters". */
  declare readonly rule: string;
  readonly retryable = false as const;

  /** @param isMissing nothing was given where something must be */
  constructor(operation: string, field: string, rule: string, isMissing = false) {
    const what = field === "" ? "the input" : `"${field}"`;
    super(`Cannot call ${operation}: ${what} ${isMissing ? "is missing; it " : ""}must be ${rule}.`);
    this.operation = operation;
    this.field = field;
    this.rule = rule;
  }

  /** @internal */
  get [errorBrand](): string {
    return this.name;
  }
}

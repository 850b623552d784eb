import { OwnError } from "../base/errors.ts";
import type { ChatErrorCode } from "./types/error-codes.ts";

/** All realms and copies of the package share it. */
export const errorBrand = Symbol.for("cometchat-functions.chat-error");

/**
 * Where a request without a usable answer ended. `wait`: not sent. `connect`: no connection. `answer`: sent,
 * no answer. `body`: incomplete or unreadable.
 */
export type UnreachablePhase = "wait" | "connect" | "answer" | "body";

/**
 * Thrown if the platform refused: not 2xx, or a 2xx with `error` or `success: false` in its envelope or data.
 * Has the platform's message without credentials. `cause` is never set: its 401 and 403 texts contain the API
 * key in clear (docs/internals/platform/answers-and-errors.md#refused-keys).
 */
export class ChatApiError extends OwnError {
  override readonly name = "ChatApiError" as const;
  /** The HTTP status; a 2xx if only the body refuses. */
  declare readonly status: number;
  /**
   * The platform's error code, for instance ERR_UID_NOT_FOUND; `HTTP_<status>` without one. Compilers refuse
   * the comparison with a code that the package does not know; an answer may still have one.
   *
   * An operation lists its own after "Errors:"; the platform's pages name none for most. Any can also have:
   * AUTH_ERR_APIKEY_NOT_FOUND, AUTH_ERR_INVALID_APPID and AUTH_ERR_NO_ACCESS (key, app, scope),
   * ERR_PLAN_RESTRICTION, ERR_BAD_REQUEST (input that only the platform refuses), ERR_UID_NOT_FOUND of
   * `onBehalfOf`, ERR_TOO_MANY_REQUESTS, ERR_MISSION_FAILED, ERR_OPERATION_FAILED and ERR_EXCEPTION (the
   * platform's errors). `describeErrorCode` describes each
   * (docs/internals/platform/answers-and-errors.md#error-codes).
   */
  declare readonly code: ChatErrorCode;
  /** The operation's id in the platform's catalogue, for instance `send-message`. */
  declare readonly operation: string;
  /** The request id header, if any. */
  declare readonly requestId: string | undefined;
  /** Whether the same request may succeed later, and cannot happen twice. */
  declare readonly retryable: boolean;
  /** The wait that the platform asks for, in milliseconds. */
  declare readonly retryAfterMs: number | undefined;
  /** Whether an earlier try got no answer and may have been executed: a 404 of a DELETE then means "done". */
  declare readonly maybeExecuted: boolean;
  /** True for a 429 of the acting user's or the bot's own limit, not of the app's. */
  declare readonly isUserLimit: boolean;

  constructor(message: string, facts: ChatApiErrorFacts) {
    super(message);
    Object.assign(this, facts, { isUserLimit: facts.isUserLimit ?? false });
  }

  /** @internal */
  get [errorBrand](): string {
    return this.name;
  }
}

interface ChatApiErrorFacts {
  readonly status: number;
  readonly code: string;
  readonly operation: string;
  readonly requestId?: string | undefined;
  readonly retryable: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly maybeExecuted: boolean;
  readonly isUserLimit?: boolean | undefined;
}

interface ChatUnreachableErrorFacts {
  readonly operation: string;
  /** The HTTP method. Default: one that may not be repeated. */
  readonly method?: string | undefined;
  readonly phase: UnreachablePhase;
  readonly maybeExecuted: boolean;
  readonly reason: string;
}

/** @see RFC 9110 §9.2.2 */
export function isRepeatable(method: string): boolean {
  return method === "GET" || method === "PUT" || method === "DELETE";
}

/** Returns an empty text for a read. */
export function adviceAfter(method: string): string {
  if (method === "GET") return "";
  const again = isRepeatable(method)
    ? "the same again does no harm"
    : "look before you send it again, or it may happen twice";
  return `The platform may have carried it out: ${again}.`;
}

/**
 * Thrown without a usable answer: refused or broken connection, timeout, unreadable body, or a 2xx without
 * the documented content. If not `retryable`, look for its result before sending it again. `cause` is never
 * set; `reason` has the socket's error code.
 */
export class ChatUnreachableError extends OwnError {
  override readonly name = "ChatUnreachableError" as const;
  readonly code = "CHAT_UNREACHABLE" as const;
  declare readonly operation: string;
  declare readonly phase: UnreachablePhase;
  /** False only if no try can have reached the platform. */
  declare readonly maybeExecuted: boolean;
  /**
   * For example ECONNREFUSED or TIMEOUT. `NOT_AS_DOCUMENTED`: a 2xx that is empty, or not the documented
   * list. `UNEXPECTED_SHAPE`: a 2xx with other content than documented.
   */
  declare readonly reason: string;
  /** False if it may have been executed and must not happen twice. */
  declare readonly retryable: boolean;

  constructor(facts: ChatUnreachableErrorFacts, more = "") {
    const { operation, method = "POST", phase, reason, maybeExecuted } = facts;
    super(
      `No usable answer to ${operation} (phase ${phase}, ${reason}). ${whatHappened(facts, method)}${more}`,
    );
    const retryable = !maybeExecuted || isRepeatable(method);
    Object.assign(this, { operation, phase, maybeExecuted, reason, retryable });
  }

  /** @internal */
  get [errorBrand](): string {
    return this.name;
  }
}

export function isUnknownForm(reason: string): boolean {
  return /^(NOT_AS_DOCUMENTED|UNEXPECTED_SHAPE|UNREADABLE)/.test(reason);
}

function whatHappened({ phase, reason, maybeExecuted }: ChatUnreachableErrorFacts, method: string) {
  const form = isUnknownForm(reason)
    ? "The platform answered in a form that this client does not know. "
    : "";
  const network = phase === "connect" ? " Check the network, the base URL template and the region." : "";
  if (method === "GET") return `${form}It only reads, so it may be repeated.${network}`;
  const done = maybeExecuted ? adviceAfter(method) : "It was not carried out, so it may be sent again.";
  return form + done + network;
}

/**
 * Thrown before sending: a value breaks a rule. The message names operation, field and rule, never the value.
 * `cause` is never set.
 */
export class InvalidInputError extends OwnError {
  override readonly name = "InvalidInputError" as const;
  readonly code = "INVALID_INPUT" as const;
  declare readonly operation: string;
  /** The dotted path, for instance `data.text` or `tags.3`; empty for the whole input. */
  declare readonly field: string;
  /** The rule in words, for instance "at most 100 characters". */
  declare readonly rule: string;
  readonly retryable = false as const;

  constructor(operation: string, field: string, rule: string, isMissing = false) {
    const what = field === "" ? "the input" : `"${field}"`;
    super(`Cannot call ${operation}: ${what} ${isMissing ? "is missing; it " : ""}must be ${rule}.`);
    this.operation = operation;
    this.field = field;
    this.rule = rule;
  }

  /** @internal */
  override get logged(): string {
    // A user may have named the field.
    const field = this.field.replace(/[^.]*[^\w.$-][^.]*/g, "…");
    return this.message
      .replace(`"${this.field}"`, `"${field}"`)
      .replace(/the unknown field .*$/s, "unknown fields.");
  }

  /** @internal */
  get [errorBrand](): string {
    return this.name;
  }
}

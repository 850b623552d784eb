import { AwsCallError } from "../aws/aws-call.ts";
import { InvalidSecretError } from "../aws/secrets/parse-secret.ts";
import { SecretTimeoutError } from "../aws/secrets/secret-reader.ts";
import { describeError } from "../base/describe-error.ts";
import { causesOf, PermanentError } from "../base/errors.ts";
import { ChatApiError, ChatUnreachableError, InvalidInputError } from "../chat/errors.ts";
import { GuardKeyError } from "../events/marks/loop-guard.ts";
import {
  AnswerNotUnderstoodError,
  EffectBusyError,
  EffectNotClearError,
  EventTimeUpError,
  failedEffectOf,
  PausedError,
  RequestNotAllowedError,
  StateValueError,
  StoredResultError,
} from "./effect-errors.ts";
import { BusRefusedError } from "./event-bus.ts";
import {
  blamedFor,
  DestinationClosedError,
  isFinalRefusal,
  isOutage,
  isUserLimit,
} from "./health/destinations.ts";

export type Failure =
  | { readonly kind: "permanent"; readonly cause: string }
  /** Does not count as a try while `destination` also fails for other lanes. */
  | {
      readonly kind: "outage";
      readonly destination: string;
      readonly cause: string;
      readonly retryAfterMs?: number | undefined;
      /** True if an open breaker prevented the request. */
      readonly isUnasked?: true;
      /** True for a 500, which may be the platform's answer to this event alone. */
      readonly mayBeAlone?: boolean;
      /** True for a rate limit, which says nothing about the event. */
      readonly isRateLimit?: boolean;
    }
  /** Another process owns the effect, or its outcome is not known. Does not count as a try. */
  | {
      readonly kind: "later";
      readonly retryAtMs: number;
      readonly cause: string;
      /** True while looking for what an earlier attempt did, whose failure is the better cause. */
      readonly isUnclear?: true;
      /** True if the event is delayed instead of dead-lettered. */
      readonly isHeldBack?: true;
    }
  /** The acting user's own limit, not the app's. Neither a try nor an outage. */
  | { readonly kind: "limited"; readonly retryAfterMs: number | undefined; readonly cause: string }
  /** Counts as a try. */
  | { readonly kind: "ours"; readonly cause: string };

export function classifyFailure(error: unknown): Failure {
  const cause = describeError(error).slice(0, maxCauseCharacters) + failedEffectOf(error);
  for (const one of causesOf(error)) {
    const failure = classifyOne(one, cause);
    if (failure !== undefined) return failure;
  }
  return { kind: "ours", cause };
}

const maxCauseCharacters = 1000;

function classifyOne(error: Error, cause: string): Failure | undefined {
  if (
    error instanceof PermanentError ||
    error instanceof InvalidInputError ||
    error instanceof RequestNotAllowedError ||
    error instanceof AnswerNotUnderstoodError ||
    error instanceof StoredResultError ||
    error instanceof StateValueError ||
    isFinalRefusal(error)
  ) {
    return { kind: "permanent", cause };
  }
  if (error instanceof EffectNotClearError)
    return { kind: "later", retryAtMs: error.retryAtMs, cause, isUnclear: true };
  if (error instanceof EffectBusyError || error instanceof PausedError)
    return { kind: "later", retryAtMs: error.retryAtMs, cause };
  if (isUserLimit(error)) return { kind: "limited", retryAfterMs: error.retryAfterMs, cause };
  if (error instanceof DestinationClosedError) {
    const { destination, retryAfterMs } = error;
    return { kind: "outage", destination, cause, retryAfterMs, isUnasked: true };
  }
  if (isOutage(error)) {
    const retryAfterMs = "retryAfterMs" in error ? error.retryAfterMs : undefined;
    const destination = blamedFor(error) ?? "chat";
    const status = error instanceof ChatApiError ? error.status : undefined;
    const isHeldBack = error instanceof ChatUnreachableError && error.phase === "wait";
    const isRateLimit = status === 429 || isHeldBack;
    return { kind: "outage", destination, cause, retryAfterMs, mayBeAlone: status === 500, isRateLimit };
  }
  if (error instanceof EventTimeUpError && error.waitedFor !== undefined) {
    return { kind: "outage", destination: error.waitedFor, cause };
  }
  if (error instanceof BusRefusedError && !isOurInput(error.code)) {
    return { kind: "outage", destination: "events", cause };
  }
  if (
    error instanceof InvalidSecretError ||
    error instanceof SecretTimeoutError ||
    error instanceof GuardKeyError
  )
    return { kind: "outage", destination: "secret", cause };
  // Consumers that open no files do not contain its class.
  if (error.name === "AttachmentError" && "retryable" in error)
    return error.retryable === true
      ? { kind: "outage", destination: "files", cause }
      : { kind: "permanent", cause };
  if (error instanceof AwsCallError) {
    return isOurInput(error.code) ? undefined : { kind: "outage", destination: error.service, cause };
  }
  if ("$metadata" in error || "$fault" in error) return { kind: "outage", destination: "aws", cause };
  return undefined;
}

function isOurInput(code: string) {
  return /^(ValidationException|InvalidParameterValue|InvalidMessageContents|SerializationException|ItemCollectionSizeLimitExceeded\w*)$/.test(
    code,
  );
}

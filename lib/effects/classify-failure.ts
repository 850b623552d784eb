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
  isRefusal,
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
      /** True for a refusal, and a 500, which may be the platform's answer to this event alone. */
      readonly mayBeAlone?: boolean;
      readonly isRefused?: boolean;
      /** True for a rate limit, which says nothing about the event. */
      readonly isRateLimit?: boolean;
    }
  /** Another process owns the effect, or its outcome is not known. Does not count as a try. */
  | {
      readonly kind: "later";
      readonly retryAtMs: number;
      readonly cause: string;
      /** True while looking for what an earlier attempt did, whose failure is the better cause. */
      readonly isUnclear?: boolean;
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
  const isAny = (...kinds: readonly Kind[]) => kinds.some((kind) => error instanceof kind);
  const waitFor = (destination: string) => ({ kind: "outage", destination, cause }) as const;
  if (
    isAny(PermanentError, InvalidInputError, RequestNotAllowedError, AnswerNotUnderstoodError) ||
    isAny(StoredResultError, StateValueError) ||
    isFinalRefusal(error)
  )
    return { kind: "permanent", cause };
  const isUnclear = error instanceof EffectNotClearError;
  if (isUnclear || error instanceof EffectBusyError || error instanceof PausedError)
    return { kind: "later", retryAtMs: error.retryAtMs, cause, isUnclear };
  if (isUserLimit(error)) return { kind: "limited", retryAfterMs: error.retryAfterMs, cause };
  if (error instanceof DestinationClosedError)
    return { ...waitFor(error.destination), retryAfterMs: error.retryAfterMs, isUnasked: true };
  if (isOutage(error)) {
    const status = error instanceof ChatApiError ? error.status : undefined;
    const isRefused = isRefusal(error);
    return {
      ...waitFor(blamedFor(error) ?? "chat"),
      retryAfterMs: "retryAfterMs" in error ? error.retryAfterMs : undefined,
      mayBeAlone: isRefused || status === 500,
      isRefused,
      isRateLimit: status === 429 || (error instanceof ChatUnreachableError && error.phase === "wait"),
    };
  }
  if (error instanceof EventTimeUpError && error.waitedFor !== undefined) return waitFor(error.waitedFor);
  if (error instanceof BusRefusedError && !isOurInput(error.code)) return waitFor("events");
  if (isAny(InvalidSecretError, SecretTimeoutError, GuardKeyError)) return waitFor("secret");
  // Consumers that open no files do not contain its class.
  if (error.name === "AttachmentError" && "retryable" in error)
    return error.retryable === true ? waitFor("files") : { kind: "permanent", cause };
  if (error instanceof AwsCallError) return isOurInput(error.code) ? undefined : waitFor(error.service);
  if ("$metadata" in error || "$fault" in error) return waitFor("aws");
  return undefined;
}

type Kind = abstract new (...given: never[]) => Error;

function isOurInput(code: string) {
  return /^(ValidationException|InvalidParameterValue|InvalidMessageContents|SerializationException|ItemCollectionSizeLimitExceeded\w*)$/.test(
    code,
  );
}

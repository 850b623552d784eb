import { AwsCallError } from "../aws/aws-call.ts";
import { InvalidSecretError } from "../aws/secrets/parse-secret.ts";
import { SecretTimeoutError } from "../aws/secrets/secret-reader.ts";
import { causesOf } from "../base/causes.ts";
import { describeError } from "../base/describe-error.ts";
import { PermanentError } from "../base/permanent-error.ts";
import { ChatApiError, InvalidInputError } from "../chat/errors.ts";
import { GuardKeyError } from "../events/marks/guard-keys.ts";
import { BusRefusedError } from "./bus/put-event.ts";
import { EffectBusyError, EffectNotClearError, StoredResultError } from "./effect-errors.ts";
import { EventTimeUpError } from "./event-time-up-error.ts";
import { blamedFor, DestinationClosedError, isFinalRefusal, isIllness } from "./health/destination.ts";
import { AnswerNotUnderstoodError, RequestNotAllowedError } from "./http/outside-errors.ts";
import { PausedError } from "./paused-error.ts";

/** Why an attempt failed, and so what becomes of the event (docs/guarantees.md). */
export type Failure =
  /** It cannot succeed: buried at once. */
  | { readonly kind: "permanent"; readonly cause: string }
  /** The world is ill: no try, as long as `destination` fails for others too. */
  | {
      readonly kind: "ill";
      readonly destination: string;
      readonly cause: string;
      readonly retryAfterMs?: number;
      /** Nothing was asked of it: its breaker was open. */
      readonly isUnasked?: true;
      /** The platform answered 500, which it may do for this event alone. */
      readonly mayBeAlone?: true;
    }
  /** An effect is in somebody else's hands, or nobody knows yet what became of it: no try. */
  | { readonly kind: "later"; readonly retryAtMs: number; readonly cause: string }
  /** Our fault: a try. */
  | { readonly kind: "ours"; readonly cause: string };

/** Tells failures apart; a handler that wraps an error in one of its own changes nothing, if it sets `cause`. */
export function classifyFailure(error: unknown): Failure {
  const cause = describeError(error).slice(0, maxCauseCharacters);
  for (const one of causesOf(error)) {
    const failure = classifyOne(one, cause);
    if (failure !== undefined) return failure;
  }
  return { kind: "ours", cause };
}

/** A cause is for reading, and is kept with the event. */
const maxCauseCharacters = 1000;

function classifyOne(error: Error, cause: string): Failure | undefined {
  if (
    error instanceof PermanentError ||
    error instanceof InvalidInputError ||
    error instanceof RequestNotAllowedError ||
    error instanceof AnswerNotUnderstoodError ||
    error instanceof StoredResultError ||
    isFinalRefusal(error)
  ) {
    return { kind: "permanent", cause };
  }
  if (
    error instanceof EffectBusyError ||
    error instanceof EffectNotClearError ||
    error instanceof PausedError
  ) {
    return { kind: "later", retryAtMs: error.retryAtMs, cause };
  }
  if (error instanceof DestinationClosedError) {
    const { destination, retryAfterMs } = error;
    return { kind: "ill", destination, cause, retryAfterMs, isUnasked: true };
  }
  if (isIllness(error)) {
    const retryAfterMs = "retryAfterMs" in error ? error.retryAfterMs : undefined;
    const destination = blamedFor(error) ?? "chat";
    const mayBeAlone = error instanceof ChatApiError && error.status === 500;
    return {
      ...{ kind: "ill", destination, cause },
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(mayBeAlone && { mayBeAlone }),
    };
  }
  if (error instanceof EventTimeUpError && error.waitedFor !== undefined) {
    return { kind: "ill", destination: error.waitedFor, cause };
  }
  if (error instanceof BusRefusedError && !isOurInput(error.code)) {
    return { kind: "ill", destination: "events", cause };
  }
  if (
    error instanceof InvalidSecretError ||
    error instanceof SecretTimeoutError ||
    error instanceof GuardKeyError
  )
    return { kind: "ill", destination: "secret", cause };
  if (error instanceof AwsCallError) {
    return isOurInput(error.code) ? undefined : { kind: "ill", destination: error.service, cause };
  }
  // The AWS SDK's errors carry what the service answered.
  if ("$metadata" in error || "$fault" in error) return { kind: "ill", destination: "aws", cause };
  return undefined;
}

/** What AWS says of an input that it will never take. */
function isOurInput(code: string): boolean {
  return /^(ValidationException|InvalidParameterValue|InvalidMessageContents|SerializationException|ItemCollectionSizeLimitExceeded\w*)$/.test(
    code,
  );
}

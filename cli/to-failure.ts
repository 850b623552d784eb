import { ConfigFileError } from "../build/config-text.ts";
import { NoProjectError } from "../build/folders.ts";
import { describeMissingPackage } from "../build/missing-package.ts";
import { AwsCallError } from "../lib/aws/aws-call.ts";
import { InvalidSecretError } from "../lib/aws/secrets/parse-secret.ts";
import { describeError } from "../lib/base/describe-error.ts";
import { isRecord } from "../lib/base/json.ts";
import { ChatApiError, ChatUnreachableError, InvalidInputError } from "../lib/chat/errors.ts";
import { lacksFeature, planHint } from "../lib/chat/lacks-feature.ts";
import { UnknownFactsError } from "../lib/operate/doctor/deployed-facts.ts";
import {
  RotationError,
  type RotationTrouble,
  SecretChangedError,
} from "../lib/operate/rotation/rotation-error.ts";
import { QueueBusyError } from "../lib/queue/wait-for-others.ts";
import { CliError } from "./cli-error.ts";
import type { ExitName } from "./exit-codes.ts";

type KnownError = readonly [abstract new (...args: never) => Error, ExitName, code: string, hint?: string];

/** Shown with their own message. */
const knownErrors: readonly KnownError[] = [
  [ConfigFileError, "wrongUse", "WRONG_CONFIG"],
  [NoProjectError, "wrongUse", "NO_PROJECT"],
  [UnknownFactsError, "notThere", "OTHER_VERSION"],
  [QueueBusyError, "refused", "QUEUE_BUSY", "Nothing was changed. Wait a few minutes and run it again."],
  [SecretChangedError, "refused", "SOMEBODY_ELSE", "Run this again in a minute."],
];

/** @param isLocal of the target: hints fit it. Default: false */
export function toFailure(error: unknown, isLocal = false): CliError {
  if (error instanceof CliError) return error;
  for (const [ErrorClass, end, code, hint] of knownErrors) {
    if (error instanceof ErrorClass) return new CliError(end, code, error.message, hint);
  }
  if (error instanceof RotationError) {
    const code = error.trouble.toUpperCase().replaceAll("-", "_");
    return new CliError(endOfTrouble[error.trouble], code, error.message, error.hint);
  }
  const missing = describeMissingPackage(error);
  if (missing !== undefined) return new CliError("wrongUse", "MISSING_PACKAGE", missing);
  const message = describeError(error);
  if (error instanceof InvalidSecretError) return new CliError("unwell", "WRONG_SECRET", message);
  if (error instanceof InvalidInputError) return new CliError("wrongUse", "WRONG_INPUT", message);
  if (error instanceof ChatApiError) return ofPlatform(error, message);
  if (error instanceof ChatUnreachableError) {
    const hint = isLocal ? localHint : "Check the network, and the platform's status page.";
    return new CliError("unreachable", "PLATFORM_UNREACHABLE", message, hint);
  }
  return ofAws(error, message, isLocal) ?? new CliError("fault", "FAULT", message);
}

const localHint = "Check that the local stack still runs: npm start";

const endOfTrouble: Readonly<Record<RotationTrouble, ExitName>> = {
  "somebody-else": "refused",
  "unknown-pending": "refused",
  "previous-needed": "refused",
  "secret-unfit": "wrongUse",
  "not-proven": "partlyDone",
  "nothing-to-switch": "partlyDone",
  "no-management": "partlyDone",
  "bots-unchanged": "partlyDone",
  "too-many-keys": "refused",
};

function ofPlatform(error: ChatApiError, message: string): CliError {
  const { status, code } = error;
  if (status === 401 || status === 403) {
    const keyHint = "Check the app's API key and its scope: `npx cometchat-functions doctor`.";
    const hint = lacksFeature(error) ? planHint : keyHint;
    return new CliError("noRights", code, message, hint);
  }
  if (status === 404) return new CliError("notThere", code, message);
  return new CliError(status === 429 || status >= 500 ? "unreachable" : "fault", code, message);
}

function ofAws(error: unknown, message: string, isLocal: boolean): CliError | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = error instanceof AwsCallError ? error.code : error.name;
  const status = statusOf(error);
  const unreachableBecause = (hint: string) => new CliError("unreachable", "AWS_UNREACHABLE", message, hint);
  // First: SQS throttles with 403.
  if (busy.test(code) || status === 429 || status >= 500) {
    return unreachableBecause("AWS has an outage or throttles. Wait a little and run it again.");
  }
  if (noRights.test(code) || status === 401 || status === 403) {
    const hint =
      "Check which credentials this shell has (AWS_PROFILE comes before AWS_ACCESS_KEY_ID), their rights, and this machine's clock.";
    return new CliError("noRights", "NO_RIGHTS", message, hint);
  }
  if (notThere.test(code)) return new CliError("notThere", "NOT_THERE", message);
  const connection = "code" in error && typeof error.code === "string" ? error.code : code;
  if (unreachable.test(connection) || unreachable.test(code)) {
    return unreachableBecause(isLocal ? localHint : "Check the network and the region.");
  }
  return undefined;
}

/** 0 if AWS did not answer. */
function statusOf(error: Error): number {
  if (error instanceof AwsCallError) return error.status ?? 0;
  const sdk = "$metadata" in error && isRecord(error.$metadata) ? error.$metadata.httpStatusCode : 0;
  return Number(sdk ?? 0);
}

const busy = /Throttl|TooManyRequests|RequestLimitExceeded|ServiceUnavailable/;

/** AWS's names for missing, wrong or weak credentials. */
const noRights =
  /AccessDenied|UnauthorizedOperation|NotAuthorized|UnrecognizedClient|InvalidClientTokenId|SignatureDoesNotMatch|ExpiredToken|InvalidAccessKeyId|CredentialsProviderError|TokenProviderError|RequestExpired|MissingAuthenticationToken|InvalidSignature/;

const notThere = /ResourceNotFound|NonExistentQueue|QueueDoesNotExist/;

const unreachable =
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EPIPE|TimeoutError|NoTimeLeft|NoAnswerError|HTTP status 5\d\d)$/;

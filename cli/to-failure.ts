import { ConfigFileError } from "../build/config-text.ts";
import { NoProjectError } from "../build/folders.ts";
import { describeMissingPackage } from "../build/missing-package.ts";
import { AwsCallError } from "../lib/aws/aws-call.ts";
import { InvalidSecretError } from "../lib/aws/secrets/parse-secret.ts";
import { describeError } from "../lib/base/describe-error.ts";
import { isRecord } from "../lib/base/json.ts";
import { ChatApiError, ChatUnreachableError, InvalidInputError } from "../lib/chat/errors.ts";
import { UnknownFactsError } from "../lib/operate/doctor/deployed-facts.ts";
import { CliError } from "./cli-error.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly exitCode: ExitCode;
}

/** Converts a thrown error to what the user sees. */
export function toFailure(error: unknown): Failure {
  if (error instanceof CliError) return error;
  const message = describeError(error);
  if (error instanceof ConfigFileError)
    return { code: "WRONG_CONFIG", message: error.message, exitCode: exitCodes.wrongUse };
  if (error instanceof NoProjectError)
    return { code: "NO_PROJECT", message: error.message, exitCode: exitCodes.wrongUse };
  if (error instanceof InvalidSecretError)
    return { code: "WRONG_SECRET", message, exitCode: exitCodes.unwell };
  if (error instanceof InvalidInputError)
    return { code: "WRONG_INPUT", message, exitCode: exitCodes.wrongUse };
  if (error instanceof UnknownFactsError) {
    return { code: "OTHER_VERSION", message: error.message, exitCode: exitCodes.notThere };
  }
  const missing = describeMissingPackage(error);
  if (missing !== undefined)
    return { code: "MISSING_PACKAGE", message: missing, exitCode: exitCodes.wrongUse };
  if (error instanceof ChatApiError) return ofPlatform(error, message);
  if (error instanceof ChatUnreachableError) {
    const hint = "Check the network, and the platform's status page.";
    return { code: "PLATFORM_UNREACHABLE", message, hint, exitCode: exitCodes.unreachable };
  }
  return ofAws(error, message) ?? { code: "FAULT", message, exitCode: exitCodes.fault };
}

function ofPlatform({ status, code }: ChatApiError, message: string): Failure {
  if (status === 401 || status === 403) {
    const hint = "Check the app's API key and its scope: `npx cometchat-functions doctor`.";
    return { code, message, hint, exitCode: exitCodes.noRights };
  }
  if (status === 404) return { code, message, exitCode: exitCodes.notThere };
  const isIll = status === 429 || status >= 500;
  return { code, message, exitCode: isIll ? exitCodes.unreachable : exitCodes.fault };
}

function ofAws(error: unknown, message: string): Failure | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = error instanceof AwsCallError ? error.code : error.name;
  const status = statusOf(error);
  const isBusy = busy.test(code) || status === 429 || (status !== undefined && status >= 500);
  // First: SQS throttles with 403.
  if (isBusy) {
    const hint = "AWS has an outage or throttles. Wait a little and run it again.";
    return { code: "AWS_UNREACHABLE", message, hint, exitCode: exitCodes.unreachable };
  }
  if (noRights.test(code) || status === 401 || status === 403) {
    const hint =
      "Check which credentials this shell has (AWS_PROFILE comes before AWS_ACCESS_KEY_ID), their rights, and this machine's clock.";
    return { code: "NO_RIGHTS", message, hint, exitCode: exitCodes.noRights };
  }
  if (notThere.test(code)) return { code: "NOT_THERE", message, exitCode: exitCodes.notThere };
  const connection = "code" in error && typeof error.code === "string" ? error.code : code;
  if (unreachable.test(connection) || unreachable.test(code)) {
    const hint = "Check the network and the region; a local stack must still be running.";
    return { code: "AWS_UNREACHABLE", message, hint, exitCode: exitCodes.unreachable };
  }
  return undefined;
}

/** The answer's status, in errors of the functions' AWS client and of the SDK. */
function statusOf(error: Error): number | undefined {
  if (error instanceof AwsCallError) return error.status;
  const sdk = "$metadata" in error && isRecord(error.$metadata) ? error.$metadata.httpStatusCode : undefined;
  return typeof sdk === "number" ? sdk : undefined;
}

const busy = /Throttl|TooManyRequests|RequestLimitExceeded|ServiceUnavailable/;

/** How AWS's services and their SDK name missing, wrong or weak credentials. */
const noRights =
  /AccessDenied|UnauthorizedOperation|NotAuthorized|UnrecognizedClient|InvalidClientTokenId|SignatureDoesNotMatch|ExpiredToken|InvalidAccessKeyId|CredentialsProviderError|TokenProviderError|RequestExpired|MissingAuthenticationToken|InvalidSignature/;

const notThere = /ResourceNotFound|NonExistentQueue|QueueDoesNotExist/;

const unreachable =
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EPIPE|TimeoutError|NoTimeLeft|NoAnswerError|HTTP status 5\d\d)$/;

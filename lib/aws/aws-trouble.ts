import { isRecord } from "../base/json.ts";
import { AwsCallError, throttlingCodes } from "./aws-call.ts";

type AwsTrouble = "busy" | "no right" | "not there" | "no answer";

/** Returns why a call of the SDK or of this project has no result; undefined for other errors. */
export function awsTroubleIn(error: unknown): AwsTrouble | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = error instanceof AwsCallError ? error.code : error.name;
  const status = statusOf(error);
  // First, because SQS throttles with 403.
  const isBusy = throttlingCodes.test(code) || /ServiceUnavailable|UnprocessedKeys/.test(code);
  if (isBusy || status === 429 || status >= 500) return "busy";
  if (noRights.test(code) || status === 401 || status === 403) return "no right";
  if (notThere.test(code)) return "not there";
  const connection = "code" in error && typeof error.code === "string" ? error.code : code;
  return unreachable.test(connection) || unreachable.test(code) ? "no answer" : undefined;
}

/** True if AWS is busy or gives no answer. */
export function mayPass(error: unknown): boolean {
  const trouble = awsTroubleIn(error);
  return trouble === "busy" || trouble === "no answer";
}

/**
 * Such as `lambda:GetFunction`; undefined if the error names none.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot_access-denied.html
 */
export function missingActionIn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const message = error instanceof AwsCallError ? (error.said ?? "") : error.message;
  return /not authorized to perform: ([\w-]+:\w+)/.exec(message)?.[1];
}

/** Returns 0 if AWS did not answer. */
function statusOf(error: Error) {
  if (error instanceof AwsCallError) return error.status ?? 0;
  const sdk = "$metadata" in error && isRecord(error.$metadata) ? error.$metadata.httpStatusCode : 0;
  return Number(sdk ?? 0);
}

const noRights =
  /AccessDenied|UnauthorizedOperation|NotAuthorized|UnrecognizedClient|InvalidClientTokenId|SignatureDoesNotMatch|ExpiredToken|InvalidAccessKeyId|CredentialsProviderError|TokenProviderError|RequestExpired|MissingAuthenticationToken|InvalidSignature/;

const notThere = /ResourceNotFound|NonExistentQueue|QueueDoesNotExist/;

const unreachable =
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EPIPE|TimeoutError|NoTimeLeft|NoAnswerError|HTTP status 5\d\d)$/;

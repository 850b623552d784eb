import { isRecord } from "./json.ts";

/**
 * Returns the message of an AWS error, shortened, if messages of this code name only permissions, resources
 * and rules, and never sent or stored data. Returns undefined otherwise.
 * @param code AWS's error code
 * @param answer the whole parsed answer; the message is in `message` or `Message`
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
 */
export function harmlessMessage(code: string, answer: unknown): string | undefined {
  if (!harmlessCodes.test(code) || !isRecord(answer)) return undefined;
  const message = answer.message ?? answer.Message;
  return typeof message === "string" ? message.slice(0, longest) : undefined;
}

const longest = 400;

const harmlessCodes =
  /AccessDenied|NotAuthorized|UnrecognizedClient|InvalidClientTokenId|InvalidSignature|SignatureDoesNotMatch|ExpiredToken|MissingAuthentication|NotFound|DoesNotExist|NonExistent|Throttl|TooManyRequests|ThroughputExceeded|LimitExceeded|^ValidationException|Kms|InternalServer|InternalFailure|ServiceUnavailable/;

import { isRecord } from "./json.ts";

/**
 * Returns an AWS error's message, shortened, if messages of its code name only permissions, resources and
 * rules.
 * @param answer the whole answer
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

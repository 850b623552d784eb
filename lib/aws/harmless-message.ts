import { isRecord } from "../base/json.ts";

/**
 * Gives what an AWS service said about a refusal, where its words name rights, resources and rules and never what was
 * sent or is stored; undefined otherwise. Cut: it is for reading.
 * @param code AWS's own
 * @param answer the whole answer, parsed; `message` and `Message` are both used
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

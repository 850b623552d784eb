import { InvalidInputError } from "./errors.ts";

/** Credentials, who acts, what the body is, and what belongs to one connection (RFC 9110 §7.6.1): the client's own affair. */
const reserved =
  /^(apikey|appid|key|secret|onbehalfof|authorization|cookie|host|connection|keep-alive|te|trailer|upgrade|expect|user-agent|(accept|content|proxy|transfer|x-webhook)(-.*)?)$/;

/**
 * Reads headers that a caller adds to those of the client; their names come in lower case.
 * @throws InvalidInputError for a header that only the client may set, and for names and values that could not be sent
 */
export function readOwnHeaders(
  operation: string,
  headers: object,
  field = "headers",
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([given, value]: [string, unknown]) => {
      const name = given.toLowerCase();
      if (reserved.test(name)) {
        throw new InvalidInputError(operation, `${field}.${name}`, "left to the client and its options");
      }
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
        throw new InvalidInputError(operation, field, "of proper names");
      }
      if (typeof value === "string" && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return [name, value];
      throw new InvalidInputError(operation, `${field}.${name}`, "a text without line breaks");
    }),
  );
}

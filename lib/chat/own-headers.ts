import { InvalidInputError } from "./errors.ts";

/** Credentials, acting user, body, and headers of one connection (RFC 9110 §7.6.1). */
const reserved =
  /^(apikey|appid|key|secret|onbehalfof|authorization|cookie|host|connection|keep-alive|te|trailer|upgrade|expect|user-agent|(accept|content|proxy|transfer|x-webhook)(-.*)?)$/;

/**
 * Lowers names.
 * @throws InvalidInputError for a header that only the client may set, and for invalid names and values
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

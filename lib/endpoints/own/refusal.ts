import { isRecord } from "../../base/json.ts";
import { InvalidInputError } from "../../chat/errors.ts";
import { readPlainly } from "../../chat/read-plainly.ts";

/**
 * Thrown to answer a request with an error in the common form, `{"error": {"code", "message"}}`. Both must be
 * constants, without content of the request.
 */
export class RefusedRequestError extends Error {
  override readonly name = "RefusedRequestError";
  readonly status: number;
  /** For programs, such as `unauthorized`. */
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  /**
   * @param status from 400 to 599
   * @param headers names in lower case
   * @throws InvalidInputError if no response can be made of it
   */
  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    readPlainly("RefusedRequestError", "headers", () => {
      for (const [field, rule, isFine] of [
        [
          "status",
          "a whole number from 400 to 599",
          Number.isInteger(status) && status >= 400 && status <= 599,
        ],
        ["code", "a text that a program can go by", typeof code === "string" && code !== ""],
        ["message", "a text", typeof message === "string"],
        ["headers", "texts by their names", isRecord(headers) && Object.values(headers).every(isText)],
      ] as const) {
        if (!isFine) throw new InvalidInputError("RefusedRequestError", field, rule);
      }
    });
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

const isText = (value: unknown) => typeof value === "string";

/** For an app that this deployment does not serve. */
export const unknownApp = () =>
  new RefusedRequestError(404, "app_unknown", "This deployment serves no app of that name.");

/** For every request to a disabled function. */
export const notConfigured = () =>
  new RefusedRequestError(404, "not_configured", "This function is not turned on for the app.");

/** For an unknown caller. @param challenge the requested scheme (RFC 9110, section 11.6.1) */
export const unknownCaller = (challenge: "Basic" | "Bearer") =>
  new RefusedRequestError(401, "unauthorized", "The credentials are missing or wrong.", {
    "www-authenticate": challenge,
  });

/** For an unlisted web page. */
export const unlistedOrigin = () =>
  new RefusedRequestError(403, "origin_not_allowed", "Pages of this origin may not call this function.");

/** For too many requests. @param retryAfterMs wait in milliseconds */
export const tooManyRequests = (retryAfterMs: number) =>
  new RefusedRequestError(429, "too_many_requests", "Too many requests. Try again later.", {
    "retry-after": String(Math.max(1, Math.ceil(retryAfterMs / 1_000))),
  });

/** For a body over the function's limit. */
export const bodyTooLarge = () => new RefusedRequestError(413, "payload_too_large", "The body is too large.");

/** For a body that is not JSON or does not match. */
export const unfitBody = () =>
  new RefusedRequestError(400, "body_invalid", "The body is not what this function takes.");

/** For an outage of something that the function needs. */
export const outOfService = () =>
  new RefusedRequestError(503, "unavailable", "This cannot be answered now. Try again later.", {
    "retry-after": "5",
  });

/** For our own fault. */
export const ownFault = () =>
  new RefusedRequestError(500, "internal_error", "Something is wrong with this function.");

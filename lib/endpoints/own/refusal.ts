import { OwnError } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";
import { readPlainly } from "../../chat/check-plain.ts";
import { InvalidInputError } from "../../chat/errors.ts";

/**
 * Thrown to answer with an error in the common form, `{"error": {"code", "message"}}`: constants, without
 * content of the request.
 */
export class RefusedRequestError extends OwnError {
  override readonly name = "RefusedRequestError";
  readonly status: number;
  /** For programs, such as `unauthorized`. */
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  /**
   * @param status from 400 to 599
   * @param headers names in lower case
   * @throws InvalidInputError if an argument is invalid
   */
  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    readPlainly("RefusedRequestError", "headers", () => {
      for (const [field, rule, isFine] of [
        [
          "status",
          "a whole number from 400 to 599",
          Number.isInteger(status) && status >= 400 && status <= 599,
        ],
        ["code", "a text that is not empty", typeof code === "string" && code !== ""],
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

const seconds = (ms: number) => String(Math.max(1, Math.ceil(ms / 1_000)));

const isText = (value: unknown) => typeof value === "string";

export const unknownApp = () =>
  new RefusedRequestError(404, "app_unknown", "This deployment serves no app of that name.");

export const notConfigured = () =>
  new RefusedRequestError(404, "not_configured", "This function is not turned on for the app.");

/** @param challenge the requested scheme (RFC 9110, section 11.6.1) */
export const unknownCaller = (challenge: "Basic" | "Bearer") =>
  new RefusedRequestError(401, "unauthorized", "The credentials are missing or wrong.", {
    "www-authenticate": challenge,
  });

export const unlistedOrigin = () =>
  new RefusedRequestError(403, "origin_not_allowed", "Pages of this origin may not call this function.");

/** @param retryAfterMs in milliseconds */
export const tooManyRequests = (retryAfterMs: number) =>
  new RefusedRequestError(429, "too_many_requests", "Too many requests. Try again later.", {
    "retry-after": seconds(retryAfterMs),
  });

export const bodyTooLarge = () => new RefusedRequestError(413, "payload_too_large", "The body is too large.");

export const invalidBody = () => new RefusedRequestError(400, "body_invalid", "The request body is invalid.");

export const emptyKey = () => new RefusedRequestError(400, "key_empty", "The key is empty.");

export const unnamedCaller = () =>
  new RefusedRequestError(
    400,
    "key_without_caller",
    "A key needs a caller whose token has the claim sub: send the request without Idempotency-Key.",
  );

/** @param retryAfterMs in milliseconds */
export const serviceUnavailable = (retryAfterMs = 5_000) =>
  new RefusedRequestError(503, "unavailable", "The service is unavailable. Try again later.", {
    "retry-after": seconds(retryAfterMs),
  });

export const internalError = () => new RefusedRequestError(500, "internal_error", "Internal error.");

import type { HttpResponse } from "./lambda.ts";

/** The platform ignores the body (docs/internals/platform/webhooks.md#transport). */
export const accepted: HttpResponse = { status: 200, body: "{}" };

// Constant: it does not reveal whether the app or the password was wrong.
export const unauthorized = /* @__PURE__ */ failure(
  401,
  "unauthorized",
  "The credentials are missing or wrong.",
);
export const payloadTooLarge = /* @__PURE__ */ failure(
  413,
  "payload_too_large",
  "The body is too large: it does not fit into 1 MiB.",
);
export const unavailable = /* @__PURE__ */ failure(
  503,
  "unavailable",
  "The delivery could not be stored. Send it again.",
);
export const notFound = /* @__PURE__ */ failure(404, "not_found", "Nothing is received at this path.");
export const wrongMethod = /* @__PURE__ */ failure(405, "method_not_allowed", "Deliveries are sent by POST.");

function failure(status: number, code: string, message: string): HttpResponse {
  return { status, body: JSON.stringify({ error: { code, message } }) };
}

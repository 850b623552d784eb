import type { WholeRequest, WholeResponse } from "../../base/http/whole-request.ts";
import { unlistedOrigin } from "./refusal.ts";

const preflightSeconds = 600;

/**
 * Compares origins exactly: `null` and wildcards are never listed.
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function corsHeaders({ headers }: WholeRequest, origins: readonly string[]): Record<string, string> {
  const { origin } = headers;
  // Caches must separate origins.
  const vary = { vary: "origin" };
  if (!isListed(origin, origins)) return vary;
  // Lets a refused page read when to retry.
  const readable = { "access-control-expose-headers": "retry-after" };
  return { ...vary, ...readable, "access-control-allow-origin": origin };
}

/** @throws RefusedRequestError for an unlisted page */
export function checkOrigin({ headers }: WholeRequest, origins: readonly string[]): void {
  if (headers.origin !== undefined && !isListed(headers.origin, origins)) throw unlistedOrigin();
}

/** @throws RefusedRequestError for an unlisted origin */
export function answerPreflight(request: WholeRequest, origins: readonly string[]): WholeResponse {
  if (!isListed(request.headers.origin, origins)) throw unlistedOrigin();
  return {
    status: 204,
    body: "",
    headers: {
      "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
      "access-control-allow-headers": "authorization, content-type, idempotency-key",
      "access-control-max-age": String(preflightSeconds),
    },
  };
}

/**
 * Origins as browsers write them. HTTP only for the local machine. Web views have their own schemes, by
 * default these two.
 * @see https://capacitorjs.com/docs/config
 */
export const originPattern =
  /^(https:\/\/[a-z0-9.-]+(?!:443$)(:\d{1,5})?|http:\/\/(localhost|127\.0\.0\.1)(?!:80$)(:\d{1,5})?|(capacitor|ionic):\/\/localhost)$/;

function isListed(origin: string | undefined, origins: readonly string[]): origin is string {
  return origin !== undefined && originPattern.test(origin) && origins.includes(origin);
}

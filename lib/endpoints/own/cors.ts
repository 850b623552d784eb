import type { WholeRequest, WholeResponse } from "../../base/http/whole-request.ts";
import { unlistedOrigin } from "./refusal.ts";

/** How long a browser caches the answer to its preflight, in seconds. */
const preflightSeconds = 600;

/**
 * Returns the headers that let a page of a listed origin read the answer. Origins are compared exactly:
 * `null` and wildcards are never listed. Requests without an origin come from no page and get no headers.
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function corsHeaders(
  { headers }: Pick<WholeRequest, "headers">,
  origins: readonly string[],
): Record<string, string> {
  const { origin } = headers;
  // An answer to one origin, even a refusal, must not be cached for another.
  const vary = { vary: "origin" };
  if (!isListed(origin, origins)) return vary;
  // Otherwise a page that is refused for a while cannot read when to retry.
  const readable = { "access-control-expose-headers": "retry-after" };
  return { ...vary, ...readable, "access-control-allow-origin": origin };
}

/** Refuses an unlisted page before any other work. @throws RefusedRequestError */
export function checkOrigin({ headers }: Pick<WholeRequest, "headers">, origins: readonly string[]): void {
  if (headers.origin !== undefined && !isListed(headers.origin, origins)) throw unlistedOrigin();
}

/** Answers a browser's preflight request. @throws RefusedRequestError for an unlisted origin */
export function answerPreflight(request: WholeRequest, origins: readonly string[]): WholeResponse {
  if (!isListed(request.headers.origin, origins)) throw unlistedOrigin();
  return {
    status: 204,
    body: "",
    headers: {
      "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE", // the routes decide which exist
      "access-control-allow-headers": "authorization, content-type",
      "access-control-max-age": String(preflightSeconds),
    },
  };
}

/**
 * What an operator may list, as browsers write it: scheme, host and, unless default, port. HTTP only for the
 * local machine. Apps in a web view have their own schemes, by default these two.
 * @see https://capacitorjs.com/docs/config
 */
export const originPattern =
  /^(https:\/\/[a-z0-9.-]+(?!:443$)(:\d{1,5})?|http:\/\/(localhost|127\.0\.0\.1)(?!:80$)(:\d{1,5})?|(capacitor|ionic):\/\/localhost)$/;

function isListed(origin: string | undefined, origins: readonly string[]): origin is string {
  return origin !== undefined && originPattern.test(origin) && origins.includes(origin);
}

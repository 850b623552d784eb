import type { WholeRequest, WholeResponse } from "../../base/http/whole-request.ts";
import { unlistedOrigin } from "./refusal.ts";

/** How long a browser keeps the answer to its preflight, in seconds. */
const preflightSeconds = 600;

/**
 * Says what a browser must hear so that a page of a listed origin may read the answer. Origins are compared as they are:
 * `null` and wildcards are never listed. Requests without an origin come from no page, and hear nothing of this.
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function corsHeaders(
  { headers }: Pick<WholeRequest, "headers">,
  origins: readonly string[],
): Record<string, string> {
  const { origin } = headers;
  // An answer to one origin must not be kept for another, not even a refusal.
  const vary = { vary: "origin" };
  if (!isListed(origin, origins)) return vary;
  // Without it a page that is refused for a while does not see when to come again.
  const readable = { "access-control-expose-headers": "retry-after" };
  return { ...vary, ...readable, "access-control-allow-origin": origin };
}

/** Refuses a page that is not listed, before anything else is done for it. @throws RefusedRequestError */
export function checkOrigin({ headers }: Pick<WholeRequest, "headers">, origins: readonly string[]): void {
  if (headers.origin !== undefined && !isListed(headers.origin, origins)) throw unlistedOrigin();
}

/** Answers what a browser asks before it sends the request itself. @throws RefusedRequestError for an unlisted origin */
export function answerPreflight(request: WholeRequest, origins: readonly string[]): WholeResponse {
  if (!isListed(request.headers.origin, origins)) throw unlistedOrigin();
  return {
    status: 204,
    body: "",
    headers: {
      "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE", // the routes decide what there is
      "access-control-allow-headers": "authorization, content-type",
      "access-control-max-age": String(preflightSeconds),
    },
  };
}

/**
 * What an operator may list, as browsers write it: scheme, host and, where it is not the usual one, port. HTTP on one's own
 * machine only. Apps that are pages in a shell of their own have schemes of their own, by default these two.
 * @see https://capacitorjs.com/docs/config
 */
export const originPattern =
  /^(https:\/\/[a-z0-9.-]+(?!:443$)(:\d{1,5})?|http:\/\/(localhost|127\.0\.0\.1)(?!:80$)(:\d{1,5})?|(capacitor|ionic):\/\/localhost)$/;

function isListed(origin: string | undefined, origins: readonly string[]): origin is string {
  return origin !== undefined && originPattern.test(origin) && origins.includes(origin);
}

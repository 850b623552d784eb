import type { IncomingMessage } from "node:http";

/**
 * Tells whether a request may come in at all. Under the platform's own names and this machine's only: a page whose name was
 * rebound to this machine has another one. The interfaces that want a key take calls of every page, as the platform does;
 * what stands under `/_platform` wants none and controls everything, and takes calls of its own pages and of programs.
 * @param host where the platform listens
 */
export function mayCome(
  { method = "GET", url = "/", headers }: Pick<IncomingMessage, "method" | "url" | "headers">,
  host: string,
): boolean {
  const { host: named = "", origin, "sec-fetch-site": site, "sec-fetch-mode": mode } = headers;
  const name = named.replace(/:\d*$/, "").toLowerCase();
  if (!["127.0.0.1", "localhost", host].includes(name) && !name.endsWith(".cometchat.io")) return false;
  if (!url.startsWith("/")) return false;
  if (!/^\/_platform(\/|\?|$)/.test(url)) return true;
  const isOwnOrigin = origin === undefined || origin === `http://${named}`;
  const isOwnSite = site === undefined || site === "same-origin" || site === "none";
  // A link on another page may lead here; what that page's script asks for may not.
  const isLink = mode === "navigate" && (method === "GET" || method === "HEAD");
  return isOwnOrigin && (isOwnSite || isLink);
}

import type { Context, Next } from "hono";

/** No other host, and no page of another site: the console's API controls the whole local stack. */
export async function guardConsole(context: Context, next: Next): Promise<Response | undefined> {
  const { hostname, host } = new URL(context.req.url);
  const origin = context.req.header("origin");
  const site = context.req.header("sec-fetch-site");
  const isOwnOrigin = origin === undefined || origin === `http://${host}`;
  // Typed addresses and bookmarks have `none`.
  const isOwnSite = site === undefined || site === "same-origin" || site === "none";
  // A link from another port, such as the platform's page, is same-site.
  const isLink = context.req.header("sec-fetch-mode") === "navigate";
  const isRead = context.req.method === "GET" || context.req.method === "HEAD";
  if (!["127.0.0.1", "localhost"].includes(hostname) || !isOwnOrigin || !(isOwnSite || (isLink && isRead))) {
    const message = "The console accepts only requests of its own page. Open it at 127.0.0.1.";
    return context.json({ error: { message } }, 403);
  }
  await next();
  return undefined;
}

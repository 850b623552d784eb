import { type Context, Hono, type Next } from "hono";
import { HTTPException } from "hono/http-exception";
import { type ConsoleContext, jsonRoutes } from "./console-context.ts";
import type { Notices } from "./notices.ts";
import { addPage, type PageOptions } from "./page-routes.ts";
import { addCallsRoutes } from "./routes/calls-routes.ts";
import { addFactsRoutes } from "./routes/facts-routes.ts";
import { addFlowsRoutes } from "./routes/flows-routes.ts";
import { addJourneysRoutes } from "./routes/journeys-routes.ts";
import { addLogRoutes } from "./routes/log-routes.ts";
import { addPeopleRoutes } from "./routes/people-routes.ts";
import { addProxyRoutes } from "./routes/proxy-routes.ts";
import { addQueuesRoutes } from "./routes/queues-routes.ts";
import { addTryRoutes } from "./routes/try-routes.ts";
import { addWorldRoutes } from "./routes/world-routes.ts";

export function createConsoleApp(
  kept: Omit<ConsoleContext, "on">,
  page: PageOptions,
  notices: Notices,
): Hono {
  const app = new Hono();
  app.use("*", guardConsole);
  app.onError((error, context) =>
    error instanceof HTTPException
      ? error.getResponse()
      : context.json({ error: { message: error.message } }, 500),
  );
  app.notFound((context) =>
    context.json({ error: { message: `The console has nothing at ${context.req.path}.` } }, 404),
  );
  addPage(app, page);
  app.use("/api/world/*", async ({ req }, next) => {
    await next();
    if (req.method !== "GET") notices.tell(["world"]);
  });
  app.get("/api/notices", (context) => notices.stream(context.req.raw.signal));
  addProxyRoutes(app, kept);
  const { redactor } = kept.world.platform.services;
  const parts = { ...kept, on: jsonRoutes(app, (answer) => redactor.value(answer)) };
  const all = [addFactsRoutes, addPeopleRoutes, addJourneysRoutes, addQueuesRoutes, addTryRoutes];
  for (const add of [...all, addFlowsRoutes, addWorldRoutes, addLogRoutes, addCallsRoutes]) add(parts);
  return app;
}

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

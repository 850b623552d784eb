import http from "node:http";
import { getRequestListener } from "@hono/node-server";
import { type Context, Hono, type Next } from "hono";
import { HTTPException } from "hono/http-exception";
import { hiderOf } from "../../lib/base/known-secrets.ts";
import type { LocalStack } from "../stack/local-stack.ts";
import { keepCalls } from "./calls/call-store.ts";
import { type ConsoleContext, jsonRoutes } from "./console-context.ts";
import { keepJournal } from "./journeys/journal.ts";
import { keepLines } from "./kept-list.ts";
import { createNotices, type Notices } from "./notices.ts";
import { operatorOf } from "./operate.ts";
import { addPage, createPageFiles, type PageOptions } from "./page-routes.ts";
import { addCallsRoutes } from "./routes/calls-routes.ts";
import { addFactsRoutes } from "./routes/facts-routes.ts";
import { addFlowsRoutes } from "./routes/flows-routes.ts";
import { addJourneysRoutes } from "./routes/journeys-routes.ts";
import { addLogRoutes } from "./routes/log-routes.ts";
import { addPeopleRoutes } from "./routes/people-routes.ts";
import { addProxyRoutes } from "./routes/proxy-routes.ts";
import { addQueuesRoutes } from "./routes/queues-routes.ts";
import { addStackRoutes } from "./routes/stack-routes.ts";
import { addTryRoutes } from "./routes/try-routes.ts";

interface ConsoleOptions {
  readonly localStack: LocalStack;
  readonly port?: number;
  /** Receives messages for the developer, such as build errors of the page. */
  readonly report: (text: string) => void;
  /** The page. Default: built whenever it is opened. */
  readonly files?: PageOptions["files"];
}

export interface RunningConsole {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the console on 127.0.0.1. @throws Error with code EADDRINUSE */
export async function startConsole({
  localStack,
  port = 0,
  report,
  files = createPageFiles(),
}: ConsoleOptions): Promise<RunningConsole> {
  const notices = createNotices(localStack);
  const { redactor } = localStack.platform.services;
  redactor.hideWith(hiderOf);
  const { subscribe } = localStack;
  const { calls, ...keptCalls } = keepCalls({ subscribe, redact: (text) => redactor.text(text) });
  const journal = keepJournal(localStack);
  const { lines, ...keptLines } = keepLines(localStack);
  const operator = operatorOf(localStack.cloud, () => localStack.platform.clock.now());
  const app = createConsoleApp({ localStack, operator, calls, journal, lines }, { files, report }, notices);
  const listener = getRequestListener((request) => app.fetch(request), { overrideGlobalObjects: false });
  const server = http.createServer(listener);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve());
  });
  const address = server.address();
  const ownPort = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${ownPort}`,
    async close() {
      for (const one of [notices, keptCalls, journal, keptLines]) one.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await files.close();
    },
  };
}

function createConsoleApp(kept: Omit<ConsoleContext, "on">, page: PageOptions, notices: Notices): Hono {
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
  app.use("/api/stack/*", async ({ req }, next) => {
    await next();
    if (req.method !== "GET") notices.notify(["stack"]);
  });
  app.get("/api/notices", (context) => notices.stream(context.req.raw.signal));
  addProxyRoutes(app, kept);
  const { redactor } = kept.localStack.platform.services;
  const parts = { ...kept, on: jsonRoutes(app, (answer) => redactor.value(answer)) };
  const all = [addFactsRoutes, addPeopleRoutes, addJourneysRoutes, addQueuesRoutes, addTryRoutes];
  for (const add of [...all, addFlowsRoutes, addStackRoutes, addLogRoutes, addCallsRoutes]) add(parts);
  return app;
}

/** Refuses other hosts and sites: the console's API controls the whole local stack. */
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

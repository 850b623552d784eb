import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import http from "node:http";
import { getRequestListener } from "@hono/node-server";
import { assemblePlatform, type CoreOptions, type CorePlatform } from "./assemble-platform.ts";
import { socketConnection } from "./http/client-connection.ts";
import { createSender } from "./webhooks/send.ts";

export type PlatformOptions = CoreOptions & {
  /** 0 (default) takes any free port. */
  port?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** Whether what waits in a data file continues only at `resume`, once receivers run. Default false. */
  resumesLater?: boolean;
};

export type Platform = CorePlatform & {
  /** Address without a trailing slash, e.g. `http://127.0.0.1:4100`. */
  url: string;
  port: number;
  appUrl(appId: string, region?: string, service?: "api" | "call"): string;
  managementUrl: string;
  /** Continues what waits in the data file. Called once, with `resumesLater`. */
  resume(): void;
  /** Requests below `/_platform` continue. */
  breakRequests(): void;
  /** May be repeated. */
  close(): Promise<void>;
};

/**
 * @throws Error with code EADDRINUSE if the port is taken
 * @example const platform = await createPlatform(); await fetch(`${platform.appUrl("local-app")}/messages`, {
 * method: "POST", headers: { apikey }, body });
 */
export async function createPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const host = options.host ?? "127.0.0.1";
  const { platform, control } = assemblePlatform(options, createSender());
  const answer = getRequestListener(
    (request, bindings) => control.answer(request, { connection: socketConnection(bindings) }),
    // Otherwise it replaces Request and Response of the whole process by more lenient ones.
    { hostname: host, overrideGlobalObjects: false },
  );
  const underWay = new Set<http.ServerResponse>();
  const server = http.createServer((request, response) => {
    if (isAllowedRequest(request, host)) {
      if (!request.url?.startsWith("/_platform")) {
        underWay.add(response);
        response.once("close", () => underWay.delete(response));
      }
      return answer(request, response);
    }
    request.resume();
    const message = "This host name or origin is not allowed. Use http://127.0.0.1.";
    response
      .writeHead(403, { "content-type": "application/json" })
      .end(JSON.stringify({ error: { message } }));
    return undefined;
  });
  const port = await listen(server, options.port ?? 0, host).catch(async (error: unknown) => {
    await control.close();
    throw error;
  });
  if (options.resumesLater !== true) control.resume();
  let isClosed = false;
  const url = `http://${host}:${port}`;

  return {
    ...platform,
    url,
    port,
    appUrl: (appId, region = "us", service = "api") => `${url}/${appId}.${service}-${region}/v3`,
    managementUrl: `${url}/apimgmt`,
    resume: control.resume,
    breakRequests() {
      for (const response of underWay) response.destroy();
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await control.close(closed);
    },
  };
}

async function listen(server: http.Server, port: number, host: string) {
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

/**
 * Accepts only the platform's names and this machine's: a page rebound to it has another. Interfaces with
 * keys accept every page, as the platform does; `/_platform`, without a key, only its own pages and programs.
 * @param host where the platform listens
 */
function isAllowedRequest(
  { method = "GET", url = "/", headers }: Pick<IncomingMessage, "method" | "url" | "headers">,
  host: string,
) {
  const { host: named = "", origin, "sec-fetch-site": site, "sec-fetch-mode": mode } = headers;
  const name = named.replace(/:\d*$/, "").toLowerCase();
  if (!["127.0.0.1", "localhost", host].includes(name) && !name.endsWith(".cometchat.io")) return false;
  if (!url.startsWith("/")) return false;
  if (!/^\/_platform(\/|\?|$)/.test(url)) return true;
  const isOwnOrigin = origin === undefined || origin === `http://${named}`;
  const isOwnSite = site === undefined || site === "same-origin" || site === "none";
  // Another page may link here, but not send requests.
  const isLink = mode === "navigate" && (method === "GET" || method === "HEAD");
  return isOwnOrigin && (isOwnSite || isLink);
}

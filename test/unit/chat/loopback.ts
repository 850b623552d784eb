import type { ServerResponse } from "node:http";
import { startLoopbackServer } from "../../helpers/loopback-server.ts";

/** Starts a loopback server as the platform of one test; `baseUrlTemplate` connects a client to it. */
export async function startLoopback(answer: Parameters<typeof startLoopbackServer>[0]) {
  const { url, requests } = await startLoopbackServer(answer);
  return { requests, baseUrlTemplate: `${url}/{appId}.{service}-{region}/v3` };
}

/** Answers with JSON. */
export function reply(response: ServerResponse, status: number, body: unknown, headers: object = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

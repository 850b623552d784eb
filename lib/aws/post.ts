import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { lazy } from "../lazy.ts";

export interface Answer {
  readonly status: number;
  readonly body: string;
}

export interface PostRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The whole call, from connecting to the answer's last byte. */
  readonly timeoutMs: number;
}

/**
 * Makes a function that posts to one address, `http:` or `https:`, over a connection that is kept for the next call.
 * It rejects with Node's own error when the connection fails, and with `code` "ETIMEDOUT" when time is up.
 *
 * Node's own client instead of `fetch`: the first use of `fetch` costs a cold start about ten times as much
 * (docs/decisions/0006-lean-signed-calls.md).
 */
export function createPost(url: string): (request: PostRequest) => Promise<Answer> {
  const { protocol, hostname, port, pathname } = new URL(url);
  const connection = lazy(() => connect(protocol));

  return ({ headers, body, timeoutMs }) =>
    new Promise((resolve, reject) => {
      const { agent, request: open } = connection();
      const request = open(
        {
          agent,
          method: "POST",
          hostname: hostname.replace(/^\[|\]$/g, ""), // an IPv6 address stands in brackets in URLs only
          port,
          path: pathname,
          headers: { ...headers, "content-length": body.byteLength },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", fail);
          response.on("end", () => {
            clearTimeout(timer);
            resolve({
              status: response.statusCode ?? 0,
              body: Buffer.concat(chunks).toString("utf8"),
            });
          });
        },
      );
      const fail = (error: Error): void => {
        clearTimeout(timer);
        reject(error);
      };
      const timer = setTimeout(() => request.destroy(new TimeoutError(timeoutMs)), timeoutMs);
      request.on("error", fail);
      request.end(body);
    });
}

class TimeoutError extends Error {
  override readonly name = "TimeoutError";
  readonly code = "ETIMEDOUT";

  constructor(timeoutMs: number) {
    super(`No complete answer within ${timeoutMs} ms.`);
  }
}

interface Connection {
  readonly agent: Agent;
  readonly request: (
    options: RequestOptions,
    onResponse: (response: IncomingMessage) => void,
  ) => ClientRequest;
}

/** Loaded at the first call. `import` of node:http would load all of `fetch` too, as one of its exports needs it. */
function connect(protocol: string): Connection {
  const options = { keepAlive: true };
  if (protocol === "http:") {
    const http = process.getBuiltinModule("node:http");
    return { agent: new http.Agent(options), request: http.request };
  }
  const https = process.getBuiltinModule("node:https");
  return { agent: new https.Agent(options), request: https.request };
}

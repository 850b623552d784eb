import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { lazy } from "../base/lazy.ts";

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** The header with which AWS names an error, where there is one. */
  readonly errorType?: string | undefined;
}

export interface PostRequest {
  /** Default: POST. */
  readonly method?: string | undefined;
  /** With its query, escaped; instead of the address's own. */
  readonly path?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The whole request, from connecting to the answer's last byte. */
  readonly timeoutMs: number;
  /** Until a connection stands, TLS included. Default: `timeoutMs`. */
  readonly connectTimeoutMs?: number;
}

/** Sends a request to one address. @throws NoAnswerError */
export type Post = (request: PostRequest) => Promise<Answer>;

/** Says that no whole answer came; `code` is Node's own, or "ETIMEDOUT" when time was up. */
export class NoAnswerError extends Error {
  override readonly name: string = "NoAnswerError";
  readonly code: string;
  /** False only when no connection came about: then nothing was sent. */
  readonly maybeExecuted: boolean;

  constructor(message: string, { code, maybeExecuted }: { code: string; maybeExecuted: boolean }) {
    super(message);
    this.code = code;
    this.maybeExecuted = maybeExecuted;
  }
}

/**
 * Makes a function that posts to one address, `http:` or `https:`, over a connection that is kept for the next request.
 *
 * Node's own client instead of `fetch`: the first use of `fetch` costs a cold start about ten times as much
 * (docs/decisions/0006-lean-signed-calls.md).
 */
export function createPost(url: string): Post {
  const { protocol, hostname, port, pathname } = new URL(url);
  const connection = lazy(() => connect(protocol));

  return ({ method = "POST", path = pathname, headers, body, timeoutMs, connectTimeoutMs = timeoutMs }) =>
    new Promise((resolve, reject) => {
      const { agent, connectedEvent, request: open } = connection();
      let isConnected = false;
      const request = open(
        {
          agent,
          method,
          hostname: hostname.replace(/^\[|\]$/g, ""), // an IPv6 address stands in brackets in URLs only
          port,
          path,
          headers: { ...headers, "content-length": body.byteLength },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", fail);
          response.on("end", () => {
            stopTimers();
            resolve({
              status: response.statusCode ?? 0,
              body: Buffer.concat(chunks).toString("utf8"),
              errorType: response.headers["x-amzn-errortype"]?.toString(),
            });
          });
        },
      );
      const stopTimers = (): void => {
        clearTimeout(timer);
        clearTimeout(connectTimer);
      };
      const fail = (error: NodeJS.ErrnoException): void => {
        stopTimers();
        const facts = { code: error.code ?? error.name, maybeExecuted: isConnected };
        reject(
          error instanceof NoTimeLeft
            ? new TimeoutError(error.message, facts)
            : new NoAnswerError(error.message, facts),
        );
      };
      const giveUpAfter = (ms: number) => setTimeout(() => request.destroy(new NoTimeLeft(ms)), ms);
      const timer = giveUpAfter(timeoutMs);
      const connectTimer = connectTimeoutMs < timeoutMs ? giveUpAfter(connectTimeoutMs) : undefined;
      request.on("socket", (socket) => {
        const onConnected = (): void => {
          isConnected = true;
          clearTimeout(connectTimer);
        };
        if (socket.connecting) socket.once(connectedEvent, onConnected);
        else onConnected();
      });
      request.on("error", fail);
      request.end(body);
    });
}

class TimeoutError extends NoAnswerError {
  override readonly name = "TimeoutError";
}

class NoTimeLeft extends Error {
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
  /** What a new socket says when bytes can go out. */
  readonly connectedEvent: "connect" | "secureConnect";
}

/** Loaded at the first request. `import` of node:http would load all of `fetch` too, as one of its exports needs it. */
function connect(protocol: string): Connection {
  const options = { keepAlive: true };
  if (protocol === "http:") {
    const http = process.getBuiltinModule("node:http");
    return { agent: new http.Agent(options), request: http.request, connectedEvent: "connect" };
  }
  const https = process.getBuiltinModule("node:https");
  return { agent: new https.Agent(options), request: https.request, connectedEvent: "secureConnect" };
}

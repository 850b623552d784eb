import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { OwnError } from "../base/errors.ts";
import { keepConnections } from "../base/http/kept-connections.ts";
import { lazy } from "../base/lazy.ts";

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly errorType?: string | undefined;
}

export interface PostRequest {
  /** Default: POST. */
  readonly method?: string | undefined;
  /** Escaped, with its query; replaces the URL's path. */
  readonly path?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** From connecting to the answer's last byte. */
  readonly timeoutMs: number;
  /** With TLS. Default: `timeoutMs`. */
  readonly connectTimeoutMs?: number;
}

/** @throws NoAnswerError */
export type Post = (request: PostRequest) => Promise<Answer>;

/** No complete answer arrived. `code` is Node's, or "ETIMEDOUT". */
export class NoAnswerError extends OwnError {
  override readonly name: string = "NoAnswerError";
  readonly code: string;
  /** False only if no connection was opened. */
  readonly maybeExecuted: boolean;

  constructor(message: string, { code, maybeExecuted }: { code: string; maybeExecuted: boolean }) {
    super(message);
    this.code = code;
    this.maybeExecuted = maybeExecuted;
  }
}

/**
 * Posts to one URL over a kept-alive connection of Node's own client: in a cold start, the first `fetch`
 * costs about ten times as much (docs/internals/decisions.md#signed-calls).
 */
export function createPost(url: string, now: () => number = Date.now): Post {
  const { protocol, hostname, port, pathname } = new URL(url);
  const connection = lazy(() => connect(protocol, now));

  return ({ method = "POST", path = pathname, headers, body, timeoutMs, connectTimeoutMs = timeoutMs }) =>
    new Promise((resolve, reject) => {
      const { agent, connectedEvent, request: open } = connection();
      let isConnected = false;
      const request = open(
        {
          agent: agent(),
          method,
          hostname: hostname.replace(/^\[|\]$/g, ""), // only URLs write IPv6 addresses in brackets
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

class NoTimeLeft extends OwnError {
  readonly code = "ETIMEDOUT";

  constructor(timeoutMs: number) {
    super(`No complete answer within ${timeoutMs} ms.`);
  }
}

interface Connection {
  readonly agent: () => Agent;
  readonly request: (
    options: RequestOptions,
    onResponse: (response: IncomingMessage) => void,
  ) => ClientRequest;
  /** Emitted by a new socket when bytes can be sent. */
  readonly connectedEvent: "connect" | "secureConnect";
}

/** As in AWS's SDK for Java: https://github.com/aws/aws-sdk-java-v2, `SdkHttpConfigurationOption`. */
const idleMs = 60_000;

/** `import` of node:http would also load `fetch`. */
function connect(protocol: string, now: () => number): Connection {
  const isOpen = protocol === "http:";
  const client = process.getBuiltinModule(isOpen ? "node:http" : "node:https");
  return {
    agent: keepConnections(client, idleMs, now),
    request: client.request,
    connectedEvent: isOpen ? "connect" : "secureConnect",
  };
}

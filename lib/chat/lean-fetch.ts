import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { lazyByKey } from "../base/lazy.ts";
import { isError } from "../base/realm.ts";

export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>;

export interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | ArrayBuffer | null;
  readonly redirect: "manual";
  readonly signal: AbortSignal;
}

export interface FetchAnswer {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: AnswerHeaders;
  text(): Promise<string>;
}

export interface AnswerHeaders {
  get(name: string): string | null;
}

/** The server may close an idle connection, and a frozen process may hold a dead one. As in `fetch`. */
const idleMs = 4_000;

/**
 * On Node's HTTP client: the first global `fetch` adds 40 ms to a cold start
 * (docs/internals/decisions.md#signed-calls). Follows no redirects; byte bodies go to the global `fetch`.
 * Rejects with Node's error without an answer, and with the signal's reason.
 */
export function createLeanFetch(now: () => number): Fetch {
  const connectionTo = lazyByKey((protocol: string) => createConnection(protocol, now));

  return (url, init) => {
    const { body } = init;
    if (body !== null && typeof body !== "string") return globalThis.fetch(url, { ...init, body });
    return send(connectionTo(new URL(url).protocol), url, init, body);
  };
}

function send(
  { open, done }: Connection,
  url: string,
  { method, headers, signal }: FetchInit,
  body: string | null,
): Promise<FetchAnswer> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const bytes = body === null ? undefined : Buffer.from(body);
    const request = open(url, {
      method,
      headers: { ...headers, ...(bytes && { "content-length": String(bytes.byteLength) }) },
    });
    const abort = () => request.destroy(toError(signal.reason));
    signal.addEventListener("abort", abort, { once: true });
    request.once("close", () => {
      signal.removeEventListener("abort", abort);
      done();
    });
    request.on("error", reject);
    request.once("response", (response) => {
      const status = response.statusCode ?? 0;
      // An unread body would keep its connection.
      const text = readText(response);
      text.catch(() => undefined); // the caller of text() gets the failure
      const ok = status >= 200 && status < 300;
      resolve({ ok, status, headers: toHeaders(response), text: () => text });
    });
    request.end(bytes);
  });
}

function readText(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    response.on("data", (chunk: Buffer) => chunks.push(chunk));
    response.on("error", reject);
    response.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
  });
}

function toHeaders({ headers }: IncomingMessage): AnswerHeaders {
  return {
    get: (name) => {
      const value = headers[name.toLowerCase()];
      return value === undefined ? null : [value].flat().join(", ");
    },
  };
}

function toError(reason: unknown): Error {
  return isError(reason) ? reason : new Error("The request was aborted.");
}

interface Connection {
  open(url: string, options: RequestOptions): ClientRequest;
  done(): void;
}

function createConnection(protocol: string, now: () => number): Connection {
  const http =
    protocol === "http:" ? process.getBuiltinModule("node:http") : process.getBuiltinModule("node:https");
  const newAgent = (): Agent => new http.Agent({ keepAlive: true });
  let agent = newAgent();
  let usedAt = now();
  let underWay = 0;
  return {
    open: (url, options) => {
      if (underWay === 0 && now() - usedAt > idleMs) {
        agent.destroy();
        agent = newAgent();
      }
      underWay += 1;
      return http.request(url, { ...options, agent });
    },
    done: () => {
      underWay -= 1;
      usedAt = now();
    },
  };
}

import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { keepConnections } from "../base/http/kept-connections.ts";
import { readBytes } from "../base/http/read-bytes.ts";
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

/** Equals the limit of `fetch`. */
const idleMs = 4_000;

/**
 * Uses Node's HTTP client: the first global `fetch` adds 40 ms to a cold start
 * (docs/internals/decisions.md#signed-calls). Follows no redirects; byte bodies go to the global `fetch`.
 * Rejects with Node's error without an answer, and with the signal's reason.
 */
export function createLeanFetch(now: () => number): Fetch {
  const clientFor = lazyByKey((protocol: string) => {
    const http =
      protocol === "http:" ? process.getBuiltinModule("node:http") : process.getBuiltinModule("node:https");
    return { request: http.request, agent: keepConnections(http, idleMs, now) };
  });

  return (url, init) => {
    const { body } = init;
    if (body !== null && typeof body !== "string") return globalThis.fetch(url, { ...init, body });
    return send(clientFor(new URL(url).protocol), url, init, body);
  };
}

interface HttpClient {
  readonly request: (url: string, options: RequestOptions) => ClientRequest;
  readonly agent: () => Agent;
}

function send(
  { request: open, agent }: HttpClient,
  url: string,
  { method, headers, signal }: FetchInit,
  body: string | null,
): Promise<FetchAnswer> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const bytes = body === null ? undefined : Buffer.from(body);
    const request = open(url, {
      agent: agent(),
      method,
      headers: { ...headers, ...(bytes && { "content-length": String(bytes.byteLength) }) },
    });
    const abort = () => request.destroy(toError(signal.reason));
    signal.addEventListener("abort", abort, { once: true });
    request.once("close", () => signal.removeEventListener("abort", abort));
    request.on("error", reject);
    request.once("response", (response) => {
      const status = response.statusCode ?? 0;
      // An unread body keeps its connection.
      const text = readBytes(response).then(String);
      text.catch(() => undefined); // the caller of text() gets the failure
      const ok = status >= 200 && status < 300;
      resolve({ ok, status, headers: toHeaders(response), text: () => text });
    });
    request.end(bytes);
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

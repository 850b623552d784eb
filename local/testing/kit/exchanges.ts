import { isRecord, parseJson } from "../../../lib/base/json.ts";
import { RequestFailedError } from "../../../lib/effects/effect-errors.ts";
import type { SendOutside } from "../../../lib/effects/http/outside.ts";
import type { Process } from "../simulated/process.ts";
import type { ApiRequest, SentMessage } from "../story-outcome.ts";
import type { KitClock } from "./kit-clock.ts";

export interface Exchange {
  readonly request: Request;
  readonly body: string;
  readonly status: number;
  readonly answer: string;
  readonly atMs: number;
}

/** The recorded answer is an equal one: a test may return the same object several times. */
export async function exchange(
  request: Request,
  exchanges: Exchange[],
  answer: (request: Request) => Response | Promise<Response>,
  now: () => number,
): Promise<Response> {
  const atMs = now();
  const body = await request.clone().text();
  const answered = await answer(request);
  const { status, headers } = answered;
  const text = await answered.clone().text();
  exchanges.push({ request, body, status, answer: text, atMs });
  // Some statuses, such as 204 and 304, may have no body, not even an empty one.
  return new Response(text === "" ? null : text, { status, headers });
}

/** Parses a request to the platform. Never throws. */
export function readApiRequest({ request, body, status, answer, atMs }: Exchange): ApiRequest {
  const parsed = parseJson(body);
  return {
    method: request.method,
    path: new URL(request.url).pathname.replace(/^\/v3(\.0)?/, ""),
    onBehalfOf: request.headers.get("onBehalfOf") ?? undefined,
    body: isRecord(parsed) ? parsed : undefined,
    status,
    answer: parseJson(answer),
    at: new Date(atMs),
  };
}

export function readSent(exchange: Exchange): SentMessage[] {
  const { method, path, onBehalfOf: from, body = {}, status, answer, at } = readApiRequest(exchange);
  if (method !== "POST" || path !== "/messages" || status >= 300) return [];
  const data = isRecord(body.data) ? body.data : {};
  const { text, metadata } = data;
  const stored = isRecord(answer) && isRecord(answer.data) ? answer.data : {};
  return [
    {
      id: String(stored.id),
      from,
      to: String(body.receiver),
      text: typeof text === "string" ? text : undefined,
      metadata: isRecord(metadata) ? metadata : {},
      body,
      at,
    },
  ];
}

const platformLimitMs = 10_000;

export function createFetch(
  process: Process,
  clock: KitClock,
  answer: (request: Request) => Promise<Response>,
): typeof fetch {
  return (input, init) => {
    const request = new Request(input, init);
    const giveUp = {
      afterMs: platformLimitMs,
      error: () => new TypeError("fetch failed: no answer in time"),
    };
    return process.edge(edgeOf(request), () => clock.outside(answer(request), giveUp));
  };
}

export function createSendOutside(
  process: Process,
  clock: KitClock,
  answer: (request: Request) => Promise<Response>,
): SendOutside {
  return ({ url, method, headers, body = null }, { timeoutMs }) => {
    const request = new Request(url, { method, headers, body });
    const send = async () => {
      const response = await answer(request);
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    const target = `${method} ${url.host}`;
    const error = () => new RequestFailedError(target, { reason: "TIMEOUT", maybeExecuted: true });
    return process.edge(`${target}${url.pathname}`, () =>
      clock.outside(send(), { afterMs: timeoutMs, error }),
    );
  };
}

export function edgeOf({ method, url }: Request): string {
  return `${method} ${new URL(url).pathname.replace(/^\/v3(\.0)?/, "")}`;
}

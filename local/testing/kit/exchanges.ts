import { isRecord, parseJson } from "../../../lib/base/json.ts";
import type { ApiRequest, SentMessage } from "../story-outcome.ts";

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

import type { IncomingMessage, ServerResponse } from "node:http";
import { withTimeout } from "../../../lib/base/timers.ts";
import type { LambdaService } from "../lambda/lambda-service.ts";
import type { Outcome } from "../lambda/outcome.ts";
import { type LocalServer, startLocalServer } from "../local-server.ts";
import { type HttpAnswer, readFunctionAnswer, writeGatewayAnswer } from "./http-answer.ts";
import { newRequestId, writeHttpEvent } from "./http-event.ts";
import { readRequestPath } from "./request-path.ts";
import { findRoute, type Route } from "./route-table.ts";
import { type StageSettings, Throttle } from "./throttle.ts";

/** @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html */
const maxBodyBytes = 10 * 1024 * 1024;
const integrationTimeoutMs = 30_000;
const maxHeadBytes = 10_240;
/** @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
export const maxPayloadBytes = 6 * 1024 * 1024;

export interface HttpExchange {
  readonly atMs: number;
  readonly durationMs: number;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly userAgent: string;
  readonly contentType: string;
  readonly body: Buffer;
  readonly status: number;
  readonly answer: Buffer;
  readonly functionKey: string | undefined;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly invocation: string | undefined;
  readonly remotePort: number | undefined;
}

interface Integration {
  readonly lambda: Pick<LambdaService, "invoke">;
  readonly routes: readonly Route[];
  /** Default: only the account's limit. */
  readonly stageSettings?: StageSettings;
}

interface GatewayOptions {
  /** Default: 30 s. */
  readonly timeoutMs?: number;
  readonly port?: number | undefined;
  readonly now?: (() => number) | undefined;
  readonly onExchange?: ((exchange: HttpExchange) => void) | undefined;
}

/**
 * Starts a server on 127.0.0.1. Accepts web pages' calls, but no foreign host names.
 * @param integration may resolve later: functions may need this address
 */
export function startHttpGateway(
  integration: Integration | Promise<Integration>,
  options: GatewayOptions = {},
): Promise<LocalServer> {
  const throttle = new Throttle(() => performance.now());
  const now = increasing(options.now ?? Date.now);
  return startLocalServer(
    (request, response) => {
      const requestId = newRequestId();
      answer(integration, { ...options, throttle, now }, request, requestId)
        .then((result) => send(response, result, requestId))
        .catch(() => response.destroy());
    },
    { takesPages: true, port: options.port },
  );
}

/** Returns a clock that always increases, although clocks may be set back. */
function increasing(now: () => number): () => number {
  let latestMs = 0;
  return () => {
    const nowMs = now();
    const isAhead = latestMs >= nowMs && latestMs < nowMs + 1_000;
    latestMs = isAhead ? latestMs + 1 : nowMs;
    return latestMs;
  };
}

async function answer(
  integration: Integration | Promise<Integration>,
  {
    timeoutMs = integrationTimeoutMs,
    now,
    onExchange = () => {},
    throttle,
  }: GatewayOptions & { throttle: Throttle; now: () => number },
  request: IncomingMessage,
  requestId: string,
): Promise<HttpAnswer> {
  const nowMs = now();
  // Read now: a closed connection loses it.
  const { remotePort } = request.socket;
  const { lambda, routes, stageSettings = {} } = await integration;
  if (headBytes(request) > maxHeadBytes) return writeGatewayAnswer(431);
  const path = readRequestPath(request.url ?? "/");
  if (path === undefined) return writeGatewayAnswer(400);
  const route = findRoute(routes, request.method ?? "GET", path);
  const atMs = Date.now();
  const startedAt = performance.now();
  const body = route && (await readBody(request));
  const report = (given: HttpAnswer, invocation?: string): HttpAnswer => {
    onExchange({
      atMs,
      durationMs: performance.now() - startedAt,
      invocation,
      method: request.method ?? "GET",
      path: request.url ?? "/",
      userAgent: request.headers["user-agent"] ?? "",
      contentType: request.headers["content-type"] ?? "",
      body: copyOf(body ?? Buffer.alloc(0)),
      status: given.status,
      answer: copyOf(given.body),
      functionKey: route?.functionKey,
      pathParameters: route?.pathParameters ?? {},
      remotePort,
    });
    return given;
  };
  if (!throttle.admits(route?.key, stageSettings)) return report(writeGatewayAnswer(429));
  if (!route) return report(writeGatewayAnswer(404));
  if (body === undefined) return report(writeGatewayAnswer(413));
  const event = JSON.stringify(writeHttpEvent({ request, requestId, path, route, body, nowMs }));
  if (Buffer.byteLength(event) > maxPayloadBytes) return report(writeGatewayAnswer(413));

  const outcome = await withTimeout(
    () => lambda.invoke(route.functionKey, event),
    timeoutMs,
    () => undefined,
  );
  return report(answerOf(outcome), outcome?.requestId);
}

/** Copies bytes: a slice would keep all 64 kB of Node's buffer pool. */
function copyOf(bytes: Buffer): Buffer {
  return Buffer.from(Uint8Array.from(bytes).buffer);
}

function answerOf(outcome: Outcome | undefined): HttpAnswer {
  switch (outcome?.kind) {
    case "answered":
      return readFunctionAnswer(outcome.body);
    case undefined:
    case "timedOut":
    case "throttled":
      return writeGatewayAnswer(503);
    case "failed":
    case "exited":
      return writeGatewayAnswer(500);
  }
}

function headBytes({ method = "", url = "", httpVersion, rawHeaders }: IncomingMessage) {
  const values = rawHeaders.filter((_, index) => index % 2 === 1);
  return values.reduce((sum, value) => sum + value.length, `${method} ${url} HTTP/${httpVersion}`.length);
}

/** @returns undefined once the body is too large: drops the rest, so that a writing client gets the answer */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes) {
    request.resume();
    return undefined;
  }
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBodyBytes) chunks.push(chunk);
      else {
        chunks.length = 0;
        resolve(undefined);
      }
    });
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", reject);
    request.once("close", () => reject(new Error("The client went away.")));
  });
}

function send(response: ServerResponse, { status, headers, cookies, body }: HttpAnswer, requestId: string) {
  if (cookies.length > 0) response.setHeader("set-cookie", cookies);
  const hasBody = status !== 204 && status !== 304;
  response
    .writeHead(status, {
      ...headers,
      ...(hasBody && { "content-length": body.byteLength }),
      "apigw-requestid": requestId,
    })
    .end(hasBody ? body : undefined);
}

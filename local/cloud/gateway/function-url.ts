import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServiceDefinition } from "../build/service-definition.ts";
import type { LambdaService } from "../lambda/lambda-service.ts";
import type { Receive } from "../lambda/runtime-api.ts";
import { isTaken, type LocalServer, type LocalServerOptions, startLocalServer } from "../local-server.ts";
import { type HttpAnswer, readFunctionAnswer, writeGatewayAnswer } from "./http-answer.ts";
import { newRequestId, writeHttpEvent } from "./http-event.ts";
import { maxPayloadBytes, readBody } from "./http-gateway.ts";
import { readRequestPath } from "./request-path.ts";

/**
 * Starts a server on 127.0.0.1 for each function with a `url`. Streams, without a throttle; a function
 * outlives its caller's connection.
 * @param lambda resolves later: functions may need these addresses
 * @param ports by function key; default, or if taken: any free one
 * @see https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html
 */
export async function startFunctionUrls(
  { functions }: Pick<ServiceDefinition, "functions">,
  lambda: Promise<Pick<LambdaService, "invoke">>,
  now: () => number,
  ports: Readonly<Record<string, number>> = {},
): Promise<ReadonlyMap<string, LocalServer>> {
  const keys = Object.entries(functions).flatMap(([key, { url = false }]) => (url === false ? [] : [key]));
  const servers = keys.map(
    async (key) => [key, await startFunctionUrl(key, lambda, now, ports[key])] as const,
  );
  return new Map(await Promise.all(servers));
}

function startFunctionUrl(
  functionKey: string,
  lambda: Promise<Pick<LambdaService, "invoke">>,
  now: () => number,
  port: number | undefined,
) {
  const start = (options: LocalServerOptions) =>
    startLocalServer(
      (request, response) => {
        answer(functionKey, lambda, now(), request, response).catch(() => response.destroy());
      },
      { takesPages: true, ...options },
    );
  return start({ port }).catch((error: unknown) => {
    if (port !== undefined && isTaken(error)) return start({});
    throw error;
  });
}

async function answer(
  functionKey: string,
  lambda: Promise<Pick<LambdaService, "invoke">>,
  nowMs: number,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const path = readRequestPath(request.url ?? "/");
  const body = await readBody(request);
  if (path === undefined) return sendWhole(response, writeGatewayAnswer(400));
  if (body === undefined) return sendWhole(response, writeGatewayAnswer(413));
  const route = { key: "$default", functionKey, pathParameters: {} };
  const requestId = newRequestId();
  const event = JSON.stringify(writeHttpEvent({ request, requestId, path, route, body, nowMs }));
  if (Buffer.byteLength(event) > maxPayloadBytes) return sendWhole(response, writeGatewayAnswer(413));

  const outcome = await (await lambda).invoke(functionKey, event, sendingTo(response));
  if (outcome.kind === "throttled") return sendWhole(response, writeGatewayAnswer(429));
  const isDone = outcome.kind === "answered";
  if (!response.headersSent) sendWhole(response, isDone ? readFunctionAnswer(outcome.body) : failed);
  else if (isDone) response.end();
  else response.destroy();
}

/** UNVERIFIED: the status after a failure or time-out. */
const failed: HttpAnswer = { ...writeGatewayAnswer(500), status: 502 };

/** Between the head, as JSON, and the body. */
const delimiter = Buffer.alloc(8);

function sendingTo(response: ServerResponse): Receive {
  let head = Buffer.alloc(0);
  return async (chunk, contentType = "") => {
    let rest = chunk;
    if (!response.headersSent) {
      if (contentType === "application/vnd.awslambda.http-integration-response") {
        head = Buffer.concat([head, chunk]);
        const end = head.indexOf(delimiter);
        if (end < 0) return;
        rest = head.subarray(end + delimiter.length);
        writeHead(response, readFunctionAnswer(head.subarray(0, end).toString()));
      } else {
        response.writeHead(200, { "content-type": contentType });
      }
    }
    if (rest.length === 0 || response.closed || response.write(rest)) return;
    await Promise.race([once(response, "drain"), once(response, "close")]);
  };
}

function writeHead(response: ServerResponse, { status, headers, cookies }: HttpAnswer) {
  if (cookies.length > 0) response.setHeader("set-cookie", cookies);
  response.writeHead(status, headers);
}

function sendWhole(response: ServerResponse, answered: HttpAnswer) {
  writeHead(response, answered);
  response.end(answered.body);
}

import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { type LocalServer, startLocalServer } from "../local-server.ts";
import type { LambdaService } from "./lambda-service.ts";

/** @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const maxPayloadBytes = { RequestResponse: 6 * 1024 * 1024, Event: 1024 * 1024, DryRun: 6 * 1024 * 1024 };

/**
 * Starts Lambda's Invoke on a free port of 127.0.0.1. Web pages are refused: they have no business here.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
export function startLambdaApi(lambda: LambdaService): Promise<LocalServer> {
  return startLocalServer((request, response) => {
    answer(lambda, request, response).catch((error) => {
      refuse(response, 500, "ServiceException", String(error));
    });
  });
}

async function answer(
  lambda: LambdaService,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  const [, id] = pathname.match(/^\/2015-03-31\/functions\/([^/]+)\/invocations$/) ?? [];
  if (request.method !== "POST" || id === undefined) {
    return refuse(response, 404, "ResourceNotFoundException", `There is nothing at ${pathname}.`);
  }
  const wanted = decodeURIComponent(id).replace(/:\$LATEST$/, "");
  const found = lambda.functions.find(({ name, arn }) => name === wanted || arn === wanted);
  if (!found) return refuse(response, 404, "ResourceNotFoundException", `Function not found: ${wanted}`);

  const payload = await buffer(request);
  const type = readType(request.headers["x-amz-invocation-type"]);
  if (type === undefined) {
    return refuse(response, 400, "InvalidParameterValueException", "Unknown invocation type.");
  }
  if (payload.byteLength > maxPayloadBytes[type]) {
    const text = `${payload.byteLength} byte payload is too large for the ${type} invocation type (limit ${maxPayloadBytes[type]} bytes)`;
    return refuse(response, 413, "RequestEntityTooLargeException", text);
  }
  const text = payload.byteLength === 0 ? "{}" : payload.toString();
  if (!isJson(text)) {
    return refuse(response, 400, "InvalidRequestContentException", "Could not parse request body into json.");
  }
  if (type === "DryRun") return send(response, 204, "");
  if (type === "Event") {
    lambda.invokeAsync(found.key, text);
    return send(response, 202, "");
  }
  const outcome = await lambda.invoke(found.key, text);
  const failed = { "x-amz-function-error": "Unhandled" };
  send(response, 200, outcome.body, outcome.kind === "answered" ? {} : failed);
}

function readType(value: string | string[] | undefined): keyof typeof maxPayloadBytes | undefined {
  switch (value) {
    case undefined:
    case "RequestResponse":
      return "RequestResponse";
    case "Event":
    case "DryRun":
      return value;
    default:
      return undefined;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function send(response: ServerResponse, status: number, body: string, headers = {}): void {
  response
    .writeHead(status, {
      "content-type": "application/json",
      "x-amzn-requestid": randomUUID(),
      "x-amz-executed-version": "$LATEST",
      ...headers,
    })
    .end(body);
}

function refuse(response: ServerResponse, status: number, type: string, message: string): void {
  send(response, status, JSON.stringify({ Message: message, Type: "User" }), { "x-amzn-errortype": type });
}

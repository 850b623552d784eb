import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { chooseDurable } from "../durable/choose-durable.ts";
import { DurableError } from "../durable/durable-error.ts";
import { answerDurableRequest, isDurablePath } from "../durable/durable-routes.ts";
import type { DurableFunction, DurableStore } from "../durable/durable-types.ts";
import type { ServiceFaults } from "../faults/cloud-faults.ts";
import { type LocalServer, startLocalServer } from "../local-server.ts";
import type { LambdaService } from "./lambda-service.ts";

/** @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const maxPayloadBytes = { RequestResponse: 6 * 1024 * 1024, Event: 1024 * 1024, DryRun: 6 * 1024 * 1024 };

/** What answers the requests: functions, and the executions of those that are durable. */
export interface LambdaBackend {
  readonly lambda: LambdaService;
  readonly durable: DurableStore;
}

/**
 * Starts Lambda's Invoke and its durable execution API on 127.0.0.1. Web pages are refused: they have no
 * business here.
 * @param backend comes later, as the functions are told of this address
 * @param port any free one when absent
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
export function startLambdaApi(
  backend: Promise<LambdaBackend>,
  { port, faults }: { port?: number | undefined; faults?: ServiceFaults | undefined } = {},
): Promise<LocalServer> {
  const handle: RequestListener = (request, response) => {
    backend
      .then((ready) => answerUnlessStruck(ready, request, response, faults))
      .catch((error) => {
        if (error instanceof DurableError) refuse(response, error.status, error.code, error.message);
        else refuse(response, 500, "ServiceException", String(error));
      });
  };
  return startLocalServer(handle, { port });
}

async function answerUnlessStruck(
  backend: LambdaBackend,
  request: IncomingMessage,
  response: ServerResponse,
  faults: ServiceFaults | undefined,
): Promise<void> {
  const struck = await faults?.strike(request);
  if (struck === "down") return;
  if (struck === "throttled") return refuse(response, 429, "TooManyRequestsException", "Rate Exceeded.");
  await answer(backend, request, response);
}

async function answer(
  { lambda, durable }: LambdaBackend,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  if (isDurablePath(pathname)) return send(response, 200, await answerDurableRequest(durable, request));
  if (request.method === "GET" && /^\/2016-08-19\/account-settings\/?$/.test(pathname)) {
    return send(response, 200, JSON.stringify(accountSettings));
  }
  const [, asked] = pathname.match(/^\/2015-03-31\/functions\/([^/]+)\/configuration$/) ?? [];
  if (request.method === "GET" && asked !== undefined) return describe(lambda, asked, response);
  const [, id] = pathname.match(/^\/2015-03-31\/functions\/([^/]+)\/invocations$/) ?? [];
  if (request.method !== "POST" || id === undefined) {
    return refuse(response, 404, "ResourceNotFoundException", `There is nothing at ${pathname}.`);
  }
  const { wanted, qualifier = searchParams.get("Qualifier") ?? undefined } = readFunctionId(id);
  const found = lambda.functions.find(({ name, arn }) => name === wanted || arn === wanted);
  const isKnown = found && (found.durable || qualifier === undefined || qualifier === "$LATEST");
  if (!isKnown) return refuse(response, 404, "ResourceNotFoundException", `Function not found: ${wanted}`);
  const executionName = readHeader(request, "x-amz-durable-execution-name");
  const execution = chooseDurable(found, { qualifier, executionName });

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
  if (execution)
    return await execute(durable, { execution, name: executionName, payload: text, type }, response);
  if (type === "Event") {
    lambda.invokeAsync(found.key, text);
    return send(response, 202, "");
  }
  const outcome = await lambda.invoke(found.key, text);
  const failed = { "x-amz-function-error": "Unhandled" };
  send(response, 200, outcome.body, outcome.kind === "answered" ? {} : failed);
}

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_GetFunctionConfiguration.html */
function describe(lambda: LambdaService, id: string, response: ServerResponse): void {
  const { wanted } = readFunctionId(id);
  const found = lambda.functions.find(({ name, arn }) => name === wanted || arn === wanted);
  if (found === undefined) {
    refuse(response, 404, "ResourceNotFoundException", `Function not found: ${wanted}`);
    return;
  }
  const { name, arn, handler, environment, memoryMb, timeoutMs } = found;
  const configuration = {
    ...{ FunctionName: name, FunctionArn: arn, Handler: handler },
    ...{ MemorySize: memoryMb, Timeout: timeoutMs / 1_000, Environment: { Variables: environment } },
  };
  send(response, 200, JSON.stringify(configuration));
}

/**
 * As in a new account.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_GetAccountSettings.html
 */
const accountSettings = { AccountLimit: { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 } };

/** @see https://docs.aws.amazon.com/lambda/latest/dg/durable-invoking.html */
const maxSynchronousMs = 900_000;

async function execute(
  durable: DurableStore,
  start: {
    execution: DurableFunction;
    name: string | undefined;
    payload: string;
    type: "Event" | "RequestResponse";
  },
  response: ServerResponse,
): Promise<void> {
  const { execution, name, payload, type } = start;
  if (type === "RequestResponse" && execution.executionTimeoutMs > maxSynchronousMs) {
    const text = `An execution of ${execution.name} may take longer than the 15 minutes of a synchronous invocation.`;
    return refuse(response, 400, "InvalidParameterValueException", text);
  }
  const { arn } = durable.start(execution, { name, payload });
  const headers = { "x-amz-durable-execution-arn": arn, "x-amz-executed-version": execution.version };
  if (type === "Event") return send(response, 202, "", headers);
  const { Status, Result = "null", Error: error } = await durable.ended(arn);
  if (Status === "SUCCEEDED") return send(response, 200, Result, headers);
  const body = { errorType: error?.ErrorType ?? Status, errorMessage: error?.ErrorMessage ?? "" };
  send(response, 200, JSON.stringify(body), { ...headers, "x-amz-function-error": "Unhandled" });
}

/** Parts a function's name, partial ARN or ARN from the version or alias behind it. */
function readFunctionId(id: string): { wanted: string; qualifier?: string } {
  const decoded = decodeURIComponent(id);
  const [, wanted = decoded, qualifier] = decoded.match(/^((?:.*:?function:)?[^:]+):([^:]+)$/) ?? [];
  return qualifier === undefined ? { wanted } : { wanted, qualifier };
}

function readHeader({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
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
  send(response, status, JSON.stringify({ Message: message, message, Type: "User" }), {
    "x-amzn-errortype": type,
  });
}

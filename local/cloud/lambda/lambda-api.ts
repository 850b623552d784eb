import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import * as z from "zod/mini";
import { parseJson } from "../../../lib/base/json.ts";
import { AwsError, tooManyRequests } from "../aws-error.ts";
import { parseInput } from "../aws-operation.ts";
import { chooseDurable } from "../durable/choose-durable.ts";
import type { CodeVersions } from "../durable/code-versions.ts";
import { answerDurableCall, isDurablePath } from "../durable/durable-routes.ts";
import type { DurableStore } from "../durable/durable-store.ts";
import type { DurableFunction } from "../durable/durable-types.ts";
import type { ServiceFaults } from "../faults/cloud-faults.ts";
import { accountConcurrency } from "../local-aws.ts";
import { type LocalServer, startLocalServer } from "../local-server.ts";
import type { Mappings } from "../mappings.ts";
import type { FunctionDefinition } from "./function-definition.ts";
import type { LambdaService } from "./lambda-service.ts";

/** @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const maxPayloadBytes = { RequestResponse: 6 * 1024 * 1024, Event: 1024 * 1024 };

type InvocationType = keyof typeof maxPayloadBytes;

export interface LambdaBackend {
  readonly lambda: Pick<LambdaService, "functions" | "invoke" | "invokeAsync" | "reserved">;
  readonly durable: DurableStore;
  readonly mappings?: Mappings;
  readonly versions: Pick<CodeVersions, "publish">;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Record<string, string>;
}

/**
 * @param backend resolves later, as the functions need this address
 * @param port default: any free one
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
export function startLambdaApi(
  backend: Promise<LambdaBackend>,
  { port, faults }: { port?: number | undefined; faults?: ServiceFaults | undefined } = {},
): Promise<LocalServer> {
  const answerCall = async (request: IncomingMessage): Promise<Answer> => {
    const ready = await backend;
    const fault = await faults?.strike(request);
    if (fault === "down") return await new Promise<never>(() => {});
    if (fault === "throttled") throw new AwsError("TooManyRequestsException", "Rate Exceeded.", 429);
    return await answer(ready, request);
  };
  return startLocalServer(
    (request, response) => {
      answerCall(request).then(
        (answered) => send(response, answered),
        (error) => sendError(response, error),
      );
    },
    { port },
  );
}

async function answer(
  { lambda, durable, mappings, versions }: LambdaBackend,
  request: IncomingMessage,
): Promise<Answer> {
  const { method = "", url = "/" } = request;
  const { pathname, searchParams } = new URL(url, "http://localhost");
  if (isDurablePath(pathname)) {
    const body = (await buffer(request)).toString();
    return { status: 200, body: answerDurableCall(durable, { method, url, body }) };
  }
  if (request.method === "GET" && /^\/2016-08-19\/account-settings\/?$/.test(pathname)) {
    return { status: 200, body: JSON.stringify(accountSettings) };
  }
  const [, uuid] = pathname.match(/^\/2015-03-31\/event-source-mappings\/([^/]+)$/) ?? [];
  if (uuid !== undefined && mappings !== undefined && request.method === "GET") {
    return { status: 200, body: JSON.stringify(mappings.describe(uuid)) };
  }
  if (uuid !== undefined && mappings !== undefined && request.method === "PUT") {
    const change = parseJson((await buffer(request)).toString());
    return { status: 202, body: JSON.stringify(mappings.update(uuid, change)) };
  }
  const [, reservedFor] =
    pathname.match(/^\/20(?:17-10-31|19-09-30)\/functions\/([^/]+)\/concurrency$/) ?? [];
  if (reservedFor !== undefined) return await answerReserved(lambda, reservedFor, request);
  const [, id = "", verb] =
    pathname.match(/^\/2015-03-31\/functions\/([^/]+)\/(configuration|invocations)$/) ?? [];
  const isConfiguration = verb === "configuration";
  if (verb === undefined || request.method !== (isConfiguration ? "GET" : "POST")) {
    throw new AwsError("ResourceNotFoundException", `There is nothing at ${pathname}.`, 404);
  }
  const { wanted, qualifier = searchParams.get("Qualifier") ?? undefined } = readFunctionId(id);
  const found = findFunction(lambda, wanted);
  const isAny = isConfiguration || found.durable || qualifier === undefined || qualifier === "$LATEST";
  if (!isAny) throw new AwsError("ResourceNotFoundException", `Function not found: ${wanted}`, 404);
  if (isConfiguration) return { status: 200, body: JSON.stringify(describe(found)) };
  const executionName = request.headers["x-amz-durable-execution-name"]?.toString();
  const execution = chooseDurable(found, { qualifier, executionName }, (one) => versions.publish(one));
  const { payload, type } = await readInvocation(request);
  if (execution) return execute(durable, { execution, name: executionName, payload, type });
  if (type === "Event") {
    lambda.invokeAsync(found.key, payload);
    return { status: 202, body: "" };
  }
  const { kind, body } = await lambda.invoke(found.key, payload);
  if (kind === "throttled") throw tooManyRequests;
  return {
    status: 200,
    body,
    ...(kind !== "answered" && { headers: { "x-amz-function-error": "Unhandled" } }),
  };
}

function findFunction({ functions }: LambdaBackend["lambda"], wanted: string): FunctionDefinition {
  const found = functions.find(({ name, arn }) => name === wanted || arn === wanted);
  if (found) return found;
  throw new AwsError("ResourceNotFoundException", `Function not found: ${wanted}`, 404);
}

const reservedSchema = z.object({ ReservedConcurrentExecutions: z.int().check(z.minimum(0)) });

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_PutFunctionConcurrency.html */
async function answerReserved(
  lambda: LambdaBackend["lambda"],
  id: string,
  request: IncomingMessage,
): Promise<Answer> {
  const { key } = findFunction(lambda, readFunctionId(id).wanted);
  if (request.method === "PUT") {
    const input = parseJson((await buffer(request)).toString());
    const parsed = parseInput("InvalidParameterValueException", reservedSchema, input);
    lambda.reserved.set(key, parsed.ReservedConcurrentExecutions);
  }
  if (request.method === "DELETE") {
    lambda.reserved.delete(key);
    return { status: 204, body: "" };
  }
  return { status: 200, body: JSON.stringify({ ReservedConcurrentExecutions: lambda.reserved.get(key) }) };
}

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_GetFunctionConfiguration.html */
function describe({ name, arn, handler, environment, memoryMb, timeoutMs }: FunctionDefinition): object {
  return {
    ...{ FunctionName: name, FunctionArn: arn, Handler: handler },
    ...{ MemorySize: memoryMb, Timeout: timeoutMs / 1_000, Environment: { Variables: environment } },
  };
}

const accountSettings = {
  AccountLimit: {
    ConcurrentExecutions: accountConcurrency,
    UnreservedConcurrentExecutions: accountConcurrency,
  },
};

async function readInvocation(request: IncomingMessage): Promise<{ payload: string; type: InvocationType }> {
  const bytes = await buffer(request);
  const type = request.headers["x-amz-invocation-type"] ?? "RequestResponse";
  if (type !== "RequestResponse" && type !== "Event") {
    throw new AwsError("InvalidParameterValueException", "Unknown invocation type.");
  }
  if (bytes.byteLength > maxPayloadBytes[type]) {
    const text = `${bytes.byteLength} byte payload is too large for the ${type} invocation type (limit ${maxPayloadBytes[type]} bytes)`;
    throw new AwsError("RequestEntityTooLargeException", text, 413);
  }
  const payload = bytes.byteLength === 0 ? "{}" : bytes.toString();
  if (parseJson(payload) !== undefined) return { payload, type };
  throw new AwsError("InvalidRequestContentException", "Could not parse request body into json.");
}

/**
 * No caller waits for an execution here: those of this project exceed a synchronous invocation's 15 minutes.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/durable-invoking.html
 */
function execute(
  durable: DurableStore,
  start: { execution: DurableFunction; name: string | undefined; payload: string; type: InvocationType },
): Answer {
  const { execution, name, payload, type } = start;
  if (type === "RequestResponse") {
    const text = `An execution of ${execution.name} may take longer than the 15 minutes of a synchronous invocation.`;
    throw new AwsError("InvalidParameterValueException", text);
  }
  const { arn } = durable.start(execution, { name, payload });
  const headers = { "x-amz-durable-execution-arn": arn, "x-amz-executed-version": execution.version };
  return { status: 202, body: "", headers };
}

/** A name, partial ARN or ARN, with a version or alias after it. */
function readFunctionId(id: string): { wanted: string; qualifier?: string } {
  const decoded = decodeURIComponent(id);
  const [, wanted = decoded, qualifier] = decoded.match(/^((?:.*:?function:)?[^:]+):([^:]+)$/) ?? [];
  return qualifier === undefined ? { wanted } : { wanted, qualifier };
}

function send(response: ServerResponse, { status, body, headers }: Answer): void {
  response
    .writeHead(status, {
      "content-type": "application/json",
      "x-amzn-requestid": randomUUID(),
      "x-amz-executed-version": "$LATEST",
      ...headers,
    })
    .end(body);
}

function sendError(response: ServerResponse, cause: unknown): void {
  const { code, status, message, details } =
    cause instanceof AwsError ? cause : new AwsError("ServiceException", String(cause), 500);
  const body = JSON.stringify({ ...details, Message: message, message, Type: "User" });
  send(response, { status, body, headers: { "x-amzn-errortype": code } });
}

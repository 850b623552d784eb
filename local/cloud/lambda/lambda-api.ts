import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import * as z from "zod/mini";
import { parseJson } from "../../../lib/base/json.ts";
import { AwsError, tooManyRequests } from "../aws-error.ts";
import { parseInput } from "../aws-operation.ts";
import type { CodeVersions } from "../durable/code-versions.ts";
import { answerDurableCall, isDurablePath, toWire } from "../durable/durable-routes.ts";
import type { DurableStore } from "../durable/durable-store.ts";
import type { DurableFunction } from "../durable/durable-types.ts";
import { invalidDurableCall } from "../durable/invalid-call.ts";
import type { ServiceFaults } from "../faults/cloud-faults.ts";
import { accountConcurrency } from "../local-aws.ts";
import { type LocalServer, startLocalServer } from "../local-server.ts";
import type { Mappings } from "../mappings.ts";
import type { FunctionDefinition } from "./function-definition.ts";
import type { LambdaService } from "./lambda-service.ts";

/** @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const maxPayloadBytes = { RequestResponse: 6 * 1024 * 1024, Event: 1024 * 1024 };

export interface LambdaBackend {
  readonly lambda: Pick<LambdaService, "functions" | "invoke" | "invokeAsync" | "reserved">;
  readonly durable: DurableStore;
  readonly mappings: Mappings;
  readonly versions: Pick<CodeVersions, "publish">;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Record<string, string>;
}

/**
 * @param backend resolves later: the functions need this address
 * @param port default: any free one
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
export function startLambdaApi(
  backend: Promise<LambdaBackend>,
  { port, faults }: { port?: number | undefined; faults?: ServiceFaults | undefined } = {},
): Promise<LocalServer> {
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const ready = await backend;
    const fault = await faults?.strike(request);
    if (fault === "down") return await new Promise<never>(() => {});
    if (fault === "throttled") throw new AwsError("TooManyRequestsException", "Rate Exceeded.", 429);
    return await answerCall(ready, request);
  };
  return startLocalServer(
    (request, response) => {
      answer(request).then(
        (answered) => send(response, answered),
        (error) => sendError(response, error),
      );
    },
    { port },
  );
}

interface Call {
  readonly backend: LambdaBackend;
  readonly id: string;
  readonly bytes: Buffer;
  readonly headers: IncomingMessage["headers"];
  readonly query: URLSearchParams;
}

const asJson = (value: object, status = 200): Answer => ({ status, body: JSON.stringify(toWire(value)) });
const bodyOf = ({ bytes }: Call) => parseJson(bytes.toString());

const ofFunction = "/2015-03-31/functions/([^/]+)";
const ofMapping = "/2015-03-31/event-source-mappings/([^/]+)";
const reservation = "/20(?:17-10-31|19-09-30)/functions/([^/]+)/concurrency";

const routes: readonly (readonly [route: string, act: (call: Call) => Answer | Promise<Answer>])[] = [
  ["GET /2016-08-19/account-settings/?", () => asJson({ AccountLimit: accountLimit })],
  [`GET ${ofMapping}`, ({ backend, id }) => asJson(backend.mappings.describe(id))],
  [`PUT ${ofMapping}`, (call) => asJson(call.backend.mappings.update(call.id, bodyOf(call)), 202)],
  [`GET ${reservation}`, describeReserved],
  [`PUT ${reservation}`, putReserved],
  [`DELETE ${reservation}`, deleteReserved],
  [`GET ${ofFunction}/configuration`, (call) => asJson(describe(findFunction(call).found))],
  [`GET ${ofFunction}/versions`, listVersions],
  [`POST ${ofFunction}/invocations`, invoke],
];

async function answerCall(backend: LambdaBackend, request: IncomingMessage): Promise<Answer> {
  const { method = "", url = "/", headers } = request;
  const { pathname, searchParams: query } = new URL(url, "http://localhost");
  const bytes = await buffer(request);
  if (isDurablePath(pathname)) {
    const body = answerDurableCall(backend.durable, { method, url, body: bytes.toString() });
    return { status: 200, body };
  }
  for (const [route, act] of routes) {
    const [found, id = ""] = `${method} ${pathname}`.match(`^${route}$`) ?? [];
    if (found !== undefined) return await act({ backend, id, bytes, headers, query });
  }
  throw new AwsError("ResourceNotFoundException", `There is nothing at ${pathname}.`, 404);
}

/** Finds a function by name, partial ARN or ARN, with a version or alias. */
function findFunction({ backend, id, query }: Pick<Call, "backend" | "id" | "query">) {
  const decoded = decodeURIComponent(id);
  const [, wanted = decoded, qualifier = query.get("Qualifier") ?? undefined] =
    decoded.match(/^((?:.*:?function:)?[^:]+):([^:]+)$/) ?? [];
  const found = backend.lambda.functions.find(({ name, arn }) => name === wanted || arn === wanted);
  if (found) return { found, qualifier };
  throw notFound(wanted);
}

function notFound(wanted: string): AwsError {
  return new AwsError("ResourceNotFoundException", `Function not found: ${wanted}`, 404);
}

const reservedSchema = z.object({ ReservedConcurrentExecutions: z.int().check(z.minimum(0)) });

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_PutFunctionConcurrency.html */
function putReserved(call: Call): Answer {
  const { found } = findFunction(call);
  const input = parseInput("InvalidParameterValueException", reservedSchema, bodyOf(call));
  call.backend.lambda.reserved.set(found.key, input.ReservedConcurrentExecutions);
  return describeReserved(call);
}

function describeReserved(call: Call): Answer {
  const { reserved } = call.backend.lambda;
  return asJson({ ReservedConcurrentExecutions: reserved.get(findFunction(call).found.key) });
}

function deleteReserved(call: Call): Answer {
  call.backend.lambda.reserved.delete(findFunction(call).found.key);
  return { status: 204, body: "" };
}

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_GetFunctionConfiguration.html */
function describe({ name, arn, handler, environment, memoryMb, timeoutMs }: FunctionDefinition): object {
  return {
    FunctionName: name,
    FunctionArn: arn,
    Handler: handler,
    MemorySize: memoryMb,
    Timeout: timeoutMs / 1_000,
    Environment: { Variables: environment },
  };
}

function listVersions(call: Call): Answer {
  const { name } = findFunction(call).found;
  return asJson(call.backend.durable.versions(name, call.query.get("Marker") ?? undefined));
}

const accountLimit = {
  ConcurrentExecutions: accountConcurrency,
  UnreservedConcurrentExecutions: accountConcurrency,
};

async function invoke(call: Call): Promise<Answer> {
  const { backend, headers, bytes } = call;
  const { found, qualifier } = findFunction(call);
  if (!found.durable && qualifier !== undefined && qualifier !== "$LATEST") throw notFound(found.name);
  const name = headers["x-amz-durable-execution-name"]?.toString();
  const execution = chooseDurable(found, { qualifier, executionName: name }, (one) =>
    backend.versions.publish(one),
  );
  const type = headers["x-amz-invocation-type"] ?? "RequestResponse";
  if (type !== "RequestResponse" && type !== "Event") {
    throw new AwsError("InvalidParameterValueException", "Unknown invocation type.");
  }
  const { [type]: maxBytes } = maxPayloadBytes;
  if (bytes.byteLength > maxBytes) {
    const text = `${bytes.byteLength} byte payload is too large for the ${type} invocation type (limit ${maxBytes} bytes)`;
    throw new AwsError("RequestEntityTooLargeException", text, 413);
  }
  const payload = bytes.toString() || "{}";
  if (parseJson(payload) === undefined) {
    throw new AwsError("InvalidRequestContentException", "Could not parse request body into json.");
  }
  if (execution) {
    if (type === "RequestResponse") {
      // UNSUPPORTED here: synchronous executions.
      // https://docs.aws.amazon.com/lambda/latest/dg/durable-invoking.html
      const text = `An execution of ${found.name} may take longer than the 15 minutes of a synchronous invocation.`;
      throw new AwsError("InvalidParameterValueException", text);
    }
    const { arn } = backend.durable.start(execution, { name, payload });
    const more = { "x-amz-durable-execution-arn": arn, "x-amz-executed-version": execution.version };
    return { status: 202, body: "", headers: more };
  }
  if (type === "Event") {
    backend.lambda.invokeAsync(found.key, payload);
    return { status: 202, body: "" };
  }
  const { kind, body } = await backend.lambda.invoke(found.key, payload);
  if (kind === "throttled") throw tooManyRequests;
  const failure = kind !== "answered" && { headers: { "x-amz-function-error": "Unhandled" } };
  return { status: 200, body, ...failure };
}

function send(response: ServerResponse, { status, body, headers }: Answer) {
  response
    .writeHead(status, {
      "content-type": "application/json",
      "x-amzn-requestid": randomUUID(),
      "x-amz-executed-version": "$LATEST",
      ...headers,
    })
    .end(body);
}

function sendError(response: ServerResponse, cause: unknown) {
  const { code, status, message, details } =
    cause instanceof AwsError ? cause : new AwsError("ServiceException", String(cause), 500);
  const body = JSON.stringify({ ...details, Message: message, message, Type: "User" });
  send(response, { status, body, headers: { "x-amzn-errortype": code } });
}

const serverlessAlias = "durable";
/** @see https://docs.aws.amazon.com/lambda/latest/api/API_Execution.html, `DurableExecutionName` */
const namePattern = /^[a-zA-Z0-9-_]{1,64}$/;

/**
 * @param publish keeps the function's code, and returns its version
 * @returns undefined if the function is not durable
 * @throws AwsError if the name or qualifier does not fit
 * @see https://docs.aws.amazon.com/lambda/latest/dg/durable-invoking.html
 */
function chooseDurable(
  definition: FunctionDefinition,
  { qualifier, executionName }: { qualifier: string | undefined; executionName: string | undefined },
  publish: (definition: FunctionDefinition) => string,
): DurableFunction | undefined {
  const { name, arn, durable } = definition;
  if (!durable) {
    if (executionName === undefined) return undefined;
    throw invalidDurableCall(`${name} is not a durable function: it takes no DurableExecutionName.`);
  }
  if (executionName !== undefined && !namePattern.test(executionName)) {
    throw invalidDurableCall("DurableExecutionName is 1 to 64 letters, digits, hyphens and underscores.");
  }
  // UNVERIFIED: the error's code; the page says that a qualified name invokes durable functions.
  if (qualifier === undefined) {
    throw invalidDurableCall(
      `${name} is a durable function: name a version or an alias, e.g. ${name}:durable.`,
    );
  }
  const version = publish(definition);
  if (qualifier !== version && qualifier !== serverlessAlias) {
    throw new AwsError("ResourceNotFoundException", `Function not found: ${arn}:${qualifier}`, 404);
  }
  return { name, arn, version, ...durable };
}

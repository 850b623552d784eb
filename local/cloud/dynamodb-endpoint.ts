import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { ServiceFaults } from "./faults/cloud-faults.ts";
import { regionOfAuthorization } from "./local-aws.ts";
import { startLocalServer } from "./local-server.ts";
import { invalid, TableError } from "./table/table-error.ts";
import { createTableService, type TableService } from "./table/table-service.ts";

export interface DynamodbEndpoint {
  readonly url: string;
  /** The service behind the address, for callers within this process; it does not stop with `stop`. */
  readonly service: TableService;
  /** Deletes every item of a table. */
  reset(tableName: string): Promise<void>;
  /** Makes the endpoint unreachable; its items stay. Resolves when running calls are answered. */
  stop(): Promise<void>;
  /** Makes the endpoint reachable again, on the same port. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts DynamoDB (AWS JSON 1.0 protocol) on a free port of 127.0.0.1. With `dataFolder`, tables survive a restart.
 * Items past their time to live are deleted at the start and when the service is told to.
 */
export async function startDynamodbEndpoint(
  options: { dataFolder?: string; now?: () => number; faults?: ServiceFaults | undefined } = {},
): Promise<DynamodbEndpoint> {
  const service = createTableService(options);
  service.sweep();
  const server = await startLocalServer((request, response) => {
    answer(service, request, options.faults).then(
      (body) => send(response, 200, body),
      (error) => sendError(response, error),
    );
  });
  return {
    url: server.url,
    service,
    reset: async (tableName) => service.get(tableName).table.clear(),
    stop: () => server.close(),
    start: () => server.open(),
    async close() {
      await server.close();
      service.close();
    },
  };
}

async function answer(
  service: TableService,
  request: IncomingMessage,
  faults: ServiceFaults | undefined,
): Promise<object> {
  const [api, operation] = String(request.headers["x-amz-target"]).split(".");
  const body = await text(request);
  if (api !== "DynamoDB_20120810" || operation === undefined) {
    throw new TableError("UnknownOperationException", "X-Amz-Target names no operation of DynamoDB.");
  }
  const struck = await faults?.strike(request);
  if (struck === "down") return await new Promise<never>(() => {});
  if (struck === "throttled")
    throw new TableError("ThrottlingException", "The local world was told to refuse this call.");
  const region = regionOfAuthorization(request.headers.authorization);
  return service.call(operation, parseBody(body), { region });
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw invalid("The request body is not JSON.");
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, { "content-type": "application/x-amz-json-1.0", "x-amzn-requestid": randomUUID() })
    .end(JSON.stringify(body));
}

function sendError(response: ServerResponse, error: unknown): void {
  if (!(error instanceof TableError)) {
    send(response, 500, { __type: `${namespace}#InternalServerError`, message: "The local table failed." });
    return;
  }
  const { code, message, details } = error;
  const prefix = code === "ValidationException" ? "com.amazon.coral.validate" : namespace;
  send(response, code === "InternalServerError" ? 500 : 400, {
    __type: `${prefix}#${code}`,
    message,
    // One error has its message in another case than the rest.
    ...(code === "TransactionCanceledException" && { Message: message }),
    ...details,
  });
}

const namespace = "com.amazonaws.dynamodb.v20120810";

import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { ServiceFaults } from "./faults/cloud-faults.ts";
import { regionOfAuthorization } from "./local-aws.ts";
import { startLocalServer } from "./local-server.ts";
import { type OperationContext, operations } from "./secret-operations.ts";
import type { CallRotation } from "./secret-rotation.ts";
import { openSecretStore, type Secret } from "./secret-store.ts";
import { SecretsManagerError } from "./secrets-manager-error.ts";

export interface SecretsEndpoint {
  readonly url: string;
  /** Makes `value`, as JSON, the current version of the secret with this name; creates the secret if needed. */
  put(name: string, value: object): void;
  /** Every secret with its values; changing what is given changes nothing. */
  contents(): Secret[];
  /** Has these secrets in the place of all others. */
  putBack(secrets: readonly Secret[]): void;
  /** Does one operation for a caller within this process. @throws SecretsManagerError */
  call(operation: string, input: unknown, region: string): object;
  close(): Promise<void>;
}

/** Starts Secrets Manager (AWS JSON 1.1 protocol) on a free port of 127.0.0.1, in memory or in one file. */
export async function startSecretsEndpoint(
  options: {
    file?: string;
    now?: () => number;
    callRotation?: CallRotation;
    faults?: ServiceFaults | undefined;
  } = {},
): Promise<SecretsEndpoint> {
  const now = options.now ?? Date.now;
  const store = openSecretStore(options.file);
  const context = (authorization?: string): OperationContext => ({
    store,
    nowMs: now(),
    region: regionOfAuthorization(authorization) ?? "us-east-1",
    callRotation: options.callRotation,
  });
  const server = await startLocalServer((request, response) => {
    answer(request, context, options.faults).then(
      (body) => send(response, 200, body),
      (error) => sendError(response, error),
    );
  });
  return {
    url: server.url,
    put(name, value) {
      const request = { SecretString: JSON.stringify(value), ClientRequestToken: randomUUID() };
      if (store.has(name)) run("PutSecretValue", { SecretId: name, ...request }, context());
      else run("CreateSecret", { Name: name, ...request }, context());
    },
    contents: () => structuredClone(store.list()),
    putBack: (secrets) => store.putBack(secrets),
    call: (operation, input, region) => run(operation, input, { ...context(), region }),
    close: () => server.close(),
  };
}

async function answer(
  request: IncomingMessage,
  context: (authorization?: string) => OperationContext,
  faults: ServiceFaults | undefined,
): Promise<object> {
  const { authorization } = request.headers;
  const body = await text(request);
  if (!authorization?.startsWith("AWS4-HMAC-SHA256 ")) {
    throw new SecretsManagerError("MissingAuthenticationTokenException", "Missing Authentication Token");
  }
  const [service, operation] = String(request.headers["x-amz-target"]).split(".");
  if (service !== "secretsmanager" || operation === undefined) {
    throw new SecretsManagerError("UnknownOperationException", "X-Amz-Target names no known operation.");
  }
  const struck = await faults?.strike(request);
  if (struck === "down") return await new Promise<never>(() => {});
  if (struck === "throttled") throw new SecretsManagerError("ThrottlingException", "Rate exceeded");
  return run(operation, parseBody(body), context(authorization));
}

function run(name: string, input: unknown, context: OperationContext): object {
  context.store.forgetUntil(context.nowMs);
  const operation = operations.get(name);
  if (operation) return operation(input, context);
  throw new SecretsManagerError("UnknownOperationException", `${name} is not part of the local world.`);
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new SecretsManagerError("SerializationException", "The request body is not JSON."); // its cause quotes secrets
  }
}

function send(response: ServerResponse, status: number, body: object, headers = {}): void {
  response
    .writeHead(status, {
      "content-type": "application/x-amz-json-1.1",
      "x-amzn-requestid": randomUUID(),
      ...headers,
    })
    .end(JSON.stringify(body));
}

function sendError(response: ServerResponse, error: unknown): void {
  const known = error instanceof SecretsManagerError;
  const code = known ? error.code : "InternalServiceError";
  const message = known ? error.message : "The local Secrets Manager failed.";
  send(response, known ? 400 : 500, { __type: code, Message: message }, { "x-amzn-errortype": code });
}

import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { DataFault } from "../files/data-fault.ts";
import { AwsError, internalFailure } from "./aws-error.ts";
import { type AwsCaller, readJsonBody } from "./aws-operation.ts";
import type { ServiceFaults } from "./faults/cloud-faults.ts";
import { regionOfAuthorization } from "./local-aws.ts";
import { type LocalServer, startLocalServer } from "./local-server.ts";

export interface AwsCall extends AwsCaller {
  readonly operation: string;
  readonly input: unknown;
  readonly request: IncomingMessage;
  readonly signal: AbortSignal;
}

export interface AwsJsonOptions {
  readonly target: string;
  readonly version: "1.0" | "1.1";
  readonly faults?: ServiceFaults | undefined;
  /** Answers throttled calls. Default: ThrottlingException. */
  readonly throttled?: AwsError;
  answer(call: AwsCall): object | Promise<object>;
  describeError?(error: AwsError): { readonly body?: object; readonly headers?: Record<string, string> };
}

export function startAwsJsonServer(options: AwsJsonOptions): Promise<LocalServer> {
  return startLocalServer((request, response) => {
    answer(options, request, response).then(
      (body) => send(response, options, { status: 200, body }),
      (cause) => {
        const error = cause instanceof AwsError ? cause : toFailure(cause);
        const { body, headers } = options.describeError?.(error) ?? {};
        const { code, message, status, details } = error;
        send(response, options, {
          status,
          body: { __type: code, message, ...details, ...body },
          headers: { "x-amzn-errortype": code, ...headers },
        });
      },
    );
  });
}

/** Reports the file of a DataFault in the functions' log. */
function toFailure(cause: unknown): AwsError {
  return cause instanceof DataFault ? new AwsError("InternalFailure", cause.message, 500) : internalFailure;
}

async function answer(
  options: AwsJsonOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<object> {
  const { target, faults, throttled = new AwsError("ThrottlingException", "Rate exceeded") } = options;
  const disconnected = new AbortController();
  response.once("close", () => disconnected.abort());
  const { authorization, "x-amz-target": named } = request.headers;
  const body = await text(request);
  const [service, operation] = String(named).split(".");
  if (service !== target || operation === undefined) {
    throw new AwsError("UnknownOperationException", `X-Amz-Target names no operation of ${target}.`);
  }
  const fault = await faults?.strike(request);
  if (fault === "down") return await new Promise<never>(() => {});
  if (fault === "throttled") throw throttled;
  const input = readJsonBody(body);
  const region = regionOfAuthorization(authorization) ?? "us-east-1";
  const invocation = request.headers["x-local-invocation"]?.toString();
  return await options.answer({ operation, input, region, invocation, request, signal: disconnected.signal });
}

function send(
  response: ServerResponse,
  { version }: AwsJsonOptions,
  { status, body, headers = {} }: { status: number; body: object; headers?: Record<string, string> },
) {
  response
    .writeHead(status, {
      "content-type": `application/x-amz-json-${version}`,
      "x-amzn-requestid": randomUUID(),
      ...headers,
    })
    .end(JSON.stringify(body));
}

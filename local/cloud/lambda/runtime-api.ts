import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import * as z from "zod/mini";
import { type LocalServer, startLocalServer } from "../local-server.ts";

/** The local stack's clock: milliseconds ahead of the machine's, or frozen at a time since 1970. */
export const functionClockSchema = z.object({
  offsetMs: z.number(),
  /** Absent while the clock runs. */
  frozenAtMs: z.optional(z.number()),
});

export type FunctionClock = Readonly<z.infer<typeof functionClockSchema>>;

export interface RuntimeInvocation {
  readonly requestId: string;
  readonly deadlineMs: number;
  readonly functionArn: string;
  readonly payload: string;
  readonly kill?: string | undefined;
  readonly clock: FunctionClock;
}

/** Receives a streamed response; the next chunk waits for it. */
export type Receive = (chunk: Buffer, contentType: string | undefined) => Promise<void>;

export interface RuntimeListener {
  onNext(give: (invocation: RuntimeInvocation) => void): void;
  onResponse(requestId: string, body: string): void;
  receiverOf(requestId: string): Receive | undefined;
  onError(requestId: string, body: string): void;
  onInitError(body: string): void;
}

/** @see https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html */
export async function startRuntimeApi(): Promise<LocalServer & { listen(now: RuntimeListener): void }> {
  let listener: RuntimeListener | undefined;
  const handle: RequestListener = (request, response) => {
    const [, version, , part, requestId = "", kind] = String(request.url).split("/");
    // A process of an earlier server at this port calls too early.
    if (version !== "2018-06-01" || listener === undefined) return refuse(response, 404);
    const heard = listener;
    if (part === "invocation" && requestId === "next") {
      heard.onNext((invocation) => hand(response, invocation));
      return;
    }
    const receive = kind === "response" && isStreamed(request) ? heard.receiverOf(requestId) : undefined;
    (receive === undefined ? text(request) : stream(request, receive)).then(
      (body) => {
        const { "lambda-runtime-function-error-body": failure } = request.trailers;
        if (part === "init") heard.onInitError(body);
        else if (kind === "error") heard.onError(requestId, body);
        else if (kind !== "response") return refuse(response, 404);
        else if (failure === undefined) heard.onResponse(requestId, body);
        else heard.onError(requestId, Buffer.from(failure, "base64").toString());
        response.writeHead(202, { "content-type": "application/json" }).end('{"status":"OK"}');
      },
      () => refuse(response, 400),
    );
  };
  const server = await startLocalServer(handle, { keepsIdle: true });
  const listen = (now: RuntimeListener) => {
    listener = now;
  };
  return { ...server, listen };
}

function hand(response: ServerResponse, invocation: RuntimeInvocation) {
  response
    .writeHead(200, {
      "content-type": "application/json",
      "lambda-runtime-aws-request-id": invocation.requestId,
      "lambda-runtime-deadline-ms": String(invocation.deadlineMs),
      "lambda-runtime-invoked-function-arn": invocation.functionArn,
      "lambda-runtime-trace-id": `Root=1-${Math.floor(Date.now() / 1000).toString(16)}-000000000000000000000000;Sampled=0`,
      ...(invocation.kill !== undefined && { "local-cloud-kill": invocation.kill }),
      "local-cloud-clock": JSON.stringify(invocation.clock),
    })
    .end(invocation.payload);
}

/** @see https://docs.aws.amazon.com/lambda/latest/dg/runtimes-custom.html#runtimes-custom-response-streaming */
function isStreamed({ headers }: IncomingMessage) {
  return headers["lambda-runtime-function-response-mode"] === "streaming";
}

async function stream(request: IncomingMessage, receive: Receive) {
  for await (const chunk of request) await receive(chunk, request.headers["content-type"]);
  return "";
}

function refuse(response: ServerResponse, status: number) {
  response.writeHead(status, { "content-type": "application/json" }).end('{"errorType":"InvalidRequest"}');
}

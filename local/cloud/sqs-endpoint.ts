import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { ServiceFaults } from "./faults/cloud-faults.ts";
import { regionOfAuthorization } from "./local-aws.ts";
import { startLocalServer } from "./local-server.ts";
import { createLongPoll } from "./queue/long-poll.ts";
import type { PeekedMessage, QueueDepth } from "./queue/queue.ts";
import { QueueError } from "./queue/queue-error.ts";
import type { MessageAttributes } from "./queue/queue-message.ts";
import { createQueueService, type QueueService } from "./queue/queue-service.ts";
import { type SentMessage, sentMessages } from "./queue/sent-messages.ts";

export interface SqsEndpoint {
  readonly url: string;
  /** The service behind the address, for callers within this process; it does not stop with `stop`. */
  readonly service: QueueService;
  /** True unless stopped. */
  readonly isReachable: boolean;
  /** Shows the messages of a queue without receiving them. */
  peek(queueName: string): QueuedMessage[];
  depth(queueName: string): QueueDepth;
  /** Empties a queue and forgets which messages it saw in the last five minutes. */
  reset(queueName: string): void;
  /** Makes the next calls fail, by default as a throttled one. */
  refuseNext(count: number, error?: { code: string; status: number }): void;
  /** Makes the endpoint unreachable; its messages stay. Resolves when running calls are answered. */
  stop(): Promise<void>;
  /** Makes the endpoint reachable again, on the same port. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface QueuedMessage {
  messageId: string;
  body: string;
  groupId: string | undefined;
  deduplicationId: string | undefined;
  attributes: MessageAttributes;
  sentAtMs: number;
  receiveCount: number;
  state: PeekedMessage["state"];
  /** When it becomes visible, in milliseconds since 1970; of a visible one, when it became so. */
  visibleAtMs: number;
}

/**
 * Starts SQS (AWS JSON 1.0 protocol) on a free port of 127.0.0.1. With `dataFolder`, queues and messages survive a
 * restart, and what was in flight is handed out again. `now` is the time that visibility and deduplication go by.
 */
export async function startSqsEndpoint(
  options: {
    dataFolder?: string;
    now?: () => number;
    faults?: ServiceFaults | undefined;
    onSent?: ((message: SentMessage) => void) | undefined;
  } = {},
): Promise<SqsEndpoint> {
  let answerCall: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  const server = await startLocalServer((request, response) => answerCall(request, response));
  const service = createQueueService({ url: server.url, ...options });
  let stopping = new AbortController();
  let isReachable = true;
  let refusals: { count: number; code: string; status: number } = { count: 0, code: "", status: 400 };

  const poll = createLongPoll(service, options.now ?? Date.now);
  answerCall = (request, response) => {
    const hangUp = new AbortController();
    response.once("close", () => hangUp.abort());
    const answer = async (): Promise<object> => {
      const operation = operationOf(request);
      const input = parseBody(await text(request));
      const struck = await options.faults?.strike(request);
      if (struck === "down") return await new Promise<never>(() => {});
      if (struck === "throttled") throw new RefusedError(throttled.code, throttled.status);
      if (refusals.count > 0) {
        refusals.count -= 1;
        throw new RefusedError(refusals.code, refusals.status);
      }
      const region = regionOfAuthorization(request.headers.authorization);
      if (operation !== "ReceiveMessage") {
        const result = service.call(operation, input, { region });
        const invocation = request.headers["x-local-invocation"];
        if (options.onSent !== undefined && operation.startsWith("SendMessage")) {
          for (const sent of sentMessages(input, result)) {
            options.onSent({ ...sent, invocation: invocation?.toString() });
          }
        }
        return result;
      }
      return await poll(input, AbortSignal.any([hangUp.signal, stopping.signal]));
    };
    answer().then(
      (body) => send(response, 200, body),
      (error) => sendError(response, error),
    );
  };
  const stop = () => {
    isReachable = false;
    const closed = server.close();
    stopping.abort(); // open polls are answered now, with nothing
    return closed;
  };

  return {
    url: server.url,
    service,
    get isReachable() {
      return isReachable && options.faults?.isDown() !== true;
    },
    peek: (queueName) => service.get(queueName).queue.peek().map(describe),
    depth: (queueName) => service.get(queueName).queue.depth(),
    reset: (queueName) => service.get(queueName).queue.forget(),
    refuseNext(count, error = throttled) {
      refusals = { count, ...error };
    },
    stop,
    async start() {
      stopping = new AbortController();
      await server.open();
      isReachable = true;
    },
    async close() {
      await stop();
      service.close();
    },
  };
}

const throttled = { code: "RequestThrottled", status: 403 };

/** Thrown when a refusal was asked for. */
class RefusedError extends QueueError {
  readonly status: number;

  constructor(code: string, status: number) {
    super(code, "The local world was told to refuse this call.");
    this.status = status;
  }
}

function operationOf({ headers }: IncomingMessage): string {
  const [service, operation] = String(headers["x-amz-target"]).split(".");
  if (service === "AmazonSQS" && operation !== undefined) return operation;
  throw new QueueError("InvalidAction", "X-Amz-Target names no operation of SQS.");
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new QueueError("SerializationException", "The request body is not JSON.");
  }
}

function send(response: ServerResponse, status: number, body: object, headers = {}): void {
  response
    .writeHead(status, {
      "content-type": "application/x-amz-json-1.0",
      "x-amzn-requestid": randomUUID(),
      ...headers,
    })
    .end(JSON.stringify(body));
}

function sendError(response: ServerResponse, error: unknown): void {
  const isKnown = error instanceof QueueError;
  const code = isKnown ? error.code : "InternalError";
  const message = isKnown ? error.message : "The local queue failed.";
  const status = error instanceof RefusedError ? error.status : isKnown ? 400 : 500;
  const fault = status >= 500 ? "Receiver" : "Sender";
  send(
    response,
    status,
    { __type: `com.amazonaws.sqs#${code}`, message },
    { "x-amzn-query-error": `${queryCodes[code] ?? code};${fault}` },
  );
}

/** What some errors are called in SQS's older protocol, which clients still show. */
const queryCodes: Readonly<Record<string, string>> = {
  QueueDoesNotExist: "AWS.SimpleQueueService.NonExistentQueue",
  QueueNameExists: "QueueAlreadyExists",
  MessageNotInflight: "AWS.SimpleQueueService.MessageNotInflight",
  PurgeQueueInProgress: "AWS.SimpleQueueService.PurgeQueueInProgress",
  BatchRequestTooLong: "AWS.SimpleQueueService.BatchRequestTooLong",
  EmptyBatchRequest: "AWS.SimpleQueueService.EmptyBatchRequest",
  BatchEntryIdsNotDistinct: "AWS.SimpleQueueService.BatchEntryIdsNotDistinct",
  TooManyEntriesInBatchRequest: "AWS.SimpleQueueService.TooManyEntriesInBatchRequest",
};

function describe(message: PeekedMessage): QueuedMessage {
  const { messageId, body, lane, deduplicationId, attributes, sentAtMs, receiveCount, state } = message;
  const { visibleAtMs } = message;
  return {
    ...{ messageId, body, groupId: lane, deduplicationId, attributes, sentAtMs, receiveCount },
    ...{ state, visibleAtMs },
  };
}

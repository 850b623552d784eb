import { AwsError } from "./aws-error.ts";
import { type AwsCall, startAwsJsonServer } from "./aws-json-server.ts";
import { parseInput } from "./aws-operation.ts";
import type { ServiceFaults } from "./faults/cloud-faults.ts";
import type { PeekedMessage } from "./queue/backlog.ts";
import { poll } from "./queue/poll.ts";
import { receiveSchema } from "./queue/queue-operations.ts";
import { QueueService } from "./queue/queue-service.ts";
import type { SentMessage } from "./queue/sent-messages.ts";

export type SqsEndpoint = Awaited<ReturnType<typeof startSqsEndpoint>>;

/** SQS's group id in place of the lane. */
export type QueuedMessage = PeekedMessage & { readonly groupId: string | undefined };

const refusalText = "The local stack is set to refuse this call.";
const throttled = new AwsError("RequestThrottled", refusalText, 403);

/** Starts SQS. With `dataFolder`, messages survive a restart. Visibility and deduplication use `now`. */
export async function startSqsEndpoint(
  options: {
    dataFolder?: string | undefined;
    now?: () => number;
    faults?: ServiceFaults | undefined;
    onSent?: ((message: SentMessage) => void) | undefined;
  } = {},
) {
  const { now = Date.now, faults } = options;
  let stopping = new AbortController();
  let refusals = { count: 0, error: throttled };
  const answer = async ({ operation, input, signal, ...caller }: AwsCall): Promise<object> => {
    if (refusals.count > 0) {
      refusals.count -= 1;
      throw refusals.error;
    }
    if (operation !== "ReceiveMessage") return service.call(operation, input, caller);
    return await receive(service, input, { now, signal: AbortSignal.any([signal, stopping.signal]) });
  };
  const server = await startAwsJsonServer({
    target: "AmazonSQS",
    version: "1.0",
    faults,
    throttled,
    answer,
    describeError,
  });
  const service = new QueueService({ url: server.url, ...options });
  const stop = () => {
    const closed = server.close();
    stopping.abort();
    return closed;
  };
  return {
    url: server.url,
    service,
    get isReachable(): boolean {
      return !stopping.signal.aborted && faults?.isDown() !== true;
    },
    peek: (queueName: string): QueuedMessage[] =>
      service
        .get(queueName)
        .queue.peek()
        .map((message) => ({ ...message, groupId: message.lane })),
    depth: (queueName: string) => service.get(queueName).queue.depth(),
    refuseNext(count: number, { code, status }: { code: string; status: number } = throttled) {
      refusals = { count, error: new AwsError(code, refusalText, status) };
    },
    stop,
    async start() {
      await server.open();
      stopping = new AbortController();
    },
    async close() {
      await stop();
      service.close();
    },
  };
}

async function receive(
  service: QueueService,
  input: unknown,
  options: { now: () => number; signal: AbortSignal },
): Promise<object> {
  const { QueueUrl, WaitTimeSeconds } = parseInput("InvalidParameterValue", receiveSchema, input);
  const { queue, attributes } = service.get(QueueUrl);
  const waitMs = 1000 * (WaitTimeSeconds ?? Number(attributes.ReceiveMessageWaitTimeSeconds));
  const attempt = () => {
    const received = service.call("ReceiveMessage", input);
    return "Messages" in received ? received : undefined;
  };
  return (await poll(queue, attempt, { ...options, waitMs })) ?? {};
}

/** Returns the code of SQS's older protocol, which clients show. */
function queryCodeOf(code: string) {
  if (code === "QueueDoesNotExist") return "AWS.SimpleQueueService.NonExistentQueue";
  return /Batch|NotInflight/.test(code) ? `AWS.SimpleQueueService.${code}` : code;
}

function describeError({ code, status }: AwsError) {
  return {
    body: { __type: `com.amazonaws.sqs#${code}` },
    headers: { "x-amzn-query-error": `${queryCodeOf(code)};${status >= 500 ? "Receiver" : "Sender"}` },
  };
}

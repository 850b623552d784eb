import type { SQSRecord } from "aws-lambda";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  type BatchEvent,
  type EventSource,
  type EventSourceOptions,
  startEventSource,
} from "../../local/cloud/event-source.ts";
import type { Invocation } from "../../local/cloud/invoke.ts";
import { type SqsEndpoint, startSqsEndpoint } from "../../local/cloud/sqs-endpoint.ts";

// https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
const visibilityMs = 180_000;

let nowMs: number;
let sqs: SqsEndpoint;
let source: EventSource | undefined;
let batches: BatchEvent[];

beforeEach(async () => {
  nowMs = Date.UTC(2026, 0, 1);
  batches = [];
  sqs = await startSqsEndpoint({ now: () => nowMs });
  const attributes = { FifoQueue: "true", VisibilityTimeout: String(visibilityMs / 1000) };
  sqs.service.ensure("events.fifo", attributes, "eu-central-1");
});

afterEach(async () => {
  await source?.stop();
  await sqs.close();
});

const queue = () => sqs.service.get("events.fifo").queue;
const send = (...bodies: string[]) => {
  for (const body of bodies) queue().send({ body, lane: body.slice(0, 1), deduplicationId: body });
};
const bodiesOf = (records: readonly SQSRecord[]) => records.map(({ body }) => body);

/** Starts a mapping whose function returns what `handle` does. */
function start(
  handle: (records: SQSRecord[]) => Partial<Invocation> | Promise<Partial<Invocation>>,
  options: Partial<EventSourceOptions> = {},
) {
  source = startEventSource({
    sqs,
    queueName: "events.fifo",
    now: () => nowMs,
    functionKey: "consume",
    queueArn: "arn",
    region: "eu-central-1",
    batchSize: 10,
    reportsItemFailures: true,
    concurrency: 1,
    invoke: async ({ Records }) => ({ payload: null, durationMs: 0, ...(await handle(Records)) }),
    onBatch: (batch) => batches.push(batch),
    ...options,
  });
}

const failing = (records: SQSRecord[], isFailed: (body: string) => boolean) => ({
  payload: {
    batchItemFailures: records
      .filter(({ body }) => isFailed(body))
      .map(({ messageId }) => ({ itemIdentifier: messageId })),
  },
});
const handled = (count: number) => vi.waitFor(() => expect(batches).toHaveLength(count));

it("passes several message groups and several messages of each in one batch, and deletes them all", async () => {
  send("a1", "b1", "a2");

  start(() => ({}));
  await handled(1);

  expect(bodiesOf(batches[0]?.records ?? [])).toEqual(["a1", "a2", "b1"]);
  expect(queue().depth()).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
});

it("fails the whole batch if the function fails, and leaves it hidden", async () => {
  send("a1", "b1");

  start(() => ({ functionError: "Unhandled", payload: { errorMessage: "broken" } }));
  await handled(1);

  expect(batches[0]?.failures).toHaveLength(2);
  expect(queue().depth()).toEqual({ visible: 0, inFlight: 2, delayed: 0 });
});

it("counts the whole batch as failed when the answer is malformed", async () => {
  send("a1", "b1");

  start(() => ({ payload: "done" }));
  await handled(1);

  expect(batches[0]?.failures).toHaveLength(2);
});

it("reports both invocations of a batch that is delivered twice, including the killed one", async () => {
  send("a1");

  const answers = [{ functionError: "Unhandled", requestId: "killed" }, { requestId: "second" }];
  start(() => answers.shift() ?? {}, { doubles: () => true });
  await handled(2);

  expect(batches.map(({ requestId, failures }) => [requestId, failures.length])).toEqual([
    ["killed", 1],
    ["second", 0],
  ]);
  expect(queue().depth()).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
});

it("ignores reported failures and deletes the whole batch if ReportBatchItemFailures is off", async () => {
  send("a1");

  start((records) => failing(records, () => true), { reportsItemFailures: false });
  await handled(1);

  expect(queue().depth().inFlight).toBe(0);
});

it("limits concurrent invocations, and fills each with the waiting messages", async () => {
  send(...Array.from({ length: 5 }, (_, index) => `${index}`));
  let running = 0;
  let most = 0;
  const { promise: enough, resolve: letGo } = Promise.withResolvers<void>();

  start(
    async () => {
      running += 1;
      most = Math.max(most, running);
      await enough;
      running -= 1;
      return {};
    },
    { concurrency: 2, batchSize: 1 },
  );
  await vi.waitFor(() => expect(running).toBe(2));
  const waiting = queue().depth();
  letGo();
  await handled(5);

  expect(waiting).toEqual({ visible: 3, inFlight: 2, delayed: 0 });
  expect(most).toBe(2);
});

it("does not extend the visibility: a slow batch is delivered twice, and the late one deletes nothing", async () => {
  send("a1");
  const { promise: late, resolve: letGo } = Promise.withResolvers<void>();

  start(
    async (records) => {
      if (records[0]?.attributes.ApproximateReceiveCount === "1") await late;
      else return failing(records, () => true);
      return {};
    },
    { concurrency: 2 },
  );
  await vi.waitFor(() => expect(queue().depth().inFlight).toBe(1));
  nowMs += visibilityMs;
  await handled(1);
  letGo();
  await handled(2);

  expect(batches.map(({ records }) => records[0]?.attributes.ApproximateReceiveCount)).toEqual(["2", "1"]);
  expect(batches.map(({ error }) => error)).toEqual([undefined, undefined]);
  expect(queue().depth()).toEqual({ visible: 0, inFlight: 1, delayed: 0 });
});

it("reports a batch whose outcome an unreachable queue did not accept", async () => {
  send("a1");

  start(async () => {
    await sqs.stop();
    return {};
  });
  await handled(1);

  expect(batches[0]?.error).toContain("unreachable");
});

import type { SQSRecord } from "aws-lambda";
import { describe, expect, it } from "vitest";
import { type AwsCall, createAwsCaller } from "../../../lib/aws/aws-call.ts";
import { createPutOff } from "../../../lib/event-queue/put-off.ts";
import { startLoopbackServer } from "../../helpers/loopback-server.ts";

const queueUrls = ["https://sqs.test/1/events.fifo", "https://sqs.test/1/calls.fifo"];

function recordOf(
  messageId: string,
  attempt: number,
  { queue = "events.fifo", lane = "lane" } = {},
): SQSRecord {
  return {
    messageId,
    receiptHandle: `handle-${messageId}`,
    eventSourceARN: `arn:aws:sqs:eu-central-1:1:${queue}`,
    attributes: { ApproximateReceiveCount: String(attempt), MessageGroupId: lane },
  } as SQSRecord;
}

const failing = (...ids: string[]) => ({
  batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
});

async function createRecordingPutOff(status = 200) {
  const server = await startLoopbackServer((_request, response) => {
    response.statusCode = status;
    response.end("{}");
  });
  const putOff = createPutOff(createAwsCaller({ AWS_ENDPOINT_URL_SQS: server.url }), queueUrls);
  const inputs = () => server.requests.map(({ body }) => JSON.parse(body) as AwsCall["input"]);
  return { putOff, inputs };
}

describe("putting failed records off", () => {
  it.each([
    [1, 5],
    [2, 20],
    [3, 60],
    [4, 120],
    [9, 120],
  ])("waits after failure %i for %i seconds", async (attempt, seconds) => {
    const { putOff, inputs } = await createRecordingPutOff();

    await putOff([recordOf("a", attempt)], failing("a"));

    expect(inputs()).toEqual([
      {
        QueueUrl: queueUrls[0],
        Entries: [{ Id: "0", ReceiptHandle: "handle-a", VisibilityTimeout: seconds }],
      },
    ]);
  });

  it("lets the failed records of a lane wait as long as its most tried one, and leaves the others alone", async () => {
    const { putOff, inputs } = await createRecordingPutOff();

    await putOff([recordOf("a", 3), recordOf("b", 1), recordOf("c", 1)], failing("a", "c"));

    expect(inputs()[0]?.Entries).toEqual([
      { Id: "0", ReceiptHandle: "handle-a", VisibilityTimeout: 60 },
      { Id: "1", ReceiptHandle: "handle-c", VisibilityTimeout: 60 },
    ]);
  });

  it("lets no group wait for the failures of another", async () => {
    const { putOff, inputs } = await createRecordingPutOff();
    const records = [
      recordOf("a", 4, { lane: "poisoned" }),
      recordOf("b", 1, { lane: "healthy" }),
      recordOf("c", 1, { lane: "poisoned" }),
      recordOf("d", 2, { lane: "healthy" }),
    ];

    await putOff(records, failing("a", "b", "c", "d"));

    const entries = inputs()[0]?.Entries as { ReceiptHandle: string; VisibilityTimeout: number }[];
    expect(entries.map(({ VisibilityTimeout }) => VisibilityTimeout)).toEqual([120, 20, 120, 20]);
  });

  it("tells the queue that the records come from", async () => {
    const { putOff, inputs } = await createRecordingPutOff();

    await putOff([recordOf("a", 1, { queue: "calls.fifo" })], failing("a"));

    expect(inputs()[0]?.QueueUrl).toBe(queueUrls[1]);
  });

  it("calls nobody when nothing failed", async () => {
    const { putOff, inputs } = await createRecordingPutOff();

    await putOff([recordOf("a", 1)], failing());

    expect(inputs()).toEqual([]);
  });

  it("bears a queue that refuses: the visibility timeout applies", async () => {
    const { putOff } = await createRecordingPutOff(400);

    await expect(putOff([recordOf("a", 1)], failing("a"))).resolves.toBeUndefined();
  });
});

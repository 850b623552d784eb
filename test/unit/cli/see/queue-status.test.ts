import { expect, it } from "vitest";
import { readQueueStatus } from "../../../../cli/see/status-metrics.ts";
import { AwsCallError, type AwsCaller } from "../../../../lib/aws/aws-call.ts";

const deleted = "https://sqs.example/EventsQueue";
const callAws: AwsCaller = async (call) => {
  const { service, input } = call;
  if (service !== "sqs") return { MetricDataResults: [] };
  if (JSON.stringify(input).includes(deleted)) {
    const code = "QueueDoesNotExist";
    throw new AwsCallError(call, { code, status: 400, maybeExecuted: false });
  }
  const none = "0";
  return {
    Attributes: {
      ApproximateNumberOfMessages: "7",
      ApproximateNumberOfMessagesNotVisible: none,
      ApproximateNumberOfMessagesDelayed: none,
    },
  };
};

it("names a queue that is gone, and still counts the others", async () => {
  const gone: unknown[] = [];
  const physicalId = (id: string) => `https://sqs.example/${id}`;

  const read = await readQueueStatus({ callAws }, { physicalId }, Date.now(), (what, { because }) =>
    gone.push([what, because]),
  );

  expect(gone).toEqual([["EventsQueue", "gone"]]);
  expect(read.map(({ queue, waiting }) => [queue, waiting])).toEqual(
    ["lane tickets", "calls", "dead letters", "quarantine"].map((queue) => [queue, 7]),
  );
});

import { describe, expect, it } from "vitest";
import type { AwsCall } from "../../../lib/aws/aws-call.ts";
import { holdSecondsFor, openHeldQueue } from "../../../lib/queue/held-queue.ts";

/** A queue that returns one message, and the requests it received. */
function createScriptedQueue() {
  const asked: AwsCall["input"][] = [];
  const callAws = async ({ input }: AwsCall) => {
    asked.push(input);
    return { Messages: [{ MessageId: "m", ReceiptHandle: "r", Body: "" }] };
  };
  const open = (url: string) => openHeldQueue(url, { callAws, now: () => 1_000, token: () => "a-token" });
  return { asked, open };
}

it.each([
  [0, 0, undefined, 120],
  [1_000, 500, undefined, 420],
  [500_000, 0, undefined, 20_120],
  [100_000, 0, 500, 220],
])("holdSecondsFor grows with the number of messages to read: %i free, %i taken, at most %s", (...row) => {
  const [free, taken, most, seconds] = row;

  expect(holdSecondsFor({ free, taken }, most)).toBe(seconds);
});

describe("openHeldQueue", () => {
  it("holds ten messages for the given time, and subtracts a margin", async () => {
    const { asked, open } = createScriptedQueue();

    const [message] = await open("https://sqs/letters.fifo").take(true, 420);

    expect(asked.at(-1)).toMatchObject({ VisibilityTimeout: 420, MaxNumberOfMessages: 10 });
    expect(message?.heldUntil).toBe(1_000 + 420_000 - 10_000);
  });

  it.each([
    [true, 1],
    [false, 0],
  ])("waits a second if asked to: %s", async (waits, seconds) => {
    const { asked, open } = createScriptedQueue();

    await open("https://sqs/letters.fifo").take(waits, 120);

    expect(asked.at(-1)).toMatchObject({ WaitTimeSeconds: seconds });
  });

  it("names each receive request of a FIFO queue, so that a lost answer can be repeated", async () => {
    const ordered = createScriptedQueue();
    const unordered = createScriptedQueue();

    await ordered.open("https://sqs/letters.fifo").take(true, 120);
    await unordered.open("https://sqs/letters").take(true, 120);

    expect(ordered.asked.at(-1)).toMatchObject({ ReceiveRequestAttemptId: "a-token" });
    expect(unordered.asked.at(-1)).not.toHaveProperty("ReceiveRequestAttemptId");
  });
});

import { describe, expect, it } from "vitest";
import type { AwsCall } from "../../../lib/aws/aws-call.ts";
import { openHeldQueue } from "../../../lib/queue/held-queue.ts";

/** A queue of so many messages that gives one, with what it was asked for. */
function createScriptedQueue(free: number, taken: number) {
  const asked: AwsCall["input"][] = [];
  const callAws = async ({ target, input }: AwsCall) => {
    asked.push(input);
    if (target.endsWith("ReceiveMessage"))
      return { Messages: [{ MessageId: "m", ReceiptHandle: "r", Body: "" }] };
    const [ApproximateNumberOfMessages, ApproximateNumberOfMessagesNotVisible] = [
      String(free),
      String(taken),
    ];
    const ApproximateNumberOfMessagesDelayed = "0";
    return {
      Attributes: {
        ApproximateNumberOfMessages,
        ApproximateNumberOfMessagesNotVisible,
        ApproximateNumberOfMessagesDelayed,
      },
    };
  };
  const open = (url: string) => openHeldQueue(url, { callAws, now: () => 1_000, token: () => "a-token" });
  return { asked, open };
}

describe("openHeldQueue", () => {
  it.each([
    [0, 0, 120],
    [1_000, 500, 420],
    [500_000, 0, 43_200],
  ])("holds messages the longer the more there are: %i free and %i taken", async (free, taken, seconds) => {
    const { asked, open } = createScriptedQueue(free, taken);

    const [message] = await (await open("https://sqs/letters.fifo")).take(true);

    expect(asked.at(-1)).toMatchObject({ VisibilityTimeout: seconds, MaxNumberOfMessages: 10 });
    expect(message?.heldUntil).toBe(1_000 + seconds * 1_000 - 10_000);
  });

  it.each([
    [true, 1],
    [false, 0],
  ])("waits a second if told: %s", async (waits, seconds) => {
    const { asked, open } = createScriptedQueue(1, 0);

    await (await open("https://sqs/letters.fifo")).take(waits);

    expect(asked.at(-1)).toMatchObject({ WaitTimeSeconds: seconds });
  });

  it("names each receipt of an ordered queue, so that a lost answer comes again", async () => {
    const ordered = createScriptedQueue(1, 0);
    const unordered = createScriptedQueue(1, 0);

    await (await ordered.open("https://sqs/letters.fifo")).take(true);
    await (await unordered.open("https://sqs/letters")).take(true);

    expect(ordered.asked.at(-1)).toMatchObject({ ReceiveRequestAttemptId: "a-token" });
    expect(unordered.asked.at(-1)).not.toHaveProperty("ReceiveRequestAttemptId");
  });
});

import { describe, expect, it } from "vitest";
import { HandOverBusyError, handOver } from "../../../../lib/operate/reconcile/reconcile-app.ts";
import type { QueueMessage } from "../../../../lib/queue/enqueue.ts";
import { createEnqueueMany, type SendOutcome } from "../../../../lib/queue/enqueue-many.ts";
import { busyQueue } from "./reconcile-world.ts";

describe("handOver", () => {
  it("keeps each lane's order if the queue accepts only part of each request", async () => {
    const queue = createQueue((message, turn) =>
      (turn * 7 + Number(message.MessageBody)) % 3 === 0 ? "later" : "sent",
    );
    const messages = Array.from({ length: 60 }, (_, index) => messageOf(index, `lane-${index % 7}`));

    await handOver(messages, 1e6, queue.services);

    expect(queue.sent).toHaveLength(60);
    for (const lane of Map.groupBy(queue.sent, ({ MessageGroupId }) => MessageGroupId).values()) {
      const numbers = lane.map(({ MessageBody }) => Number(MessageBody));
      expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    }
  });

  it("sends at most ten messages and one per lane in a request, and delays no lane behind a long one", async () => {
    const queue = createQueue(() => "sent");
    const long = Array.from({ length: 30 }, (_, index) => messageOf(index, "long"));
    const others = Array.from({ length: 25 }, (_, index) => messageOf(100 + index, `lane-${index}`));

    await handOver([...long, ...others], 1e6, queue.services);

    for (const request of queue.requests) {
      expect(request.length).toBeLessThanOrEqual(10);
      expect(new Set(request.map(({ MessageGroupId }) => MessageGroupId)).size).toBe(request.length);
    }
    expect(queue.requests.slice(0, 3).flat()).toEqual(expect.arrayContaining(others));
    expect(queue.sent).toHaveLength(55);
  });

  it("limits the bytes of a request", async () => {
    const queue = createQueue(() => "sent");
    const messages = [400_000, 400_000, 400_000, 1_000_000].map((bytes, index) =>
      messageOf(index, `lane-${index}`, bytes),
    );

    await handOver(messages, 1e6, queue.services);

    expect(queue.requests.map((request) => request.length)).toEqual([2, 1, 1]);
  });

  it("drops a message that the queue refuses permanently, and continues its lane", async () => {
    const queue = createQueue(({ MessageBody }) => (MessageBody === "1" ? "never" : "sent"));

    const { refused } = await handOver(
      [1, 2, 3].map((id) => messageOf(id, "lane")),
      1e6,
      queue.services,
    );

    expect(refused).toBe(1);
    expect(queue.sent.map(({ MessageBody }) => MessageBody)).toEqual(["2", "3"]);
  });

  it("fails after five requests without an accepted message", async () => {
    const queue = createQueue(() => "later");

    const work = handOver([messageOf(1, "lane")], 1e6, queue.services);

    await expect(work).rejects.toThrow(HandOverBusyError);
    expect(queue.requests).toHaveLength(5);
  });

  it("sends nothing after its deadline", async () => {
    const queue = createQueue(() => "sent");

    const work = handOver([messageOf(1, "lane")], 0, queue.services);

    await expect(work).rejects.toThrow(HandOverBusyError);
    expect(queue.requests).toEqual([]);
  });

  it("retries a request that failed as a whole, and fails if all do", async () => {
    const queue = createQueue((_, turn) => (turn < 4 ? busyQueue() : "sent"));

    await handOver([messageOf(1, "lane"), messageOf(2, "lane")], 1e6, queue.services);
    const failing = handOver([messageOf(1, "lane")], 1e6, createQueue(busyQueue).services);

    expect(queue.sent.map(({ MessageBody }) => MessageBody)).toEqual(["1", "2"]);
    await expect(failing).rejects.toThrow(/RequestThrottled/);
  });
});

describe("createEnqueueMany", () => {
  it.each(["RequestThrottled", "KmsThrottled", "KmsDisabled", "AccessDenied"])(
    "retries a message that was refused with %s",
    async (Code) => {
      const enqueueMany = createEnqueueMany(
        async () => ({ Failed: [{ Id: "0", Code, SenderFault: true }] }),
        "https://queue",
      );

      expect(await enqueueMany([messageOf(0, "lane")], 500)).toEqual(["later"]);
    },
  );

  it("returns the outcome of each message, in any order of the answer", async () => {
    const asked: unknown[] = [];
    const enqueueMany = createEnqueueMany(async (call) => {
      asked.push(call);
      return {
        Failed: [
          { Id: "2", Code: "InvalidMessageContents", SenderFault: true },
          { Id: "1", Code: "InternalError", SenderFault: false },
        ],
        Successful: [{ Id: "0", MessageId: "m", MD5OfMessageBody: "" }],
      };
    }, "https://queue");

    const outcomes = await enqueueMany(
      [0, 1, 2, 3].map((id) => messageOf(id, "lane")),
      500,
    );

    expect(outcomes).toEqual(["sent", "later", "never", "later"]);
    expect(asked).toMatchObject([
      {
        service: "sqs",
        target: "AmazonSQS.SendMessageBatch",
        deadlineMs: 500,
        input: {
          QueueUrl: "https://queue",
          Entries: [{ Id: "0", MessageBody: "0", MessageGroupId: "lane" }, {}, {}, {}],
        },
      },
    ]);
  });
});

function messageOf(id: number, lane: string, bytes?: number): QueueMessage {
  return {
    MessageBody: bytes === undefined ? String(id) : "x".repeat(bytes),
    MessageGroupId: lane,
    MessageDeduplicationId: String(id),
  };
}

function createQueue(decide: (message: QueueMessage, turn: number) => SendOutcome) {
  const requests: (readonly QueueMessage[])[] = [];
  const sent: QueueMessage[] = [];
  let nowMs = 0;
  const services = {
    enqueueMany: async (messages: readonly QueueMessage[]) => {
      requests.push(messages);
      const outcomes = messages.map((message) => decide(message, requests.length));
      sent.push(...messages.filter((_, index) => outcomes[index] === "sent"));
      return outcomes;
    },
    sleep: async (ms: number) => {
      nowMs += ms;
    },
    now: () => nowMs,
  };
  return { requests, sent, services };
}

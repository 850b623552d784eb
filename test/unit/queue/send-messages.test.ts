import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { AwsCall } from "../../../lib/aws/aws-call.ts";
import { createEnqueue } from "../../../lib/queue/enqueue.ts";
import { createQuarantine } from "../../../lib/queue/quarantine.ts";
import { MessageTooLargeError } from "../../../lib/queue/queued-event.ts";
import { bytesOf, readQueuedEvent } from "../../../lib/queue/read-queued-event.ts";
import { createSendDeadLetter } from "../../../lib/queue/send-dead-letter.ts";
import { events } from "../../../local/testing/events/events.ts";

// SQS refuses a message with one of these; users may write them into a chat.
const refused = /[\uFFFE\uFFFF]/;

function recordCalls() {
  const sent: AwsCall["input"][] = [];
  const calls: Pick<AwsCall, "service" | "target">[] = [];
  const callAws = async ({ input, ...call }: AwsCall) => {
    sent.push(input);
    calls.push(call);
  };
  const bury = createSendDeadLetter(callAws, "queue", () => 9000);
  return {
    sent,
    calls,
    bury,
    enqueue: createEnqueue(callAws, "queue"),
    quarantine: createQuarantine(callAws, "queue"),
    /** The bodies that were sent, as JSON. */
    bodies: () => sent.map(({ MessageBody }) => JSON.parse(String(MessageBody))),
  };
}

const burial = {
  messageId: "m-1",
  messageBody: "{}",
  source: "calls",
  group: "lane-1",
  appId: "app-1",
  trigger: "message_sent",
  receivedAt: 7000,
  reason: "tries",
  cause: "because",
  tries: 5,
  finished: ["message_sent a", "message_sent b"],
} as const;

describe("messages of the queues", () => {
  const body = events.messageSent({ text: "a\uFFFFb" });
  const bytes = Buffer.from(JSON.stringify(body));
  const delivery = { appId: "app-1", bytes, receivedAt: 1 };
  const identity = { family: "webhook", trigger: "x", key: "k", lane: "g", canRecur: false } as const;
  const recurring = { ...identity, canRecur: true };

  it("carry a text that SQS refuses, unchanged for the consumer", async () => {
    const { sent, enqueue, quarantine, bodies } = recordCalls();

    await enqueue(delivery, identity);
    await quarantine(delivery, "not-understood");

    for (const { MessageBody } of sent) expect(String(MessageBody)).not.toMatch(refused);
    expect(bytesOf(readQueuedEvent(bodies()[0]))).toEqual(bytes);
  });

  it("are not sent if they are too large for a queue even when compressed", async () => {
    const { sent, enqueue, quarantine } = recordCalls();
    const large = { ...delivery, bytes: randomBytes(900_000) };
    await expect(enqueue(large, identity)).rejects.toThrow(MessageTooLargeError);
    await expect(quarantine(large, "not-json")).rejects.toThrow(MessageTooLargeError);
    expect(sent).toEqual([]);
  });

  it("name the cause of a dead letter without characters that SQS refuses", async () => {
    const { sent, bury } = recordCalls();
    const cause = `${"x".repeat(999)}👋`;

    await bury({ ...burial, cause });

    expect(sent[0]).toMatchObject({
      MessageAttributes: { Cause: { StringValue: `${"x".repeat(999)}\uFFFD` } },
    });
  });

  it("carry all that the replay of a dead letter needs", async () => {
    const { sent, bury } = recordCalls();

    await bury(burial);

    const texts = Object.entries(Object(sent[0]?.MessageAttributes)).map(([name, value]) => [
      name,
      Object(value).StringValue,
    ]);
    expect(sent[0]).toMatchObject({
      QueueUrl: "queue",
      MessageBody: "{}",
      MessageGroupId: "m-1",
      MessageDeduplicationId: "m-1",
    });
    expect(Object.fromEntries(texts)).toEqual({
      Cause: "because",
      Reason: "tries",
      Source: "calls",
      Group: "lane-1",
      AppId: "app-1",
      Trigger: "message_sent",
      ReceivedAt: "7000",
      BuriedAt: "9000",
      Tries: "5",
      Finished: "message_sent a\nmessage_sent b",
    });
  });

  it("are separate dead letters for each part of one message", async () => {
    const { sent, bury } = recordCalls();

    await bury(burial);
    await bury({ ...burial, part: "welcome" });
    await bury({ ...burial, part: "welcome" });
    await bury({ ...burial, part: "escalate" });

    const ids = sent.map(({ MessageDeduplicationId }) => MessageDeduplicationId);
    expect(new Set(ids).size).toBe(3);
    expect(ids[1]).toBe(ids[2]);
    expect(sent.map(({ MessageGroupId }) => MessageGroupId)).toEqual(ids);
    expect(sent[1]).toMatchObject({ MessageAttributes: { Cause: { DataType: "String" } } });
  });

  it("omit an empty list of finished steps, and mark missing values as unknown", async () => {
    const { sent, bury } = recordCalls();
    const message = { ...burial, finished: [], appId: "", trigger: "", cause: "" };

    await bury(message);

    const attributes = Object(sent[0]?.MessageAttributes);
    expect(attributes).not.toHaveProperty("Finished");
    expect(attributes).toMatchObject({
      Cause: { StringValue: "unknown" },
      AppId: { StringValue: "unknown" },
      Trigger: { StringValue: "unknown" },
    });
  });

  it("mark an occurrence that can recur, so that the consumer checks its first receipt", async () => {
    const { sent, enqueue, bodies } = recordCalls();
    await enqueue(delivery, recurring);
    await enqueue({ ...delivery, receivedAt: 2 }, recurring);

    expect(bodies()).toMatchObject([{ canRecur: true }, { canRecur: true }]);
    expect(new Set(sent.map(({ MessageDeduplicationId }) => MessageDeduplicationId)).size).toBe(2);
    expect(new Set(sent.map(({ MessageGroupId }) => MessageGroupId)).size).toBe(1);
  });

  it("are stored once by the queue if an occurrence cannot recur, whenever it is received", async () => {
    const { sent, enqueue } = recordCalls();
    await enqueue(delivery, identity);
    await enqueue({ ...delivery, receivedAt: 2 }, identity);

    expect(new Set(sent.map(({ MessageDeduplicationId }) => MessageDeduplicationId)).size).toBe(1);
    expect(sent[0]?.MessageDeduplicationId).toMatch(/^[0-9a-f]{64}$/);
    expect(sent[0]?.MessageGroupId).toMatch(/^[0-9a-f]{64}$/);
  });

  it("are sent by one request of SQS each", async () => {
    const { calls, enqueue, quarantine, bury } = recordCalls();
    await enqueue(delivery, identity);
    await quarantine(delivery, "not-json");
    await bury(burial);

    expect(calls).toEqual(Array(3).fill({ service: "sqs", target: "AmazonSQS.SendMessage" }));
  });

  it("carry the replay's attributes, which the queue and the consumer read", async () => {
    const { sent, enqueue } = recordCalls();
    const attributes = { ReplayedAt: { DataType: "String", StringValue: "7" } };

    await enqueue({ ...delivery, replay: { deduplicationId: "replay-1", attributes } }, recurring);
    await enqueue(delivery, recurring);

    expect(sent[0]).toMatchObject({ MessageDeduplicationId: "replay-1", MessageAttributes: attributes });
    expect(sent[1]).not.toHaveProperty("MessageAttributes");
  });

  it("carry their problems in quarantine", async () => {
    const { quarantine, bodies } = recordCalls();
    const problems = [{ path: "data", expected: "object", found: "missing" }] as const;

    await quarantine(delivery, "not-understood", problems);
    await quarantine(delivery, "not-json");

    expect(bodies()).toMatchObject([
      { v: 1, appId: "app-1", reason: "not-understood", problems, receivedAt: 1, base64: false },
      { reason: "not-json", problems: [] },
    ]);
  });
});

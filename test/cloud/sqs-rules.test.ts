import { createHash } from "node:crypto";
import { type SendMessageCommandInput, SQS } from "@aws-sdk/client-sqs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Queue } from "../../local/cloud/queue/queue.ts";
import { type SqsEndpoint, startSqsEndpoint } from "../../local/cloud/sqs-endpoint.ts";
import { isNight } from "../helpers/by-day.ts";
import { clientTo } from "../helpers/client-to.ts";

// Rules of SQS that this project relies on, each with the page that states it, checked through AWS's client.

const guide = "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide";
const reference = "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference";

let nowMs: number;
let endpoint: SqsEndpoint;
let client: SQS;

beforeEach(async () => {
  nowMs = Date.UTC(2026, 0, 1);
  endpoint = await startSqsEndpoint({ now: () => nowMs });
  client = clientTo(endpoint.url)(SQS);
});

afterEach(async () => {
  client.destroy();
  await endpoint.close();
});

/** A sentence of a page: of the reference if it is about a call, else of the guide. */
const rule = (sentence: string, page: string, run: () => Promise<void>, isPlayed = true) =>
  void it.runIf(isPlayed)(
    `${sentence} (${/^(API_|CommonErrors)/.test(page) ? reference : guide}/${page})`,
    run,
  );

const wait = (seconds: number) => {
  nowMs += seconds * 1000;
};
const create = async (QueueName: string, Attributes: Record<string, string> = {}) => {
  const fifo = QueueName.endsWith(".fifo") ? { FifoQueue: "true" } : {};
  return (await client.createQueue({ QueueName, Attributes: { ...fifo, ...Attributes } })).QueueUrl ?? "";
};
const send = (
  QueueUrl: string,
  lane: string,
  MessageBody: string,
  more: Partial<SendMessageCommandInput> = {},
) =>
  client.sendMessage({
    QueueUrl,
    MessageBody,
    MessageGroupId: lane,
    MessageDeduplicationId: MessageBody,
    ...more,
  });
/** Makes a queue of events with the message a1 in the group a. */
const createWithOne = async (attributes?: Record<string, string>) => {
  const url = await create("events.fifo", attributes);
  await send(url, "a", "a1");
  return url;
};
const sendPlain = (QueueUrl: string, MessageBody: string, more: Partial<SendMessageCommandInput> = {}) =>
  client.sendMessage({ QueueUrl, MessageBody, ...more });
const receive = async (QueueUrl: string, MaxNumberOfMessages = 10, VisibilityTimeout?: number) => {
  const received = await client.receiveMessage({
    QueueUrl,
    MaxNumberOfMessages,
    ...(VisibilityTimeout !== undefined && { VisibilityTimeout }),
    MessageSystemAttributeNames: ["All"],
    MessageAttributeNames: ["All"],
  });
  return received.Messages ?? [];
};
const bodies = (messages: readonly { Body?: string | undefined }[]) => messages.map(({ Body }) => Body);
const remove = (QueueUrl: string, message?: { ReceiptHandle?: string | undefined }) =>
  client.deleteMessage({ QueueUrl, ReceiptHandle: message?.ReceiptHandle });
const hide = (
  QueueUrl: string,
  message: { ReceiptHandle?: string | undefined } | undefined,
  VisibilityTimeout: number,
) =>
  client.changeMessageVisibility({
    QueueUrl,
    ReceiptHandle: message?.ReceiptHandle,
    VisibilityTimeout,
  });
const withDeadLetters = async (maxReceiveCount: number, suffix = ".fifo") => {
  const dead = await create(`dead${suffix}`);
  const deadLetterTargetArn = `arn:aws:sqs:eu-central-1:000000000000:dead${suffix}`;
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn, maxReceiveCount });
  return { dead, source: await create(`source${suffix}`, { RedrivePolicy }) };
};

rule("no message stays hidden twelve hours after its receive", "sqs-visibility-timeout.html", async () => {
  const url = await createWithOne({ VisibilityTimeout: "43200" });
  const [message] = await receive(url);

  wait(60);

  await expect(hide(url, message, 43_200)).rejects.toThrow(/beyond the limit \[43200 seconds\]/);
  await hide(url, message, 43_140);
});

rule(
  "only a message in flight can be hidden for longer",
  "API_ChangeMessageVisibility.html#API_ChangeMessageVisibility_Errors",
  async () => {
    const url = await createWithOne();
    const [message] = await receive(url, 1, 5);

    wait(5);

    await expect(hide(url, message, 10)).rejects.toMatchObject({ name: "MessageNotInflight" });
  },
);

rule(
  "a FIFO queue refuses to delete with an expired handle; the message stays",
  "API_ReceiveMessage.html and github.com/aws/aws-sdk-js/issues/1750",
  async () => {
    const url = await createWithOne();
    const [first] = await receive(url, 1, 5);
    wait(5);

    await expect(remove(url, first)).rejects.toThrow(/receipt handle has expired/);
    const [second] = await receive(url);
    await expect(remove(url, first)).rejects.toThrow(/receipt handle has expired/);
    await remove(url, second);
    await remove(url, second); // again, without an error

    expect(endpoint.depth("events.fifo")).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  },
);

rule(
  "a standard queue accepts a handle of an earlier receive and keeps the message",
  "API_DeleteMessage.html",
  async () => {
    const url = await create("plain");
    await sendPlain(url, "one");
    const [first] = await receive(url, 1, 0);
    await receive(url);

    await remove(url, first);

    expect(endpoint.depth("plain").inFlight).toBe(1);
  },
);

rule("each receive is counted, and the first one's time is kept", "API_ReceiveMessage.html", async () => {
  const url = await createWithOne({ VisibilityTimeout: "5" });
  const sentAtMs = nowMs;

  wait(1);
  await receive(url);
  wait(5);
  const [second] = await receive(url);

  expect(second?.Attributes).toMatchObject({
    ApproximateReceiveCount: "2",
    SentTimestamp: String(sentAtMs),
    ApproximateFirstReceiveTimestamp: String(sentAtMs + 1000),
    MessageGroupId: "a",
    MessageDeduplicationId: "a1",
  });
});

rule(
  "a deduplication id counts for five minutes from its first send, also after the message was deleted",
  "FIFO-key-terms.html",
  async () => {
    const url = await create("events.fifo");
    const one = await send(url, "a", "one", { MessageDeduplicationId: "same" });
    await remove(url, (await receive(url))[0]);

    wait(299);
    const duplicate = await send(url, "a", "two", { MessageDeduplicationId: "same" });
    const whileRemembered = await receive(url);
    wait(1);
    await send(url, "a", "three", { MessageDeduplicationId: "same" });

    expect(duplicate).toMatchObject({ MessageId: one.MessageId, SequenceNumber: one.SequenceNumber });
    expect(whileRemembered).toEqual([]);
    expect(bodies(await receive(url))).toEqual(["three"]);
  },
);

rule(
  "with the scope messageGroup, groups do not share deduplication ids; without it they do",
  "high-throughput-fifo.html",
  async () => {
    const scoped = await create("scoped.fifo", {
      DeduplicationScope: "messageGroup",
      FifoThroughputLimit: "perMessageGroupId",
    });
    const whole = await create("whole.fifo");

    for (const url of [scoped, whole]) {
      for (const lane of ["a", "b"]) await send(url, lane, `for ${lane}`, { MessageDeduplicationId: "same" });
    }

    expect(bodies(await receive(scoped))).toEqual(["for a", "for b"]);
    expect(bodies(await receive(whole))).toEqual(["for a"]);
  },
);

rule(
  "content-based deduplication uses the SHA-256 of the body, not of the attributes",
  "API_SendMessage.html",
  async () => {
    const url = await create("events.fifo", { ContentBasedDeduplication: "true" });
    const sendContent = (value: string) =>
      client.sendMessage({
        QueueUrl: url,
        MessageBody: "same",
        MessageGroupId: "a",
        MessageAttributes: { kind: { DataType: "String", StringValue: value } },
      });

    await sendContent("one");
    await sendContent("two");
    const messages = await receive(url);

    expect(messages).toHaveLength(1);
    expect(messages[0]?.Attributes?.MessageDeduplicationId).toBe(
      createHash("sha256").update("same").digest("hex"),
    );
  },
);

rule(
  "a FIFO queue requires a group and a deduplication id, of at most 128 ASCII letters, digits and signs",
  "API_SendMessage.html",
  async () => {
    const url = await create("events.fifo");
    const message = { QueueUrl: url, MessageBody: "x" };

    await expect(client.sendMessage({ ...message, MessageDeduplicationId: "x" })).rejects.toThrow(
      /MessageGroupId/,
    );
    await expect(client.sendMessage({ ...message, MessageGroupId: "a" })).rejects.toThrow(
      /ContentBasedDeduplication/,
    );
    await expect(send(url, "chäts", "x")).rejects.toThrow(/MessageGroupId/);
    await expect(send(url, "a", "i".repeat(129))).rejects.toThrow(/MessageDeduplicationId/);
  },
);

rule("sequence numbers have 20 digits and grow within a group", "API_SendMessage.html", async () => {
  const url = await create("events.fifo");
  const numbers: string[] = [];

  for (const body of ["a1", "a2", "a3"]) numbers.push((await send(url, "a", body)).SequenceNumber ?? "");

  expect(numbers.every((number) => /^\d{20}$/.test(number))).toBe(true);
  expect(numbers.toSorted()).toEqual(numbers);
  expect(new Set(numbers).size).toBe(3);
});

rule(
  "a FIFO queue delays all messages, waiting ones too after a change, and refuses a delay for one message",
  "API_SendMessage.html",
  async () => {
    const url = await create("calls.fifo", { DelaySeconds: "90" });
    await send(url, "a", "a1");

    await expect(send(url, "a", "a2", { DelaySeconds: 5 })).rejects.toThrow(/DelaySeconds is invalid/);
    wait(89);
    const tooEarly = await receive(url);
    wait(1);

    expect(tooEarly).toEqual([]);
    expect(bodies(await receive(url))).toEqual(["a1"]);
    await send(url, "b", "b1");
    endpoint.service.ensure("calls.fifo", { DelaySeconds: "10" }, "eu-central-1");
    wait(10);
    expect(bodies(await receive(url))).toEqual(["b1"]);
  },
);

rule("a standard queue delays single messages", "sqs-message-timers.html", async () => {
  const url = await create("plain");
  await sendPlain(url, "later", { DelaySeconds: 30 });
  await sendPlain(url, "now");

  const first = await receive(url);
  await remove(url, first[0]);
  wait(30);

  expect(bodies(first)).toEqual(["now"]);
  expect(bodies(await receive(url))).toEqual(["later"]);
});

rule(
  "a FIFO queue dead-letters after maxReceiveCount, with a new time and deduplication id; its group continues",
  "sqs-dead-letter-queues.html and sqs-configure-dead-letter-queue-redrive.html",
  async () => {
    const { source, dead } = await withDeadLetters(2);
    const kind = { DataType: "String", StringValue: "é" };
    const { MessageId } = await send(source, "a", "poison", { MessageAttributes: { kind } });
    await send(source, "a", "next");
    for (const _ of [1, 2]) {
      expect(bodies(await receive(source, 1, 5))).toEqual(["poison"]);
      wait(5);
    }
    expect(bodies(await receive(source))).toEqual(["next"]);

    const [letter, ...others] = await receive(dead);

    expect(others).toEqual([]);
    expect(letter).toMatchObject({
      Body: "poison",
      MessageId,
      MessageAttributes: { kind },
      Attributes: {
        MessageGroupId: "a",
        MessageDeduplicationId: MessageId,
        SentTimestamp: String(nowMs),
        DeadLetterQueueSourceArn: "arn:aws:sqs:eu-central-1:000000000000:source.fifo",
      },
    });
  },
);

rule(
  "a dead letter of a standard queue keeps the time at which it was sent",
  "sqs-dead-letter-queues.html",
  async () => {
    const { source, dead } = await withDeadLetters(1, "");
    await sendPlain(source, "poison");
    const sentAtMs = nowMs;
    await receive(source, 1, 5);
    wait(5);
    await receive(source);

    const [letter] = await receive(dead);

    expect(letter?.Attributes?.SentTimestamp).toBe(String(sentAtMs));
  },
);

rule(
  "message attributes are returned unchanged, with their digest; the client checks both digests",
  "sqs-message-metadata.html",
  async () => {
    const url = await create("events.fifo");
    const MessageAttributes = {
      text: { DataType: "String", StringValue: "héllo 👋" },
      count: { DataType: "Number.int", StringValue: "7" },
      raw: { DataType: "Binary", BinaryValue: Uint8Array.from([255, 0, 7]) },
    };

    const sent = await send(url, "a", "👋", { MessageAttributes, MessageDeduplicationId: "1" });
    const [message] = await receive(url);

    expect(message?.MessageAttributes).toEqual(MessageAttributes);
    expect(message?.MD5OfMessageAttributes).toBe(sent.MD5OfMessageAttributes);
  },
);

rule("a receiver gets the attributes that it requests", "API_ReceiveMessage.html", async () => {
  const url = await create("plain");
  const text = { DataType: "String", StringValue: "x" };
  await sendPlain(url, "x", { MessageAttributes: { "a.one": text, "a.two": text, b: text } });

  const { Messages: [message] = [] } = await client.receiveMessage({
    QueueUrl: url,
    MessageAttributeNames: ["a.*"],
    MessageSystemAttributeNames: ["SentTimestamp"],
  });

  expect(Object.keys(message?.MessageAttributes ?? {})).toEqual(["a.one", "a.two"]);
  expect(Object.keys(message?.Attributes ?? {})).toEqual(["SentTimestamp"]);
});

rule(
  "a message has at most 1 MiB, including its attributes' names, types and values",
  "quotas-messages.html",
  async () => {
    const url = await create("plain");
    const attribute = { k: { DataType: "String", StringValue: "v" } }; // 1 + 6 + 1 bytes

    await sendPlain(url, "x".repeat(1_048_576 - 8), { MessageAttributes: attribute });
    const tooLong = sendPlain(url, "x".repeat(1_048_576 - 7), { MessageAttributes: attribute });

    await expect(tooLong).rejects.toThrow(/must be shorter than 1048576 bytes/);
    expect(endpoint.depth("plain").visible).toBe(1);
  },
);

rule(
  "a batch has at most ten messages and 1 MiB, and one invalid message does not affect the others",
  "API_SendMessageBatch.html",
  async () => {
    const url = await create("plain");
    const batch = (texts: string[]) =>
      client.sendMessageBatch({
        QueueUrl: url,
        Entries: texts.map((MessageBody, index) => ({ Id: `m${index}`, MessageBody })),
      });

    const half = "x".repeat(524_289);
    await expect(batch([half, half])).rejects.toMatchObject({ name: "BatchRequestTooLong" });
    await expect(batch(Array(11).fill("x"))).rejects.toMatchObject({ name: "TooManyEntriesInBatchRequest" });
    const { Successful, Failed } = await batch(["good", "bad \u0000", "fine"]);

    expect(Successful?.map(({ Id }) => Id)).toEqual(["m0", "m2"]);
    expect(Failed).toMatchObject([{ Id: "m1", Code: "InvalidMessageContents", SenderFault: true }]);
  },
);

rule("deleting in a batch reports the result of each message", "API_DeleteMessageBatch.html", async () => {
  const url = await create("events.fifo");
  await send(url, "a", "a1");
  await send(url, "b", "b1");
  const [first, second] = await receive(url, 10, 5);
  await hide(url, second, 60);
  wait(5);

  const { Successful, Failed } = await client.deleteMessageBatch({
    QueueUrl: url,
    Entries: [
      { Id: "old", ReceiptHandle: first?.ReceiptHandle },
      { Id: "good", ReceiptHandle: second?.ReceiptHandle },
      { Id: "odd", ReceiptHandle: "no handle" },
    ],
  });

  expect(Successful?.map(({ Id }) => Id)).toEqual(["good"]);
  expect(Failed?.map(({ Id, Code }) => [Id, Code])).toEqual([
    ["old", "ReceiptHandleIsInvalid"],
    ["odd", "ReceiptHandleIsInvalid"],
  ]);
});

rule("a message is kept for the retention period", "quotas-messages.html", async () => {
  const url = await create("plain", { MessageRetentionPeriod: "60" });
  await sendPlain(url, "old");

  wait(60);

  expect(await receive(url)).toEqual([]);
});

rule("a queue reports how many messages are in each state", "API_GetQueueAttributes.html", async () => {
  const url = await create("plain");
  await sendPlain(url, "one");
  await sendPlain(url, "two");
  await sendPlain(url, "three", { DelaySeconds: 9 });
  await receive(url, 1);

  const { Attributes } = await client.getQueueAttributes({ QueueUrl: url, AttributeNames: ["All"] });

  expect(Attributes).toMatchObject({
    ApproximateNumberOfMessages: "1",
    ApproximateNumberOfMessagesNotVisible: "1",
    ApproximateNumberOfMessagesDelayed: "1",
    MaximumMessageSize: "1048576",
    MessageRetentionPeriod: "345600",
    VisibilityTimeout: "30",
    QueueArn: "arn:aws:sqs:eu-central-1:000000000000:plain",
  });
});

rule("an unknown queue has its own error", "CommonErrors.html", async () => {
  await expect(receive(`${endpoint.url}/000000000000/nowhere`)).rejects.toMatchObject({
    name: "QueueDoesNotExist",
  });
});

it("throttling is RequestThrottled with status 403 (client-sqs 3.1162, its model of RequestThrottled)", async () => {
  const url = await create("plain");
  endpoint.refuseNext(1);

  await expect(sendPlain(url, "x")).rejects.toMatchObject({
    name: "RequestThrottled",
    $metadata: { httpStatusCode: 403 },
  });
  await sendPlain(url, "x");
});

it("is unreachable while stopped, and first answers the open poll, which must not get a message later", async () => {
  const url = await create("events.fifo");
  const polling = client.receiveMessage({ QueueUrl: url, WaitTimeSeconds: 20 });
  await send(url, "a", "wakes-the-poll");

  await endpoint.stop();
  expect(bodies((await polling).Messages ?? [])).toEqual(["wakes-the-poll"]);
  await expect(send(url, "b", "lost")).rejects.toThrow();
  await endpoint.start();

  expect(endpoint.peek("events.fifo").map(({ body }) => body)).toEqual(["wakes-the-poll"]);
});

it("deletes messages and seen ids when they are replaced", async () => {
  const url = await createWithOne();

  endpoint.service.get("events.fifo").queue.replace([]);
  await send(url, "a", "after", { MessageDeduplicationId: "a1" });

  expect(endpoint.peek("events.fifo").map(({ body }) => body)).toEqual(["after"]);
});

// Below, the queue without its network: the rules concern more messages than a test should send one by one.

function createFifo() {
  return new Queue({ fifo: true, visibilityTimeoutMs: 30_000 }, { now: () => nowMs });
}

const fill = (queue: ReturnType<typeof createFifo>, lane: string, count: number) => {
  for (let index = 0; index < count; index += 1) {
    queue.send({ body: "x", lane, deduplicationId: `${lane}-${index}` });
  }
};

rule(
  "a FIFO queue looks for free groups among its oldest 120,000 messages only",
  "avoid-backlog-with-the-same-message-group-id.html",
  async () => {
    const queue = createFifo();
    fill(queue, "blocked", 119_999);
    const [held] = queue.receive();
    fill(queue, "seen", 1);
    fill(queue, "unseen", 1);

    const within = queue.receive({ max: 10 });
    const beyond = queue.receive({ max: 10 });
    queue.delete(within[0]?.receiptHandle ?? "");
    const afterOneWasDeleted = queue.receive({ max: 10 });

    expect(held?.lane).toBe("blocked");
    expect(within.map(({ lane }) => lane)).toEqual(["seen"]);
    expect(beyond).toEqual([]);
    expect(afterOneWasDeleted.map(({ lane }) => lane)).toEqual(["unseen"]);
  },
  isNight, // takes seconds
);

rule(
  "a FIFO queue with 120,000 messages in flight returns nothing and no error",
  "quotas-fifo.html",
  async () => {
    const queue = createFifo();
    for (let lane = 0; lane < 120_001; lane += 1) fill(queue, `lane-${lane}`, 1);
    for (let calls = 0; calls < 12_000; calls += 1) queue.receive({ max: 10 });

    expect(queue.depth().inFlight).toBe(120_000);
    expect(queue.receive({ max: 10 })).toEqual([]);

    nowMs += 30_000;
    expect(queue.receive({ max: 10 })).toHaveLength(10);
  },
  isNight, // takes seconds
);

rule(
  "a standard queue with 120,000 messages in flight answers OverLimit",
  "API_ReceiveMessage.html#API_ReceiveMessage_Errors",
  async () => {
    const queue = new Queue({ fifo: false, visibilityTimeoutMs: 30_000 }, { now: () => nowMs });
    for (let count = 0; count < 120_001; count += 1) queue.send({ body: "x" });
    for (let calls = 0; calls < 12_000; calls += 1) queue.receive({ max: 10 });

    expect(() => queue.receive()).toThrow(expect.objectContaining({ code: "OverLimit" }));
  },
  isNight, // takes seconds
);

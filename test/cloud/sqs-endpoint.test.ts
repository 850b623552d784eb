import { mkdtemp, rm } from "node:fs/promises";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import { AwsClient } from "aws4fetch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type SqsEndpoint, startSqsEndpoint } from "../../local/cloud/sqs-endpoint.ts";
import { sqsClient } from "./clients.ts";

let endpoint: SqsEndpoint;
let client: SQSClient;

beforeEach(async () => {
  endpoint = await startSqsEndpoint();
  client = sqsClient(endpoint.url);
});

afterEach(async () => {
  client.destroy();
  await endpoint.close();
});

async function createQueues() {
  await client.send(new CreateQueueCommand({ QueueName: "dead.fifo", Attributes: { FifoQueue: "true" } }));
  const RedrivePolicy = JSON.stringify({
    deadLetterTargetArn: "arn:aws:sqs:eu-central-1:000000000000:dead.fifo",
    maxReceiveCount: 2,
  });
  const Attributes = { FifoQueue: "true", VisibilityTimeout: "180", RedrivePolicy };
  const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: "events.fifo", Attributes }));
  return String(QueueUrl);
}

const send = (QueueUrl: string, group: string, body: string, MessageDeduplicationId = body) =>
  client.send(
    new SendMessageCommand({ QueueUrl, MessageBody: body, MessageGroupId: group, MessageDeduplicationId }),
  );
const receive = async (QueueUrl: string, MaxNumberOfMessages = 10) =>
  (await client.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages }))).Messages ?? [];
const handBack = (QueueUrl: string, ReceiptHandle: string | undefined) =>
  client.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));

describe("a FIFO queue", () => {
  it("hands out as many messages of a group as fit, in order, and no more of it until they are done", async () => {
    const url = await createQueues();
    for (const body of ["a1", "b1", "a2", "a3"]) await send(url, body.slice(0, 1), body);

    const first = await receive(url, 2);
    await send(url, "a", "a4");
    const whileInFlight = await receive(url);
    for (const { ReceiptHandle } of first) {
      await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle }));
    }
    const afterDelete = await receive(url);

    expect(first.map(({ Body }) => Body)).toEqual(["a1", "a2"]);
    expect(whileInFlight.map(({ Body }) => Body)).toEqual(["b1"]);
    expect(afterDelete.map(({ Body }) => Body)).toEqual(["a3", "a4"]);
  });

  it("keeps the order of messages that return to their group", async () => {
    const url = await createQueues();
    for (const body of ["a1", "a2", "a3"]) await send(url, "a", body);

    for (const { ReceiptHandle } of await receive(url)) await handBack(url, ReceiptHandle);

    expect((await receive(url)).map(({ Body }) => Body)).toEqual(["a1", "a2", "a3"]);
  });

  it("takes a deduplication id once", async () => {
    const url = await createQueues();
    const one = await send(url, "a", "first", "same-id");

    const two = await send(url, "a", "second", "same-id");

    expect(two.MessageId).toBe(one.MessageId);
    expect(two.SequenceNumber).toBe(one.SequenceNumber);
    expect(endpoint.peek("events.fifo").map(({ body }) => body)).toEqual(["first"]);
  });

  it("moves a message that was received too often to the dead-letter queue and frees its group", async () => {
    const url = await createQueues();
    await send(url, "a", "poison");
    await send(url, "a", "next");

    for (const _ of [1, 2]) {
      const [message] = await receive(url, 1);
      expect(message?.Body).toBe("poison");
      await handBack(url, message?.ReceiptHandle);
    }

    expect((await receive(url)).map(({ Body }) => Body)).toEqual(["next"]);
    expect(endpoint.peek("dead.fifo").map(({ body, groupId }) => ({ body, groupId }))).toEqual([
      { body: "poison", groupId: "a" },
    ]);
  });

  it("refuses ids that AWS refuses", async () => {
    const url = await createQueues();

    await expect(send(url, "chäts", "x")).rejects.toThrow(/MessageGroupId/);
    await expect(send(url, "a", "x", "i".repeat(129))).rejects.toThrow(/MessageDeduplicationId/);
    expect(endpoint.depth("events.fifo").visible).toBe(0);
  });
});

it("is reachable on the loopback address only", async () => {
  const others = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === "IPv4" && !internal);

  expect(new URL(endpoint.url).hostname).toBe("127.0.0.1");
  for (const { address } of others) {
    // The test setup refuses the connection as well: what counts is that nothing answers there.
    await expect(fetch(endpoint.url.replace("127.0.0.1", address))).rejects.toThrow();
  }
});

it("cannot be reached while stopped and has its messages when started again", async () => {
  const url = await createQueues();
  await send(url, "a", "kept");

  await endpoint.stop();
  await expect(send(url, "a", "lost")).rejects.toThrow();
  await endpoint.start();

  expect((await receive(url)).map(({ Body }) => Body)).toEqual(["kept"]);
});

it("answers a poll that is open when it stops, so that no message goes to a caller who left", async () => {
  const url = await createQueues();
  const polling = client.send(new ReceiveMessageCommand({ QueueUrl: url, WaitTimeSeconds: 20 }));
  await send(url, "other", "wakes-the-poll");

  await endpoint.stop();

  expect((await polling).Messages?.map(({ Body }) => Body)).toEqual(["wakes-the-poll"]);
});

it("forgets messages and seen ids when reset", async () => {
  const url = await createQueues();
  await send(url, "a", "before", "same-id");

  endpoint.service.get("events.fifo").queue.replace([]);
  await send(url, "a", "after", "same-id");

  expect(endpoint.peek("events.fifo").map(({ body }) => body)).toEqual(["after"]);
  const [message] = await receive(url);
  await handBack(url, message?.ReceiptHandle);
  expect(endpoint.depth("events.fifo")).toEqual({ visible: 1, inFlight: 0, delayed: 0 });
});

it("answers a lean signed fetch without an SDK", async () => {
  const QueueUrl = await createQueues();
  const aws = new AwsClient({
    accessKeyId: "a",
    secretAccessKey: "b",
    service: "sqs",
    region: "eu-central-1",
  });

  const answer = await aws.fetch(endpoint.url, {
    method: "POST",
    headers: { "content-type": "application/x-amz-json-1.0", "x-amz-target": "AmazonSQS.SendMessage" },
    body: JSON.stringify({
      QueueUrl,
      MessageBody: "héllo 👋",
      MessageGroupId: "g",
      MessageDeduplicationId: "d",
    }),
  });

  expect(answer.status).toBe(200);
  expect(endpoint.peek("events.fifo")[0]).toMatchObject({
    body: "héllo 👋",
    groupId: "g",
    deduplicationId: "d",
  });
});

it("keeps messages in its folder over a restart", async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), "queues-"));
  const first = await startSqsEndpoint({ dataFolder });
  const writer = sqsClient(first.url);
  const Attributes = { FifoQueue: "true" };
  const { QueueUrl } = await writer.send(new CreateQueueCommand({ QueueName: "events.fifo", Attributes }));
  const ids = { MessageGroupId: "g", MessageDeduplicationId: "d" };
  await writer.send(new SendMessageCommand({ QueueUrl, MessageBody: "kept", ...ids }));
  writer.destroy();
  await first.close();

  const second = await startSqsEndpoint({ dataFolder });

  expect(second.peek("events.fifo").map(({ body }) => body)).toEqual(["kept"]);
  await second.close();
  await rm(dataFolder, { recursive: true });
});

it("hands out again what a function had when the machine was switched off", async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), "queues-"));
  const first = await startSqsEndpoint({ dataFolder });
  const writer = sqsClient(first.url);
  const Attributes = { FifoQueue: "true", VisibilityTimeout: "180" };
  const { QueueUrl = "" } = await writer.send(
    new CreateQueueCommand({ QueueName: "events.fifo", Attributes }),
  );
  for (const body of ["1", "2", "3"]) {
    const ids = { MessageGroupId: "g", MessageDeduplicationId: body };
    await writer.send(new SendMessageCommand({ QueueUrl, MessageBody: body, ...ids }));
  }
  await writer.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 2 }));
  writer.destroy();
  await first.close();

  const second = await startSqsEndpoint({ dataFolder });
  const reader = sqsClient(second.url);
  const url = QueueUrl.replace(first.url, second.url);
  const { Messages = [] } = await reader.send(
    new ReceiveMessageCommand({ QueueUrl: url, MaxNumberOfMessages: 10 }),
  );

  expect(Messages.map(({ Body }) => Body)).toEqual(["1", "2", "3"]);
  reader.destroy();
  await second.close();
  await rm(dataFolder, { recursive: true });
});

import {
  CreateQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type SqsEndpoint, startSqsEndpoint } from "../../local/cloud/sqs-endpoint.ts";
import { clientTo } from "../helpers/client-to.ts";

let endpoint: SqsEndpoint;
let client: SQSClient;
let QueueUrl: string;

beforeEach(async () => {
  endpoint = await startSqsEndpoint();
  client = clientTo(endpoint.url)(SQSClient);
  const Attributes = { FifoQueue: "true" };
  const made = await client.send(new CreateQueueCommand({ QueueName: "events.fifo", Attributes }));
  QueueUrl = String(made.QueueUrl);
});
afterEach(async () => {
  client.destroy();
  await endpoint.close();
});

const send = (MessageGroupId: string, MessageBody: string, MessageDeduplicationId = MessageBody) =>
  client.send(new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId, MessageDeduplicationId }));
const waiting = () => endpoint.peek("events.fifo").map(({ body }) => body);

it("refuses ids that AWS refuses", async () => {
  await expect(send("chäts", "x")).rejects.toThrow(/MessageGroupId/);
  await expect(send("a", "x", "i".repeat(129))).rejects.toThrow(/MessageDeduplicationId/);
  expect(waiting()).toEqual([]);
});

it("cannot be reached while stopped and has its messages when started again", async () => {
  await send("a", "kept");

  await endpoint.stop();
  await expect(send("a", "lost")).rejects.toThrow();
  await endpoint.start();

  expect(waiting()).toEqual(["kept"]);
});

it("answers a poll that is open when it stops, so that no message goes to a caller who left", async () => {
  const polling = client.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }));
  await send("other", "wakes-the-poll");

  await endpoint.stop();

  expect((await polling).Messages?.map(({ Body }) => Body)).toEqual(["wakes-the-poll"]);
});

it("forgets messages and seen ids when they are replaced", async () => {
  await send("a", "before", "same-id");

  endpoint.service.get("events.fifo").queue.replace([]);
  await send("a", "after", "same-id");

  expect(waiting()).toEqual(["after"]);
});

import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ConditionalCheckFailedException,
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
} from "@aws-sdk/client-dynamodb";
import { expect, it, vi } from "vitest";
import { startDynamodbEndpoint } from "../../local/cloud/dynamodb-endpoint.ts";

const TableName = "effects";

async function start(dataFolder?: string) {
  const endpoint = await startDynamodbEndpoint(dataFolder === undefined ? {} : { dataFolder });
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const client = new DynamoDBClient({
    endpoint: endpoint.url,
    region: "eu-central-1",
    credentials,
    maxAttempts: 1,
  });
  const close = async () => {
    client.destroy();
    await endpoint.close();
  };
  return { endpoint, client, close };
}

async function createTable(client: DynamoDBClient) {
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
    }),
  );
  await vi.waitFor(async () => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    expect(Table?.TableStatus).toBe("ACTIVE");
  });
}

const putOnce = (client: DynamoDBClient, id: string) =>
  client.send(
    new PutItemCommand({
      TableName,
      Item: { id: { S: id } },
      ConditionExpression: "attribute_not_exists(id)",
    }),
  );

it("writes an item under a condition once", async () => {
  const { client, close } = await start();
  await createTable(client);

  await putOnce(client, "é👋");

  await expect(putOnce(client, "é👋")).rejects.toThrow(ConditionalCheckFailedException);
  const { Item } = await client.send(new GetItemCommand({ TableName, Key: { id: { S: "é👋" } } }));
  expect(Item).toEqual({ id: { S: "é👋" } });
  await close();
});

it("deletes every item when reset", async () => {
  const { endpoint, client, close } = await start();
  await createTable(client);
  await Promise.all(Array.from({ length: 60 }, (_, index) => putOnce(client, `item ${index}`)));

  endpoint.service.get(TableName).table.replace([]);

  expect((await client.send(new ScanCommand({ TableName }))).Count).toBe(0);
  await close();
});

it("survives a client that hangs up in the middle of a request", async () => {
  const { endpoint, client, close } = await start();
  await createTable(client);
  const socket = connect(Number(new URL(endpoint.url).port), "127.0.0.1");
  await once(socket, "connect");
  socket.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf");
  await putOnce(client, "the half request has arrived");

  socket.resetAndDestroy();

  await putOnce(client, "still there");
  await close();
});

it("keeps tables and items in its folder over a restart", async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), "tables-"));
  const first = await start(dataFolder);
  await createTable(first.client);
  await putOnce(first.client, "kept");
  await first.close();

  const second = await start(dataFolder);

  expect((await second.client.send(new ScanCommand({ TableName }))).Items).toEqual([{ id: { S: "kept" } }]);
  await second.close();
  await rm(dataFolder, { recursive: true });
});

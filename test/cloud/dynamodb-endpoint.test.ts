import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { startDynamodbEndpoint } from "../../local/cloud/dynamodb-endpoint.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const TableName = "effects";

async function start(dataFolder?: string) {
  const endpoint = await startDynamodbEndpoint({ dataFolder });
  const key = { AttributeName: "id", AttributeType: "S", KeyType: "HASH" } as const;
  endpoint.service.ensure({ TableName, AttributeDefinitions: [key], KeySchema: [key] }, "eu-central-1");
  return endpoint;
}

it("survives a client that disconnects during a request", async () => {
  const endpoint = await start();
  const { host, port } = new URL(endpoint.url);
  const socket = connect(Number(port), "127.0.0.1");
  await once(socket, "connect");
  socket.write(`POST / HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 100\r\n\r\nhalf`);
  await fetch(endpoint.url, { method: "POST", body: "{}" }); // the half request arrived before

  socket.resetAndDestroy();

  expect((await fetch(endpoint.url, { method: "POST", body: "{}" })).status).toBe(400);
  await endpoint.close();
});

it("keeps tables and items in its folder across a restart", async () => {
  const dataFolder = temporaryFolder();
  const Item = { id: { S: "kept é👋" } };
  const first = await start(dataFolder);
  first.service.call("PutItem", { TableName, Item });
  await first.close();

  const second = await startDynamodbEndpoint({ dataFolder });

  expect(second.service.get(TableName).table.all()).toEqual([Item]);
  await second.close();
});

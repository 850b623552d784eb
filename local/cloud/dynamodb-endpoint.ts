import { once } from "node:events";
import {
  BatchWriteItemCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ScanCommand,
} from "@aws-sdk/client-dynamodb";
import dynalite from "dynalite";
import { localCredentials } from "./local-aws.ts";

export interface DynamodbEndpoint {
  readonly url: string;
  /** Deletes every item of a table. */
  reset(tableName: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts DynamoDB (dynalite) on a free port of 127.0.0.1. With `dataFolder`, tables survive a restart.
 * Items past their time to live are not deleted (DynamoDB deletes them within days, too).
 */
export async function startDynamodbEndpoint(
  options: { dataFolder?: string } = {},
): Promise<DynamodbEndpoint> {
  const server = dynalite({
    createTableMs: 0,
    deleteTableMs: 0,
    updateTableMs: 0,
    ...(options.dataFolder !== undefined && { path: options.dataFolder }),
  });
  // dynalite throws when a client hangs up early, which would end this process. Its listener runs first.
  server.on("request", (request) => {
    request.removeAllListeners("error");
    request.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null)
    throw new Error("dynalite has no port after listening.");
  const url = `http://127.0.0.1:${address.port}`;
  const client = new DynamoDBClient({ endpoint: url, region: "us-east-1", credentials: localCredentials });

  return {
    url,
    reset: (tableName) => deleteItems(client, tableName),
    close: () =>
      new Promise((resolve, reject) => {
        client.destroy();
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

async function deleteItems(client: DynamoDBClient, tableName: string): Promise<void> {
  const { Table: table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
  const keyNames = table?.KeySchema?.flatMap(({ AttributeName: name }) => name ?? []) ?? [];
  for (;;) {
    const { Items: items = [] } = await client.send(new ScanCommand({ TableName: tableName, Limit: 25 }));
    if (items.length === 0) return;
    const requests = items.map((item) => ({
      DeleteRequest: {
        Key: Object.fromEntries(Object.entries(item).filter(([name]) => keyNames.includes(name))),
      },
    }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [tableName]: requests } }));
  }
}

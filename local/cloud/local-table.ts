import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceInUseException,
} from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import type { CloudResource } from "./cloud-report.ts";
import { localAccountId, localCredentials } from "./local-aws.ts";

/**
 * Creates a declared AWS::DynamoDB::Table, or finds the one of an earlier run. Keys and indexes are taken;
 * everything else (time to live, encryption, backups) has no meaning here.
 */
export async function createTable(
  properties: Record<string, unknown>,
  defaultName: string,
  { endpoint, region }: { endpoint: string; region: string },
): Promise<CloudResource> {
  const client = new DynamoDBClient({ endpoint, region, credentials: localCredentials });
  const table = tableSchema.parse({ TableName: defaultName, ...properties });
  const { GlobalSecondaryIndexes, LocalSecondaryIndexes, ...keys } = table;
  const command = new CreateTableCommand({
    ...keys,
    BillingMode: "PAY_PER_REQUEST",
    ...(GlobalSecondaryIndexes && { GlobalSecondaryIndexes }),
    ...(LocalSecondaryIndexes && { LocalSecondaryIndexes }),
  });
  try {
    await client.send(command).catch((error) => {
      if (!(error instanceof ResourceInUseException)) throw error;
    });
    while ((await readStatus(client, table.TableName)) !== "ACTIVE"); // dynalite takes a moment, each answer another
    const arn = `arn:aws:dynamodb:${region}:${localAccountId}:table/${table.TableName}`;
    return { type: "table", name: table.TableName, arn };
  } finally {
    client.destroy();
  }
}

async function readStatus(client: DynamoDBClient, TableName: string): Promise<string | undefined> {
  const { Table: table } = await client.send(new DescribeTableCommand({ TableName }));
  return table?.TableStatus;
}

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(["HASH", "RANGE"]) }));

const indexesSchema = z.optional(
  z.array(
    z.object({
      IndexName: z.string(),
      KeySchema: keySchema,
      Projection: z.object({
        ProjectionType: z.enum(["ALL", "KEYS_ONLY", "INCLUDE"]),
        NonKeyAttributes: z._default(z.array(z.string()), []),
      }),
    }),
  ),
);

const tableSchema = z.object({
  TableName: z.string(),
  AttributeDefinitions: z.array(
    z.object({ AttributeName: z.string(), AttributeType: z.enum(["S", "N", "B"]) }),
  ),
  KeySchema: keySchema,
  GlobalSecondaryIndexes: indexesSchema,
  LocalSecondaryIndexes: indexesSchema,
});

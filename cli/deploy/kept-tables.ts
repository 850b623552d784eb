import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import {
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  UpdateTableCommand,
} from "@aws-sdk/client-dynamodb";
import { listPastStacks } from "../stack/past-stacks.ts";
import { readHappenings } from "../stack/stack-events.ts";
import type { Target } from "../target/target.ts";

/** Names the tables that the last removal of a stage left, as far as they are still there. @throws what the clients throw */
export async function findKeptTables(target: Target): Promise<readonly string[]> {
  const cloudFormation = target.client(CloudFormationClient, "CLOUDFORMATION");
  const dynamodb = target.client(DynamoDBClient, "DYNAMODB");
  try {
    const [last] = await listPastStacks(cloudFormation, target.stackName, ["DELETE_COMPLETE"]);
    if (last === undefined) return [];
    const left = (await readHappenings(cloudFormation, last.id, 0)).flatMap(({ type, status, physicalId }) =>
      type === "AWS::DynamoDB::Table" && status === "DELETE_SKIPPED" ? [physicalId] : [],
    );
    const there = await Promise.all(left.map((name) => isThere(dynamodb, name)));
    return left.filter((_, index) => there[index]);
  } finally {
    cloudFormation.destroy();
    dynamodb.destroy();
  }
}

/**
 * Deletes tables with what is in them, their protection first. Asks nothing: that was done. May be repeated.
 * @throws what the client throws
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/WorkingWithTables.Basics.html#WorkingWithTables.Basics.DeletionProtection
 */
export async function deleteTables(target: Target, names: readonly string[]): Promise<void> {
  const dynamodb = target.client(DynamoDBClient, "DYNAMODB");
  try {
    for (const name of names) {
      const isProtected = await protectionOf(dynamodb, name);
      if (isProtected === undefined) continue;
      if (isProtected) {
        await dynamodb.send(new UpdateTableCommand({ TableName: name, DeletionProtectionEnabled: false }));
      }
      await dynamodb.send(new DeleteTableCommand({ TableName: name }));
    }
  } finally {
    dynamodb.destroy();
  }
}

async function isThere(client: DynamoDBClient, name: string): Promise<boolean> {
  return (await protectionOf(client, name)) !== undefined;
}

/** Undefined where there is no such table. */
async function protectionOf(client: DynamoDBClient, name: string): Promise<boolean | undefined> {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
    return Table?.DeletionProtectionEnabled ?? false;
  } catch (error) {
    if (error instanceof Error && error.name === "ResourceNotFoundException") return undefined;
    throw error;
  }
}

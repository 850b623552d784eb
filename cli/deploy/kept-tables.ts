import {
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  UpdateTableCommand,
} from "@aws-sdk/client-dynamodb";
import { isNotFound } from "../../lib/aws/is-not-found.ts";
import { listPastStacks } from "../stack/past-stacks.ts";
import { readHappenings } from "../stack/stack-events.ts";
import type { DeployGround } from "./deploy-ground.ts";

/**
 * Left by removals, and by failed deployments after a removal.
 * @throws the clients' errors
 */
export async function findKeptTables({ cloudFormation, target }: DeployGround): Promise<readonly string[]> {
  const dynamodb = target.client(DynamoDBClient, "DYNAMODB");
  const names = new Set<string>();
  for (const { id } of await listPastStacks(cloudFormation, target.stackName, ["DELETE_COMPLETE"])) {
    for (const { type, status, physicalId } of await readHappenings(cloudFormation, id, 0)) {
      if (type === "AWS::DynamoDB::Table" && status === "DELETE_SKIPPED") names.add(physicalId);
    }
  }
  const left = [...names];
  const protections = await Promise.all(left.map((name) => protectionOf(dynamodb, name)));
  return left.filter((_, index) => protections[index] !== undefined);
}

/**
 * Lifts the tables' protection and deletes them. Does not ask. May be repeated.
 * @throws the client's errors
 * @see
 *   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/WorkingWithTables.Basics.html#WorkingWithTables.Basics.DeletionProtection
 */
export async function deleteTables(
  { target, edges: { sleep, signal } }: DeployGround,
  names: readonly string[],
): Promise<void> {
  const dynamodb = target.client(DynamoDBClient, "DYNAMODB");
  for (const name of names) {
    signal.throwIfAborted();
    const isProtected = await protectionOf(dynamodb, name);
    if (isProtected === undefined) continue;
    if (isProtected) {
      await dynamodb.send(new UpdateTableCommand({ TableName: name, DeletionProtectionEnabled: false }));
    }
    while (!(await isDeletionTaken(dynamodb, name))) {
      signal.throwIfAborted();
      await sleep(everyMs, signal);
    }
  }
}

const everyMs = 2_000;

/** False while the table is busy with a change, such as that of its protection. */
async function isDeletionTaken(client: DynamoDBClient, name: string): Promise<boolean> {
  try {
    await client.send(new DeleteTableCommand({ TableName: name }));
    return true;
  } catch (error) {
    if (isNotFound(error)) return true;
    if (error instanceof Error && error.name === "ResourceInUseException") return false;
    throw error;
  }
}

/** Undefined if the table does not exist. */
async function protectionOf(client: DynamoDBClient, name: string): Promise<boolean | undefined> {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
    return Table?.DeletionProtectionEnabled ?? false;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

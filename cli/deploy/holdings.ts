import { DescribeTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import { readQueueDepth } from "../../lib/aws/queue-counts.ts";
import type { Stack } from "../target/stack.ts";
import { toFailure } from "../to-failure.ts";
import type { DeployGround } from "./deploy-ground.ts";
import { readLiveTemplate, retainedIdsOf } from "./deployments.ts";

export const holdingSchema = z.strictObject({
  logicalId: z.string(),
  kind: z.enum(["queue", "table"]),
  name: z.string(),
  /** AWS counts a table's items every six hours. Absent if it could not be read. */
  count: z.optional(z.number()),
  /** Stays when the stack is removed. */
  isKept: z.boolean(),
});

export type Holding = z.infer<typeof holdingSchema>;

/**
 * Omits those deleted outside CloudFormation. May be repeated.
 * @throws the errors of reading the template
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html
 */
export async function readHoldings(
  { target, cloudFormation }: DeployGround,
  { name: stackName, resources }: Stack,
): Promise<Holding[]> {
  const dynamodb = target.client(DynamoDBClient, "DYNAMODB");
  const kept = retainedIdsOf(await readLiveTemplate(cloudFormation, stackName));
  const counted = await Promise.all(
    [...resources].map(async ([logicalId, { type, physicalId: id }]) => {
      const facts = { logicalId, isKept: kept.has(logicalId) };
      if (type === "AWS::SQS::Queue") {
        const queue = { ...facts, kind: "queue", name: id.split("/").at(-1) ?? id } as const;
        return await countUnlessGone(queue, () => readQueueDepth(target.callAws, id));
      }
      if (type !== "AWS::DynamoDB::Table") return undefined;
      return await countUnlessGone({ ...facts, kind: "table", name: id }, async () => {
        return (await dynamodb.send(new DescribeTableCommand({ TableName: id }))).Table?.ItemCount;
      });
    }),
  );
  return counted.filter((holding) => holding !== undefined);
}

/** Without a number if it cannot be counted: a started removal must be able to finish. */
async function countUnlessGone(
  holding: Omit<Holding, "count">,
  count: () => Promise<number | undefined>,
): Promise<Holding | undefined> {
  try {
    return { ...holding, count: await count() };
  } catch (error) {
    return toFailure(error).code === "NOT_THERE" ? undefined : holding;
  }
}

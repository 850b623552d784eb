import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { DescribeTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { Stack } from "../target/stack.ts";
import type { Target } from "../target/target.ts";
import { readLiveTemplate } from "./deployments.ts";
import { retainedIdsOf } from "./retained-ids.ts";

/** A queue or table of a stack, with its number of messages or items. */
export interface Holding {
  readonly logicalId: string;
  readonly kind: "queue" | "table";
  readonly name: string;
  /** AWS counts a table's items every six hours. Undefined if the count could not be read. */
  readonly count?: number | undefined;
  /** Stays when the stack is removed. */
  readonly isKept: boolean;
}

/**
 * Counts the content of a stage's queues and tables; omits those deleted outside CloudFormation. May be
 * repeated.
 * @throws the errors of reading the template
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_GetQueueAttributes.html
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html
 */
export async function readHoldings(target: Target, stack: Stack): Promise<readonly Holding[]> {
  const cloudFormation = target.client(CloudFormationClient, "CLOUDFORMATION");
  const sqs = target.client(SQSClient, "SQS");
  const dynamodb = target.client(DynamoDBClient, "DYNAMODB");
  try {
    const kept = retainedIdsOf(await readLiveTemplate(cloudFormation, stack.name));
    const counted = await Promise.all(
      [...stack.resources].flatMap(([logicalId, { type, physicalId }]) => {
        const facts = { logicalId, isKept: kept.has(logicalId) };
        if (type === "AWS::SQS::Queue") return [countQueue(sqs, physicalId, facts)];
        if (type === "AWS::DynamoDB::Table") return [countTable(dynamodb, physicalId, facts)];
        return [];
      }),
    );
    return counted.filter((holding) => holding !== undefined);
  } finally {
    for (const client of [cloudFormation, sqs, dynamodb]) client.destroy();
  }
}

type Facts = Pick<Holding, "logicalId" | "isKept">;

async function countQueue(client: SQSClient, url: string, facts: Facts): Promise<Holding | undefined> {
  const names = [
    "ApproximateNumberOfMessages",
    "ApproximateNumberOfMessagesNotVisible",
    "ApproximateNumberOfMessagesDelayed",
  ] as const;
  return await countUnlessGone({ ...facts, kind: "queue", name: url.split("/").at(-1) ?? url }, async () => {
    const { Attributes = {} } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: [...names] }),
    );
    return names.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
  });
}

async function countTable(client: DynamoDBClient, name: string, facts: Facts): Promise<Holding | undefined> {
  return await countUnlessGone({ ...facts, kind: "table", name }, async () => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
    return Table?.ItemCount;
  });
}

/** A resource that cannot be counted is listed without a number: a started removal must be able to finish. */
async function countUnlessGone(
  holding: Omit<Holding, "count">,
  count: () => Promise<number | undefined>,
): Promise<Holding | undefined> {
  try {
    return { ...holding, count: await count() };
  } catch (error) {
    const isGone = error instanceof Error && /ResourceNotFound|QueueDoesNotExist/.test(error.name);
    return isGone ? undefined : holding;
  }
}

import { DescribeTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { readQueueDepth } from "../../lib/aws/queue-counts.ts";
import { parseTemplate, readTemplate } from "../stack/template.ts";
import type { Stack } from "../target/stack.ts";
import { toFailure } from "../to-failure.ts";
import type { DeployGround } from "./deploy-ground.ts";

export interface Holding {
  logicalId: string;
  kind: "queue" | "table";
  name: string;
  /** AWS counts a table's items every six hours. Absent if it could not be read. */
  count?: number | undefined;
  /** Stays when the stack is removed. */
  isKept: boolean;
}

const kinds: Readonly<Record<string, Holding["kind"]>> = {
  "AWS::SQS::Queue": "queue",
  "AWS::DynamoDB::Table": "table",
};

/**
 * Omits those deleted outside CloudFormation. May be repeated.
 * @throws the errors of reading the template
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-deletionpolicy.html
 */
export async function readHoldings(
  { target, cloudFormation }: DeployGround,
  { name: stackName, resources }: Stack,
): Promise<Holding[]> {
  const dynamodb = target.client(DynamoDBClient, "DYNAMODB");
  const template = parseTemplate(await readTemplate(cloudFormation, stackName));
  const countTable = async (TableName: string) =>
    (await dynamodb.send(new DescribeTableCommand({ TableName }))).Table?.ItemCount;
  const counted = [...resources].map(async ([logicalId, { type, physicalId }]) => {
    const kind = kinds[type];
    if (kind === undefined) return [];
    const isKept = template.Resources[logicalId]?.DeletionPolicy?.startsWith("Retain") === true;
    const holding = { logicalId, kind, name: physicalId.split("/").at(-1) ?? "", isKept };
    try {
      const count = kind === "queue" ? readQueueDepth(target.callAws, physicalId) : countTable(physicalId);
      return [{ ...holding, count: await count }];
    } catch (error) {
      // Without a number if it cannot be counted: a started removal must be able to finish.
      return toFailure(error).code === "NOT_THERE" ? [] : [holding];
    }
  });
  return (await Promise.all(counted)).flat();
}

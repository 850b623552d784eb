import { CloudFormationClient, paginateListStackResources } from "@aws-sdk/client-cloudformation";
import type { Cloud } from "../../../local/cloud/start-cloud.ts";
import { clientTo } from "../client-to.ts";
import type { AccountOptions } from "./account.ts";

/** Makes an account whose stack runs in a local cloud: queues, tables, secrets, functions, address. */
export async function onCloud({ endpoints, outputs }: Cloud): Promise<AccountOptions> {
  const client = clientTo(endpoints.AWS_ENDPOINT_URL_CLOUDFORMATION, 3)(CloudFormationClient);
  const ids = new Map<string, string>();
  for await (const page of paginateListStackResources(
    { client },
    { StackName: "cometchat-functions-local" },
  )) {
    for (const { LogicalResourceId = "", PhysicalResourceId = "" } of page.StackResourceSummaries ?? []) {
      ids.set(LogicalResourceId, PhysicalResourceId);
    }
  }
  client.destroy();
  return {
    physicalId: (logicalId) => ids.get(logicalId),
    outputs: { HttpApiUrl: outputs.HttpApiUrl ?? "" },
    others: {
      sqs: endpoints.AWS_ENDPOINT_URL_SQS,
      dynamodb: endpoints.AWS_ENDPOINT_URL_DYNAMODB,
      secretsmanager: endpoints.AWS_ENDPOINT_URL_SECRETS_MANAGER,
      lambda: endpoints.AWS_ENDPOINT_URL_LAMBDA,
      monitoring: endpoints.AWS_ENDPOINT_URL_CLOUDWATCH,
      logs: endpoints.AWS_ENDPOINT_URL_CLOUDWATCH_LOGS,
    },
  };
}

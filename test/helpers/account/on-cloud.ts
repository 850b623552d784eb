import { CloudFormationClient, paginateListStackResources } from "@aws-sdk/client-cloudformation";
import type { Cloud } from "../../../local/cloud/start-cloud.ts";
import { clientTo } from "../client-to.ts";
import type { AccountOptions } from "./account.ts";

/** Makes an account in which a deployed stack is what runs in a local cloud: its queues, tables, secrets, functions, address. */
export async function onCloud({ endpoints, outputs }: Cloud): Promise<AccountOptions> {
  const client = clientTo(endpoints.cloudFormation, 3)(CloudFormationClient);
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
      sqs: endpoints.sqs,
      dynamodb: endpoints.dynamodb,
      secretsmanager: endpoints.secretsManager,
      lambda: endpoints.lambda,
      monitoring: endpoints.cloudWatch,
      logs: endpoints.cloudWatchLogs,
    },
  };
}

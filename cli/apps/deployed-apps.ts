import { CloudFormationClient, GetTemplateSummaryCommand } from "@aws-sdk/client-cloudformation";
import { readBuiltFor } from "../../build/built-for.ts";
import { parseJson } from "../../lib/base/json.ts";
import type { Target } from "../target/target.ts";

/**
 * Gives the apps that a stage's functions serve since they were deployed last, as the stack's template tells; undefined where it
 * does not. The stage must be deployed.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_GetTemplateSummary.html
 */
export async function readDeployedApps({
  client: makeClient,
  stackName,
}: Pick<Target, "client" | "stackName">): Promise<readonly string[] | undefined> {
  const client = makeClient(CloudFormationClient, "CLOUDFORMATION");
  try {
    const { Metadata = "" } = await client.send(new GetTemplateSummaryCommand({ StackName: stackName }));
    return readBuiltFor(parseJson(Metadata))?.appIds;
  } finally {
    client.destroy();
  }
}

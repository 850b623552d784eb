import { CloudFormationClient, GetTemplateSummaryCommand } from "@aws-sdk/client-cloudformation";
import { readBuiltFor } from "../../build/built-for.ts";
import { parseJson } from "../../lib/base/json.ts";
import type { Target } from "../target/target.ts";

/**
 * Reads the deployed stack's template; undefined if it does not say. The stage must be deployed.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_GetTemplateSummary.html
 */
export async function readDeployedApps({
  client: makeClient,
  stackName,
}: Pick<Target, "client" | "stackName">): Promise<readonly string[] | undefined> {
  const client = makeClient(CloudFormationClient, "CLOUDFORMATION");
  const { Metadata = "" } = await client.send(new GetTemplateSummaryCommand({ StackName: stackName }));
  return readBuiltFor(parseJson(Metadata))?.appIds;
}

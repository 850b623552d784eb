import { CloudFormationClient, DescribeChangeSetCommand } from "@aws-sdk/client-cloudformation";
import { expect, it } from "vitest";
import { makeChangeSet } from "../../../cli/deploy/deployments.ts";

it("stops waiting for a change set when interrupted", async () => {
  const interruption = new AbortController();
  const cloudFormation = new CloudFormationClient({ region: "eu-central-1" });
  const answers = ["CREATE_PENDING", "CREATE_IN_PROGRESS", "CREATE_COMPLETE"];
  cloudFormation.send = async (command: unknown) =>
    command instanceof DescribeChangeSetCommand ? { Status: answers.shift(), Changes: [] } : {};
  const edges = { sleep: async () => interruption.abort(), signal: interruption.signal };

  const made = makeChangeSet(cloudFormation, edges, { StackName: "s", ChangeSetName: "c" });

  await expect(made).rejects.toMatchObject({ name: "AbortError" });
});

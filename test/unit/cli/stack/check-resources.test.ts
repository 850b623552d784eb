import {
  CloudFormationClient,
  DescribeStackDriftDetectionStatusCommand,
  DescribeStackResourceDriftsCommand,
  DetectStackDriftCommand,
} from "@aws-sdk/client-cloudformation";
import { expect, it } from "vitest";
import { checkResources } from "../../../../cli/doctor/check-aws.ts";
import { remediesFor } from "../../../../lib/operate/doctor/remedies.ts";

it.each([
  ["is disabled", ["/State"], "DoctorRule was changed outside of deployments: /State."],
  [
    "has other differences",
    ["/Targets"],
    "Functions, their roles, queues' mappings and alarms are as deployed.",
  ],
])("says what was changed by hand of a rule that %s", async (_case, paths, says) => {
  const drift = {
    LogicalResourceId: "DoctorRule",
    PropertyDifferences: paths.map((PropertyPath) => ({ PropertyPath })),
  };
  const send = async (command: object) => {
    if (command instanceof DetectStackDriftCommand) return { StackDriftDetectionId: "1" };
    if (command instanceof DescribeStackDriftDetectionStatusCommand)
      return { DetectionStatus: "DETECTION_COMPLETE" };
    if (command instanceof DescribeStackResourceDriftsCommand) return { StackResourceDrifts: [drift] };
    return { TemplateBody: JSON.stringify({ Resources: {} }) };
  };
  const cloudFormation = Object.assign(Object.create(CloudFormationClient.prototype), { send });
  const stack = {
    name: "stack",
    resources: new Map([["DoctorRule", { type: "AWS::Events::Rule", physicalId: "rule" }]]),
  };
  const edges = { sleep: async () => {}, signal: new AbortController().signal };

  const found = await checkResources(
    { kind: "stage", callAws: async () => ({}), cloudFormation },
    stack,
    edges,
    remediesFor("--stage prod"),
  );

  expect(found.map((one) => one.says)).toEqual([says]);
});

import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { describe, expect, it } from "vitest";
import { readChangedInLambda } from "../../../../cli/stack/changed-in-lambda.ts";
import type { AwsCall } from "../../../../lib/aws/aws-call.ts";

const mapping = {
  EventSourceArn: { "Fn::GetAtt": ["Queue", "Arn"] },
  FunctionName: { Ref: "Live" },
  Enabled: true,
  BatchSize: 10,
  MaximumBatchingWindowInSeconds: 1,
  FunctionResponseTypes: ["ReportBatchItemFailures"],
  ScalingConfig: { MaximumConcurrency: 2 },
};
const asDeployed = { ...mapping, EventSourceArn: "arn:aws:sqs:q", FunctionArn: "arn", State: "Enabled" };

/** Returns the differences, and the calls that restore them. */
async function changed(type: string, Properties: object, actual: object) {
  const calls: unknown[] = [];
  const callAws = async ({ target, rest, input }: AwsCall) => {
    if (rest?.method !== "GET") calls.push([target.replace("Lambda.", ""), input]);
    return actual;
  };
  const template = { Resources: { Thing: { Type: type, Properties } } };
  const client = new CloudFormationClient({ region: "r" });
  client.middlewareStack.add(
    () => async () => ({ response: {}, output: { TemplateBody: JSON.stringify(template) } }) as never,
    {
      step: "initialize",
    },
  );
  const resources = new Map([["Thing", { type, physicalId: "id" }]]);
  const found = await readChangedInLambda(client, callAws, { name: "s", resources });
  for (const one of found) await one.restore?.();
  return [found.flatMap(({ differences }) => differences), calls];
}

describe("a change in Lambda", () => {
  it.each([
    ["nothing", {}, [], []],
    ["its state", { State: "Disabling" }, ["is disabled"], [{ Enabled: true }]],
    ["its batches", { BatchSize: 1 }, ["has the BatchSize 1, not 10"], [{ BatchSize: 10 }]],
    [
      "its window",
      { MaximumBatchingWindowInSeconds: 5 },
      ["has the MaximumBatchingWindowInSeconds 5, not 1"],
      [{ MaximumBatchingWindowInSeconds: 1 }],
    ],
    [
      "its response types",
      { FunctionResponseTypes: null },
      ['has the FunctionResponseTypes null, not ["ReportBatchItemFailures"]'],
      [{ FunctionResponseTypes: ["ReportBatchItemFailures"] }],
    ],
    [
      "a filter, which the template does not set",
      { FilterCriteria: { Filters: [{ Pattern: "{}" }] } },
      ['has the FilterCriteria {"Filters":[{"Pattern":"{}"}]}, not {}'],
      [{ FilterCriteria: {} }],
    ],
    ["an empty filter", { FilterCriteria: { Filters: [] } }, [], []],
    [
      "its concurrency",
      { ScalingConfig: {} },
      ["runs any number of batches at once, not 2"],
      [{ ScalingConfig: { MaximumConcurrency: 2 } }],
    ],
  ])("is found in a mapping, and restored: %s", async (_what, change, differences, inputs) => {
    const found = await changed("AWS::Lambda::EventSourceMapping", mapping, { ...asDeployed, ...change });

    expect(found).toEqual([differences, inputs.map((input) => ["UpdateEventSourceMapping", input])]);
  });

  it.each([
    [undefined, undefined, [], []],
    [
      undefined,
      0,
      ["has a reserved concurrency of 0, not none: it never runs"],
      [["DeleteFunctionConcurrency", {}]],
    ],
    [
      5,
      undefined,
      ["has a reserved concurrency of none, not 5"],
      [["PutFunctionConcurrency", { ReservedConcurrentExecutions: 5 }]],
    ],
    [5, 5, [], []],
  ])("is found in a function: deployed with %s, has %s", async (deployed, actual, ...expected) => {
    const found = await changed(
      "AWS::Lambda::Function",
      deployed === undefined ? {} : { ReservedConcurrentExecutions: deployed },
      { ReservedConcurrentExecutions: actual },
    );

    expect(found).toEqual(expected);
  });
});

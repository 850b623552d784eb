import type { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import * as z from "zod/mini";
import type { AwsCaller } from "../../lib/aws/aws-call.ts";
import { unlessNotFound } from "../../lib/aws/is-not-found.ts";
import type { Stack } from "../target/stack.ts";
import { parseTemplate, readTemplate } from "./template.ts";

const scalingSchema = z.object({ MaximumConcurrency: z.optional(z.number()) });
const deployedSchema = z.object({
  Enabled: z._default(z.boolean(), true),
  ScalingConfig: z.optional(scalingSchema),
});
const actualSchema = z.object({
  State: z.string(),
  ScalingConfig: z.optional(z.nullable(scalingSchema)),
});

export const mappingType = "AWS::Lambda::EventSourceMapping";

/** A function's event source mapping that is not as it was deployed. */
interface ChangedMapping {
  readonly logicalId: string;
  readonly uuid: string;
  /** Such as `is disabled`. */
  readonly differences: readonly string[];
  readonly deployed: z.infer<typeof deployedSchema>;
}

/**
 * CloudFormation's drift detection does not know these
 * (https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/2260), and a deployment does not
 * revert what was changed outside of it. Changes nothing.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_GetEventSourceMapping.html
 */
export async function readChangedMappings(
  cloudFormation: CloudFormationClient,
  callAws: AwsCaller,
  { name, resources }: Pick<Stack, "name" | "resources">,
): Promise<readonly ChangedMapping[]> {
  const template = parseTemplate(await readTemplate(cloudFormation, name));
  const changed: ChangedMapping[] = [];
  for (const [logicalId, { type, physicalId: uuid }] of resources) {
    if (type !== mappingType) continue;
    const deployed = deployedSchema.parse(template.Resources[logicalId]?.Properties ?? {});
    const actual = await unlessNotFound(callMapping(callAws, "GET", uuid));
    const differences = actual === undefined ? ["is deleted"] : differ(deployed, actual);
    if (differences.length > 0) changed.push({ logicalId, uuid, differences, deployed });
  }
  return changed;
}

/**
 * May be repeated.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_UpdateEventSourceMapping.html
 * @throws AwsCallError, also if it is deleted
 */
export async function restoreMapping(callAws: AwsCaller, { uuid, deployed }: ChangedMapping): Promise<void> {
  // An empty ScalingConfig removes the limit.
  await callMapping(callAws, "PUT", uuid, { ScalingConfig: {}, ...deployed });
}

function callMapping(callAws: AwsCaller, method: "GET" | "PUT", uuid: string, input = {}): Promise<unknown> {
  return callAws({
    service: "lambda",
    target: `Lambda.${method === "GET" ? "Get" : "Update"}EventSourceMapping`,
    input,
    rest: { method, path: `/2015-03-31/event-source-mappings/${encodeURIComponent(uuid)}` },
  });
}

function differ(
  { Enabled, ScalingConfig }: z.infer<typeof deployedSchema>,
  answer: unknown,
): readonly string[] {
  const actual = actualSchema.parse(answer);
  const isEnabled = !/^Disabl/.test(actual.State);
  const [most, wanted] = [actual.ScalingConfig, ScalingConfig].map(
    (one) => one?.MaximumConcurrency ?? "any number of",
  );
  return [
    ...(isEnabled === Enabled ? [] : [isEnabled ? "is enabled" : "is disabled"]),
    ...(most === wanted ? [] : [`runs ${most} batches at once, not ${wanted}`]),
  ];
}

import {
  CreateChangeSetCommand,
  type CreateChangeSetCommandInput,
  DeleteChangeSetCommand,
  DescribeChangeSetCommand,
  paginateDescribeChangeSet,
} from "@aws-sdk/client-cloudformation";
import { DeleteObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { CliError } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import { type ResourceChange, toResourceChanges } from "../stack/changes.ts";
import type { DeployedPackages } from "./deployments.ts";

/**
 * Cleans up and does not change the stack. May be repeated; if interrupted, leaves an unexecuted change set.
 * Undefined if the template equals the stack's. Outputs may differ without a change of a resource.
 * @param template Its text, or its key in the deployment bucket.
 * @param tags Those that the framework gives to the stack. Default: the stack keeps its own.
 * @throws CliError if CloudFormation refuses the template
 * @see
 *   https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-updating-stacks-changesets.html
 */
export async function previewChanges(
  ground: WorkContext,
  { s3, bucket, prefix }: DeployedPackages,
  template: { readonly text: string } | { readonly key: string },
  tags?: Readonly<Record<string, string>>,
): Promise<readonly ResourceChange[] | undefined> {
  const { target, edges } = ground;
  const { region, stackName: StackName, cloudFormation } = target;
  const token = edges.token();
  const Key = "key" in template ? template.key : `${prefix}preview/${token}.json`;
  const changeSet = { StackName, ChangeSetName: `preview-${token}` };
  try {
    if ("text" in template) {
      await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: template.text }));
    }
    return await makeChangeSet(ground, {
      ...changeSet,
      TemplateURL: `https://s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}/${bucket}/${Key}`,
      ImportExistingResources: true,
      Tags: tags && Object.entries(tags).map(([name, Value]) => ({ Key: name, Value })),
    });
  } finally {
    // A change set that stays is harmless.
    await cloudFormation.send(new DeleteChangeSetCommand(changeSet)).catch(() => undefined);
    if ("text" in template) {
      await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key })).catch(() => undefined);
    }
  }
}

const everyMs = 1_000;

/**
 * Creates a change set and returns its changes; undefined if there are none.
 * @throws CliError if CloudFormation refuses the template
 */
export async function makeChangeSet(
  { target: { cloudFormation: client }, edges }: WorkContext,
  input: CreateChangeSetCommandInput,
): Promise<readonly ResourceChange[] | undefined> {
  await client.send(
    new CreateChangeSetCommand({ ...input, Capabilities: ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM"] }),
  );
  const { StackName, ChangeSetName } = input;
  for (;;) {
    const { Status = "", StatusReason = "" } = await client.send(
      new DescribeChangeSetCommand({ StackName, ChangeSetName }),
    );
    if (!/_(PENDING|IN_PROGRESS)$/.test(Status)) {
      if (Status !== "FAILED") break;
      if (/didn't contain changes|No updates are to be performed/.test(StatusReason)) return undefined;
      throw new CliError(
        "refused",
        "TEMPLATE_REFUSED",
        `CloudFormation refuses the template for ${StackName}: ${StatusReason}`,
        "Nothing was changed. Fix the cause, and deploy again.",
      );
    }
    await edges.sleep(everyMs);
  }
  const changes: ResourceChange[] = [];
  for await (const page of paginateDescribeChangeSet({ client }, { StackName, ChangeSetName })) {
    changes.push(...toResourceChanges(page.Changes ?? []));
  }
  return changes;
}

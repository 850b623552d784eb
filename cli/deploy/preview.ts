import {
  type Change,
  type CloudFormationClient,
  CreateChangeSetCommand,
  DeleteChangeSetCommand,
  DescribeChangeSetCommand,
} from "@aws-sdk/client-cloudformation";
import { DeleteObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { CliError } from "../cli-error.ts";
import { type ResourceChange, toResourceChanges } from "../stack/changes.ts";
import type { DeployGround } from "./deploy-ground.ts";

export interface PreviewOptions {
  readonly stackId: string;
  /** Its text, or its key in the deployment bucket. */
  readonly template: { readonly text: string } | { readonly key: string };
  readonly bucket: string;
  /** Of the stage's objects in the bucket. */
  readonly prefix: string;
  /** Those that the framework gives to the stack. Default: the stack keeps its own. */
  readonly tags?: Readonly<Record<string, string>>;
}

export interface Preview {
  /** False if the template equals the stack's. Outputs may differ without a change of a resource. */
  readonly differs: boolean;
  readonly changes: readonly ResourceChange[];
}

const everyMs = 1_000;

/**
 * Cleans up and does not change the stack. May be repeated; if interrupted, leaves an unexecuted change set.
 * @throws CliError if CloudFormation refuses the template
 * @see
 *   https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-updating-stacks-changesets.html
 */
export async function previewChanges(
  { cloudFormation, s3, target: { region }, edges }: DeployGround,
  { stackId, template, bucket, prefix, tags }: PreviewOptions,
): Promise<Preview> {
  const token = edges.token();
  const key = "key" in template ? template.key : `${prefix}preview/${token}.json`;
  const changeSet = { StackName: stackId, ChangeSetName: `preview-${token}` };
  try {
    if ("text" in template) {
      await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: template.text }));
    }
    await cloudFormation.send(
      new CreateChangeSetCommand({
        ...changeSet,
        TemplateURL: `https://s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}/${bucket}/${key}`,
        Capabilities: ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM"],
        ImportExistingResources: true,
        Tags: tags && Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
      }),
    );
    const changes = await readChanges(cloudFormation, changeSet, edges.sleep);
    return { differs: changes !== undefined, changes: toResourceChanges(changes ?? []) };
  } finally {
    // A change set that stays is harmless.
    await cloudFormation.send(new DeleteChangeSetCommand(changeSet)).catch(() => undefined);
    if ("text" in template) {
      await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: key })).catch(() => undefined);
    }
  }
}

export async function readChanges(
  client: CloudFormationClient,
  changeSet: { readonly StackName: string; readonly ChangeSetName: string },
  sleep: (ms: number) => Promise<void>,
): Promise<readonly Change[] | undefined> {
  const changes: Change[] = [];
  let token: string | undefined;
  for (;;) {
    const page = await client.send(new DescribeChangeSetCommand({ ...changeSet, NextToken: token }));
    const { Status: status = "", StatusReason: reason = "" } = page;
    if (status.endsWith("_PENDING") || status.endsWith("_IN_PROGRESS")) {
      await sleep(everyMs);
      continue;
    }
    if (status === "FAILED") {
      if (/didn't contain changes|No updates are to be performed/.test(reason)) return undefined;
      throw new CliError(
        "refused",
        "TEMPLATE_REFUSED",
        `CloudFormation refuses the template for ${changeSet.StackName}: ${reason}`,
        "Nothing was changed. Fix the cause, and deploy again.",
      );
    }
    changes.push(...(page.Changes ?? []));
    token = page.NextToken;
    if (token === undefined) return changes;
  }
}

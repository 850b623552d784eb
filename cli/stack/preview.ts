import {
  type Change,
  type CloudFormationClient,
  CreateChangeSetCommand,
  DeleteChangeSetCommand,
  DescribeChangeSetCommand,
} from "@aws-sdk/client-cloudformation";
import { DeleteObjectCommand, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { CliError } from "../cli-error.ts";
import { exitCodes } from "../exit-codes.ts";
import { type ResourceChange, toResourceChanges } from "./changes.ts";

export interface PreviewOptions {
  readonly stackId: string;
  /** The template itself, or its key in the deployment bucket. */
  readonly template: { readonly text: string } | { readonly key: string };
  readonly bucket: string;
  readonly region: string;
  /** A folder of the bucket for temporary objects. */
  readonly folder: string;
  /** Returns a unique text. */
  readonly token: string;
  readonly sleep: (ms: number) => Promise<void>;
}

export interface Preview {
  /** False if the template equals the stack's. Outputs may differ without a change of a resource. */
  readonly differs: boolean;
  readonly changes: readonly ResourceChange[];
}

const everyMs = 1_000;

/**
 * Asks CloudFormation what a template would change in a stack, and cleans up afterwards. Does not change the
 * stack. May be repeated; if interrupted, it leaves an unexecuted change set.
 * @throws CliError if CloudFormation refuses the template
 * @see
 *   https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-updating-stacks-changesets.html
 */
export async function previewChanges(
  cloudFormation: CloudFormationClient,
  s3: S3Client,
  { stackId, template, bucket, region, folder, token, sleep }: PreviewOptions,
): Promise<Preview> {
  const key = "key" in template ? template.key : `${folder}/${token}.json`;
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
      }),
    );
    const changes = await readChanges(cloudFormation, changeSet, sleep);
    return { differs: changes !== undefined, changes: toResourceChanges(changes ?? []) };
  } finally {
    // A change set that stays is harmless: a failed cleanup does not affect the answer.
    await cloudFormation.send(new DeleteChangeSetCommand(changeSet)).catch(() => undefined);
    if ("text" in template) {
      await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: key })).catch(() => undefined);
    }
  }
}

async function readChanges(
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
      throw new CliError(`CloudFormation refuses the template for ${changeSet.StackName}: ${reason}`, {
        code: "TEMPLATE_REFUSED",
        exitCode: exitCodes.refused,
        hint: "Nothing was changed. Fix the cause, and deploy again.",
      });
    }
    changes.push(...(page.Changes ?? []));
    token = page.NextToken;
    if (token === undefined) return changes;
  }
}

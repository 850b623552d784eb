import {
  type CloudFormationClient,
  CreateChangeSetCommand,
  type CreateChangeSetCommandInput,
  DeleteChangeSetCommand,
  DescribeChangeSetCommand,
  paginateDescribeChangeSet,
} from "@aws-sdk/client-cloudformation";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from "@aws-sdk/client-s3";
import * as z from "zod/mini";
import { type BuiltFor, type FlowEvents, readBuiltFor, readFlowEvents } from "../../build/built-for.ts";
import { domainOf } from "../../lib/aws/aws-call.ts";
import { isRecord, parseJson } from "../../lib/base/json.ts";
import { refused } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import type { CliEdges } from "../edges.ts";
import type { Output } from "../output.ts";
import { parseTemplate, readTemplate, toAscii, toResourceChanges } from "../stack/changes.ts";
import type { Deployment } from "./choose-deployment.ts";

export const bucketId = "ServerlessDeploymentBucket";

export type DeployedPackages = NonNullable<Awaited<ReturnType<typeof findPackages>>>;

/** @returns undefined if the stack has no bucket @throws CliError if there is no stack */
export async function findPackages({ target }: WorkContext) {
  const { name, resources } = await target.rereadStack();
  const bucket = resources.get(bucketId)?.physicalId;
  if (bucket === undefined) return undefined;
  const template = await readTemplate(target.cloudFormation, name);
  const prefix = `serverless/${target.service}/${target.stage}/`;
  const live = directoryOfTemplate(template, prefix);
  return { s3: target.client(S3Client, "S3"), bucket, prefix, template, live };
}

export function directoryOfTemplate(template: string, prefix: string): string | undefined {
  const functions = Object.values(parseTemplate(template).Resources).filter(
    ({ Type }) => Type === "AWS::Lambda::Function",
  );
  const keys = functions.map(({ Properties: { Code } = {} }) => String(isRecord(Code) ? Code.S3Key : ""));
  return keys
    .find((key) => key.startsWith(prefix))
    ?.slice(prefix.length)
    .split("/")[0];
}

/** Lists the newest first. May be repeated. */
export async function listDeployments(packages: DeployedPackages) {
  const { s3, bucket, prefix } = packages;
  const pages = paginateListObjectsV2({ client: s3 }, { Bucket: bucket, Prefix: prefix });
  const objects = (await Array.fromAsync(pages)).flatMap(({ Contents = [] }) => Contents);
  const names = objects.map(({ Key = "" }) => Key.slice(prefix.length));
  const directories = names.flatMap((name) => templateForm.exec(name)?.[1] ?? []).toSorted();
  const deployments = directories.toReversed().map(async (directory) => {
    const name = noteName(directory);
    const note = names.includes(name) ? await readObject(packages, prefix + name) : "";
    return { directory, liveAt: undefined, ...noteSchema.safeParse(parseJson(note)).data };
  });
  return Promise.all(deployments);
}

const templateName = "compiled-cloudformation-template.json";
const templateForm = new RegExp(`^(\\d+-\\d{4}-\\d{2}-\\d{2}T[^/]*)/${templateName}$`);

export function templateKeyOf({ prefix }: DeployedPackages, directory: string): string {
  return `${prefix}${directory}/${templateName}`;
}

/** Records the running package: others may have failed. May be repeated. */
export async function noteWhatRuns(
  context: WorkContext,
  since: Date,
  leftBy?: Deployment["leftBy"],
): Promise<void> {
  const packages = await findPackages(context);
  if (packages?.live === undefined) return;
  const { s3, bucket, prefix, live } = packages;
  const Body = JSON.stringify({ liveAt: since.toISOString(), leftBy });
  await s3.send(new PutObjectCommand({ Bucket: bucket, Key: prefix + noteName(live), Body }));
}

// Below the framework's prefix, so that its removal also deletes the notes; outside packages' directories,
// whose content it compares.
function noteName(directory: string) {
  return `live/${directory}.json`;
}

const noteSchema = z.object({
  liveAt: z.string(),
  leftBy: z.optional(z.enum(["deployment", "rollback"])),
});

export async function readObject({ s3, bucket }: DeployedPackages, Key: string): Promise<string> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
  return (await Body?.transformToString()) ?? "";
}

/** Warns of none if one of them lists no apps: another checkout may lack an app that a colleague added. */
export function warnAppsLost(
  template: string,
  to: BuiltFor | undefined,
  out: Pick<Output, "note">,
): readonly string[] {
  const before = builtForOf(template)?.appIds ?? [];
  const lost = to === undefined ? [] : before.filter((appId) => !to.appIds.includes(appId));
  if (lost.length > 0) {
    out.note(`no longer serves: ${lost.join(", ")}, whose deliveries are refused from then on`);
  }
  return lost;
}

export function builtForOf(template: string): BuiltFor | undefined {
  return readBuiltFor(parseTemplate(template).Metadata);
}

/**
 * Names flows that only the running package has, and the pauses that protect their starts: the alias
 * changes before what starts them (putFlowsFirst in build/service-plugin.ts).
 */
export function noteFlowsLost(running: string, template: string, out: Pick<Output, "note">): void {
  const [before, after] = [running, toAscii(template)].map(flowEventsOf);
  if (before === undefined || after === undefined) return;
  const lost = Object.keys(before).filter((flow) => !Object.hasOwn(after, flow));
  if (lost.length === 0) return;
  const { appIds = [] } = builtForOf(running) ?? {};
  const pauses = appIds.map((appId) => `\nnpx cometchat-functions pause app:${appId}`);
  out.note(
    `no longer has the flows: ${lost.join(", ")}. While the change lasts, about a minute, each start of them fails for good. To let events wait meanwhile, pause first, and resume afterwards:${pauses.join("")}`,
  );
}

export function flowEventsOf(template: string): FlowEvents | undefined {
  return readFlowEvents(parseTemplate(template).Metadata);
}

/**
 * Changes the stack only by `execute`; if interrupted, leaves the change set. Returns undefined if the
 * template equals the stack's. Outputs may differ while no resource does.
 * @param template its text, or its key in the bucket
 * @param tags Default: the stack keeps its own
 * @throws CliError if CloudFormation refuses the template
 * @see
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-updating-stacks-changesets.html
 */
export async function previewChanges(
  context: WorkContext,
  { s3, bucket, prefix }: DeployedPackages,
  template: { readonly text: string } | { readonly key: string },
  tags?: Readonly<Record<string, string>>,
  execute?: (changeSet: { readonly StackName: string; readonly ChangeSetName: string }) => Promise<void>,
) {
  const { target, edges } = context;
  const { region, stackName: StackName, cloudFormation } = target;
  const token = edges.token();
  const Key = "key" in template ? template.key : `${prefix}preview/${token}.json`;
  const changeSet = { StackName, ChangeSetName: `preview-${token}` };
  try {
    if ("text" in template) {
      await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: template.text }));
    }
    const changes = await makeChangeSet(cloudFormation, edges, {
      ...changeSet,
      TemplateURL: `https://s3.${region}.${domainOf(region)}/${bucket}/${Key}`,
      ImportExistingResources: true,
      Tags: tags && Object.entries(tags).map(([name, Value]) => ({ Key: name, Value })),
    });
    if (changes !== undefined) await execute?.(changeSet);
    return changes;
  } finally {
    // A remaining change set is harmless.
    await cloudFormation.send(new DeleteChangeSetCommand(changeSet)).catch(() => undefined);
    if ("text" in template) {
      await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key })).catch(() => undefined);
    }
  }
}

const everyMs = 1_000;

/** @returns undefined without changes @throws CliError if CloudFormation refuses the template */
export async function makeChangeSet(
  client: CloudFormationClient,
  { sleep, signal }: Pick<CliEdges, "sleep" | "signal">,
  input: CreateChangeSetCommandInput,
) {
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
      throw refused(
        "TEMPLATE_REFUSED",
        `CloudFormation refuses the template for ${StackName}: ${StatusReason}`,
        "Nothing was changed. Fix the cause, and deploy again.",
      );
    }
    signal.throwIfAborted();
    await sleep(everyMs, signal);
  }
  const pages = await Array.fromAsync(paginateDescribeChangeSet({ client }, { StackName, ChangeSetName }));
  return pages.flatMap(({ Changes = [] }) => toResourceChanges(Changes));
}

import { DescribeStackResourceCommand, GetTemplateCommand } from "@aws-sdk/client-cloudformation";
import { GetObjectCommand, NoSuchKey, PutObjectCommand, paginateListObjectsV2 } from "@aws-sdk/client-s3";
import * as z from "zod/mini";
import { type BuiltFor, readBuiltFor } from "../../build/built-for.ts";
import { isRecord, parseJson } from "../../lib/base/json.ts";
import type { Output } from "../output.ts";
import { isMissing } from "../stack/stack-state.ts";
import type { DeployGround } from "./deploy-ground.ts";

export interface Deployment {
  /** The framework's name: milliseconds since 1970 and the time. */
  readonly directory: string;
  readonly packagedAtMs: number;
  /** When it last became the running package; undefined if not recorded. */
  readonly liveAtMs: number | undefined;
}

export interface DeployedPackages {
  readonly bucket: string;
  /** Of a stage's packages. */
  readonly prefix: string;
  readonly template: string;
  /** Of the running package; undefined if unknown. */
  readonly live: string | undefined;
}

const directoryForm = /^(\d+)-\d{4}-\d{2}-\d{2}T/;
const templateName = "compiled-cloudformation-template.json";

/**
 * Undefined if the stack has no bucket (any more).
 * @throws the client's errors
 */
export async function findPackages(
  { cloudFormation, target }: DeployGround,
  stackId: string,
): Promise<DeployedPackages | undefined> {
  const bucket = await findBucket(cloudFormation, stackId);
  if (bucket === undefined) return undefined;
  const template = await readLiveTemplate(cloudFormation, stackId);
  const service = target.stackName.slice(0, -(target.stage.length + 1));
  const prefix = `serverless/${service}/${target.stage}/`;
  return { bucket, prefix, template, live: directoryOfTemplate(template, prefix) };
}

/** @throws the client's errors */
export async function findBucket(
  client: DeployGround["cloudFormation"],
  StackName: string,
): Promise<string | undefined> {
  const LogicalResourceId = "ServerlessDeploymentBucket";
  try {
    const { StackResourceDetail: detail } = await client.send(
      new DescribeStackResourceCommand({ StackName, LogicalResourceId }),
    );
    return detail?.ResourceStatus === "DELETE_COMPLETE" ? undefined : detail?.PhysicalResourceId;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * May be repeated.
 * @throws the client's errors
 */
export async function readLiveTemplate(
  client: DeployGround["cloudFormation"],
  stackId: string,
): Promise<string> {
  const { TemplateBody = "" } = await client.send(new GetTemplateCommand({ StackName: stackId }));
  return TemplateBody;
}

/**
 * Newest first. May be repeated.
 * @throws the client's errors
 */
export async function listDeployments(
  s3: DeployGround["s3"],
  { bucket, prefix }: DeployedPackages,
): Promise<readonly Deployment[]> {
  const names = new Set<string>();
  for await (const page of paginateListObjectsV2({ client: s3 }, { Bucket: bucket, Prefix: prefix })) {
    for (const { Key = "" } of page.Contents ?? []) names.add(Key.slice(prefix.length));
  }
  const directories = [...names].flatMap((name) => {
    const [directory = "", file] = name.split("/");
    return directoryForm.test(directory) && file === templateName ? [directory] : [];
  });
  const deployments = await Promise.all(
    directories.map(async (directory) => ({
      directory,
      packagedAtMs: Number(directory.match(directoryForm)?.[1]),
      liveAtMs: names.has(noteName(directory))
        ? await readNote(s3, bucket, `${prefix}${noteName(directory)}`)
        : undefined,
    })),
  );
  return deployments.toSorted((one, other) => other.packagedAtMs - one.packagedAtMs);
}

export function templateKeyOf({ prefix }: DeployedPackages, directory: string): string {
  return `${prefix}${directory}/${templateName}`;
}

/**
 * Records the running package: the bucket also holds those of failed deployments. May be repeated.
 * @throws the client's errors
 */
export async function noteWhatRuns(ground: DeployGround): Promise<void> {
  const packages = await findPackages(ground, ground.target.stackName);
  if (packages?.live === undefined) return;
  const { bucket, prefix, live } = packages;
  const Body = JSON.stringify({ liveAt: new Date(ground.edges.now()).toISOString() });
  await ground.s3.send(new PutObjectCommand({ Bucket: bucket, Key: `${prefix}${noteName(live)}`, Body }));
}

// Below the framework's prefix, so that its removal deletes the notes too; in no package's directory, whose
// content it compares with what it would deploy.
function noteName(directory: string): string {
  return `live/${directory}.json`;
}

const noteSchema = z.object({ liveAt: z.string() });

async function readNote(s3: DeployGround["s3"], Bucket: string, Key: string): Promise<number | undefined> {
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    const note = noteSchema.safeParse(parseJson((await Body?.transformToString()) ?? ""));
    return note.success ? Date.parse(note.data.liveAt) : undefined;
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
}

const resourcesSchema = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      DeletionPolicy: z.optional(z.string()),
      Properties: z.optional(
        z.looseObject({ Code: z.optional(z.looseObject({ S3Key: z.optional(z.string()) })) }),
      ),
    }),
  ),
});

function resourcesOf(template: string) {
  return resourcesSchema.safeParse(parseJson(template)).data?.Resources ?? {};
}

/** By the location of the functions' code. */
export function directoryOfTemplate(template: string, prefix: string): string | undefined {
  for (const { Type, Properties } of Object.values(resourcesOf(template))) {
    const key = Type === "AWS::Lambda::Function" ? Properties?.Code?.S3Key : undefined;
    if (key?.startsWith(prefix)) return key.slice(prefix.length).split("/")[0];
  }
  return undefined;
}

/**
 * Resources that stay when their stack is deleted.
 * @see
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-deletionpolicy.html
 */
export function retainedIdsOf(template: string): ReadonlySet<string> {
  const kept = Object.entries(resourcesOf(template)).filter(([, { DeletionPolicy = "" }]) =>
    DeletionPolicy.startsWith("Retain"),
  );
  return new Set(kept.map(([id]) => id));
}

/** Of none if one of the two does not say: another checkout's list may lack an app that a colleague added. */
export function warnAppsLost(
  template: string,
  to: BuiltFor | undefined,
  out: Pick<Output, "note">,
): readonly string[] {
  const lost =
    to === undefined
      ? []
      : (builtForOf(template)?.appIds ?? []).filter((appId) => !to.appIds.includes(appId));
  if (lost.length > 0) {
    out.note(`no longer serves: ${lost.join(", ")}, whose deliveries are refused from then on`);
  }
  return lost;
}

export function builtForOf(template: string): BuiltFor | undefined {
  const parsed = parseJson(template);
  return isRecord(parsed) ? readBuiltFor(parsed.Metadata) : undefined;
}

import {
  type CloudFormationClient,
  DescribeStackResourceCommand,
  GetTemplateCommand,
} from "@aws-sdk/client-cloudformation";
import {
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import * as z from "zod/mini";
import { parseJson } from "../../lib/base/json.ts";

/** A package in the deployment bucket. */
export interface Deployment {
  /** The framework's name for it: milliseconds since 1970 and the time. */
  readonly directory: string;
  readonly packagedAtMs: number;
  /** When it last became the running package; undefined if that was never recorded. */
  readonly liveAtMs: number | undefined;
}

const directoryForm = /^(\d+)-\d{4}-\d{2}-\d{2}T/;
const templateName = "compiled-cloudformation-template.json";

/** The prefix of a stage's packages in the deployment bucket. */
export function deploymentPrefix({
  stackName,
  stage,
}: {
  readonly stackName: string;
  readonly stage: string;
}): string {
  const service = stackName.slice(0, -(stage.length + 1));
  return `serverless/${service}/${stage}/`;
}

/**
 * Returns the bucket of a stack's packages; undefined if the stack has none (any more).
 * @throws the client's errors
 */
export async function bucketOf(client: CloudFormationClient, stackId: string): Promise<string | undefined> {
  try {
    const { StackResourceDetail: detail } = await client.send(
      new DescribeStackResourceCommand({
        StackName: stackId,
        LogicalResourceId: "ServerlessDeploymentBucket",
      }),
    );
    return detail?.ResourceStatus === "DELETE_COMPLETE" ? undefined : detail?.PhysicalResourceId;
  } catch (error) {
    const isMissing =
      error instanceof Error && error.name === "ValidationError" && /does not exist/.test(error.message);
    if (isMissing) return undefined;
    throw error;
  }
}

/** Reads the deployed template of a stack. May be repeated. @throws the client's errors */
export async function readLiveTemplate(client: CloudFormationClient, stackId: string): Promise<string> {
  const { TemplateBody = "" } = await client.send(new GetTemplateCommand({ StackName: stackId }));
  return TemplateBody;
}

/**
 * Lists the packages that can be deployed again, newest first. May be repeated.
 * @throws the client's errors
 */
export async function listDeployments(
  s3: S3Client,
  bucket: string,
  prefix: string,
): Promise<readonly Deployment[]> {
  const keys = await listKeys(s3, bucket, prefix);
  const directories = keys.flatMap((key) => {
    const [directory = "", file] = key.slice(prefix.length).split("/");
    return directoryForm.test(directory) && file === templateName ? [directory] : [];
  });
  const noted = new Set(keys.map((key) => key.slice(prefix.length)));
  const deployments = await Promise.all(
    directories.map(async (directory) => ({
      directory,
      packagedAtMs: Number(directory.match(directoryForm)?.[1]),
      liveAtMs: noted.has(noteName(directory))
        ? await readNote(s3, bucket, `${prefix}${noteName(directory)}`)
        : undefined,
    })),
  );
  return deployments.toSorted((one, other) => other.packagedAtMs - one.packagedAtMs);
}

/** The key of a package's template in the bucket. */
export function templateKeyOf(prefix: string, directory: string): string {
  return `${prefix}${directory}/${templateName}`;
}

/**
 * Records that a package is the running one: the bucket also holds those of failed deployments and does not
 * distinguish them. May be repeated.
 * @throws the client's errors
 */
export async function noteDeployment(
  s3: S3Client,
  bucket: string,
  key: { readonly prefix: string; readonly directory: string },
  atMs: number,
): Promise<void> {
  const body = JSON.stringify({ liveAt: new Date(atMs).toISOString() });
  await s3.send(
    new PutObjectCommand({ Bucket: bucket, Key: `${key.prefix}${noteName(key.directory)}`, Body: body }),
  );
}

// Below the framework's prefix, so that the framework's removal deletes the notes too; in no package's
// directory, because the framework compares its content with what it would deploy.
function noteName(directory: string): string {
  return `live/${directory}.json`;
}

const noteSchema = z.object({ liveAt: z.string() });

async function readNote(s3: S3Client, bucket: string, key: string): Promise<number | undefined> {
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    const note = noteSchema.safeParse(parseJson((await Body?.transformToString()) ?? ""));
    return note.success ? Date.parse(note.data.liveAt) : undefined;
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
}

/** Lists all keys below a prefix. May be repeated. @throws the client's errors */
export async function listKeys(s3: S3Client, bucket: string, prefix: string): Promise<readonly string[]> {
  const keys: string[] = [];
  let token: string | undefined;
  do {
    const page = await s3.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token }),
    );
    keys.push(...(page.Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : [Key])));
    token = page.NextContinuationToken;
  } while (token !== undefined);
  return keys;
}

const liveTemplateSchema = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Properties: z.optional(
        z.looseObject({ Code: z.optional(z.looseObject({ S3Key: z.optional(z.string()) })) }),
      ),
    }),
  ),
});

/** Returns which package a template runs, by the location of its functions' code. */
export function directoryOfTemplate(template: string, prefix: string): string | undefined {
  const parsed = liveTemplateSchema.safeParse(parseJson(template));
  if (!parsed.success) return undefined;
  for (const { Type, Properties } of Object.values(parsed.data.Resources)) {
    const key = Type === "AWS::Lambda::Function" ? Properties?.Code?.S3Key : undefined;
    if (key?.startsWith(prefix)) return key.slice(prefix.length).split("/")[0];
  }
  return undefined;
}

import * as z from "zod/mini";
import { AwsCallError, type AwsCaller } from "../../aws/aws-call.ts";
import { isNotFound } from "../../aws/is-not-found.ts";
import { InvalidSecretError, parseSecret } from "../../aws/secrets/parse-secret.ts";
import { isRecord, parseJson } from "../../base/json.ts";
import type { StoredFields } from "./rotated-things.ts";
import { SecretChangedError } from "./rotation-error.ts";

export interface SecretVersion {
  readonly id: string;
  /** By Secrets Manager's clock, since 1970; undefined for a version without a value. */
  readonly createdAtMs: number | undefined;
  /** Undefined for a version without a value, as in Secrets Manager's own rotation. */
  readonly fields: StoredFields | undefined;
}

/** With the usual labels; one version may have several. */
export interface SecretState {
  readonly arn: string;
  readonly current: SecretVersion & { readonly fields: StoredFields };
  readonly pending: SecretVersion | undefined;
  readonly previous: SecretVersion | undefined;
}

/** Every method throws AwsCallError if Secrets Manager refuses or does not answer. */
export type SecretVersions = ReturnType<typeof createSecretVersions>;

/** Keeps a version until it gets its own label. */
const stagedLabel = "CHATNEXT";

/**
 * A label is moved only from where it was read, which Secrets Manager checks: this separates concurrent
 * rotations.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_UpdateSecretVersionStage.html
 */
export function createSecretVersions(callAws: AwsCaller, secretId: string) {
  const call: CallSecret = (operation, input) =>
    callAws({
      service: "secretsmanager",
      target: `secretsmanager.${operation}`,
      input: { SecretId: secretId, ...input },
    });
  const put = async (id: string, fields: StoredFields, label: string): Promise<void> => {
    const input = { ClientRequestToken: id, SecretString: JSON.stringify(fields), VersionStages: [label] };
    await call("PutSecretValue", input);
  };

  return {
    secretId,
    /** @throws InvalidSecretError if the current version is not a JSON object */
    read: async (): Promise<SecretState> => {
      const { arn, holderOf } = await describe(call);
      const [current, pending, previous] = await Promise.all(
        ["AWSCURRENT", "AWSPENDING", "AWSPREVIOUS"].map((label) =>
          readVersion(call, secretId, holderOf(label)),
        ),
      );
      if (current?.fields === undefined) {
        throw new InvalidSecretError(
          `Secret ${secretId} holds no JSON object as its current version. Fill it in first.`,
        );
      }
      return { arn, current: { ...current, fields: current.fields }, pending, previous };
    },
    /** Not read until it gets a label. May be repeated with the same id and fields. */
    stage: (id: string, fields: StoredFields) => put(id, fields, stagedLabel),
    /** Of the version that Secrets Manager created for its own rotation. May be repeated. */
    fill: (id: string, fields: StoredFields) => put(id, fields, "AWSPENDING"),
    /**
     * From none (`from` undefined) or to none. May be repeated.
     * @throws SecretChangedError if the label is elsewhere: of two concurrent calls, one succeeds
     */
    move: async (
      label: "AWSCURRENT" | "AWSPENDING",
      { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
    ): Promise<void> => {
      try {
        await call("UpdateSecretVersionStage", {
          VersionStage: label,
          ...(to !== undefined && { MoveToVersionId: to }),
          ...(from !== undefined && { RemoveFromVersionId: from }),
        });
      } catch (error) {
        if (!(error instanceof AwsCallError) || !/^Invalid(Parameter|Request)/.test(error.code)) throw error;
        // Also after a repeated call whose first response was lost.
        if ((await describe(call)).holderOf(label) === to) return;
        throw new SecretChangedError(
          `The label ${label} of secret ${secretId} was moved by another process.`,
        );
      }
    },
  };
}

type CallSecret = (operation: string, input: Readonly<Record<string, unknown>>) => Promise<unknown>;

async function describe(call: CallSecret) {
  const answer = describedSchema.parse(await call("DescribeSecret", {}));
  const holderOf = (label: string) =>
    Object.entries(answer.VersionIdsToStages ?? {}).find(([, labels]) => labels.includes(label))?.[0];
  return { arn: answer.ARN, holderOf };
}

async function readVersion(
  call: CallSecret,
  secretId: string,
  id: string | undefined,
): Promise<SecretVersion | undefined> {
  if (id === undefined) return undefined;
  try {
    const answer = valueSchema.parse(await call("GetSecretValue", { VersionId: id }));
    return {
      id,
      createdAtMs: answer.CreatedDate * 1_000,
      fields: readFields(secretId, answer.SecretString),
    };
  } catch (error) {
    if (isNotFound(error)) return { id, createdAtMs: undefined, fields: undefined };
    throw error;
  }
}

/** Undefined if it is no JSON object, such as a value being filled in. */
function readFields(secretId: string, value: string | undefined): StoredFields | undefined {
  const parsed = value === undefined ? undefined : parseJson(value);
  if (!isRecord(parsed)) return undefined;
  parseSecret(secretId, value); // hides its values in log lines
  return parsed;
}

const describedSchema = z.object({
  ARN: z.string(),
  VersionIdsToStages: z.optional(z.record(z.string(), z.array(z.string()))),
});

const valueSchema = z.object({ SecretString: z.optional(z.string()), CreatedDate: z.number() });

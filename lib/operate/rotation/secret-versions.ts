import * as z from "zod/mini";
import { AwsCallError, type AwsCaller, unlessNotFound } from "../../aws/aws-call.ts";
import { InvalidSecretError, parseSecret } from "../../aws/secrets/parse-secret.ts";
import { secretIdOf, webhookSecretIdOf } from "../../aws/secrets/read-secret-value.ts";
import { isRecord, parseJson } from "../../base/json.ts";
import { type RotatedCredential, SecretChangedError, type StoredFields } from "./rotated-credentials.ts";

export interface SecretVersion {
  readonly id: string;
  /** By Secrets Manager's clock, since 1970. Undefined without a value. */
  readonly createdAtMs: number | undefined;
  readonly fields: StoredFields | undefined;
}

export interface SecretState {
  readonly arn: string;
  readonly current: SecretVersion & { readonly fields: StoredFields };
  readonly pending: SecretVersion | undefined;
  readonly previous: SecretVersion | undefined;
  readonly isScheduled?: boolean;
}

/** Every method throws AwsCallError. */
type SecretVersions = ReturnType<typeof createSecretVersions>;

const notMoved = /^(Invalid(Parameter|Request)|NoTimeLeft)/;
/** Keeps an unlabelled version. */
const stagedLabel = "CHATNEXT";

/**
 * Separates concurrent rotations: Secrets Manager moves a label only from where it was read.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_UpdateSecretVersionStage.html
 */
export function createSecretVersions(callAws: AwsCaller, secretId: string) {
  const call = secretCaller(callAws, secretId);
  const put = async (id: string, fields: StoredFields, label: string): Promise<void> => {
    const input = { ClientRequestToken: id, SecretString: JSON.stringify(fields), VersionStages: [label] };
    await call("PutSecretValue", input);
  };

  return {
    secretId,
    read: async (): Promise<SecretState> => {
      const { arn, isScheduled, holderOf } = await describe(call);
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
      return { arn, current: { ...current, fields: current.fields }, pending, previous, isScheduled };
    },
    /** The version is not read until it gets a label. Repeatable with the same id and fields. */
    stage: (id: string, fields: StoredFields) => put(id, fields, stagedLabel),
    /** Fills a version of Secrets Manager's own rotation. Repeatable. */
    fill: (id: string, fields: StoredFields) => put(id, fields, "AWSPENDING"),
    /**
     * Moves a label from none (`from` undefined) or to none. Repeatable.
     * @throws SecretChangedError if the label is elsewhere: of two concurrent calls, one succeeds
     */
    move: async (
      label: "AWSCURRENT" | "AWSPENDING",
      { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
      deadlineMs?: number,
    ): Promise<void> => {
      try {
        const move = { MoveToVersionId: to, RemoveFromVersionId: from };
        await call("UpdateSecretVersionStage", { VersionStage: label, ...move }, deadlineMs);
      } catch (error) {
        if (!(error instanceof AwsCallError) || !notMoved.test(error.code)) throw error;
        // Covers a repeated call whose first response was lost.
        if ((await describe(call)).holderOf(label) === to) return;
        throw new SecretChangedError(
          `The label ${label} of secret ${secretId} was moved by another process.`,
        );
      }
    },
  };
}

type CallSecret = (operation: string, input?: object, deadlineMs?: number) => Promise<unknown>;

export function secretCaller(callAws: AwsCaller, SecretId: string): CallSecret {
  return (operation, input = {}, deadlineMs) =>
    callAws({
      service: "secretsmanager",
      target: `secretsmanager.${operation}`,
      input: { SecretId, ...input },
      deadlineMs,
    });
}

async function describe(call: CallSecret) {
  const answer = describedSchema.parse(await call("DescribeSecret"));
  const holderOf = (label: string) =>
    Object.entries(answer.VersionIdsToStages ?? {}).find(([, labels]) => labels.includes(label))?.[0];
  return { arn: answer.ARN, isScheduled: answer.RotationEnabled === true, holderOf };
}

async function readVersion(call: CallSecret, secretId: string, id: string | undefined) {
  if (id === undefined) return undefined;
  const answer = await unlessNotFound(call("GetSecretValue", { VersionId: id }));
  if (answer === undefined) return { id, createdAtMs: undefined, fields: undefined };
  const { CreatedDate, SecretString } = valueSchema.parse(answer);
  return { id, createdAtMs: CreatedDate * 1_000, fields: readFields(secretId, SecretString) };
}

function readFields(secretId: string, value: string | undefined): StoredFields | undefined {
  const parsed = value === undefined ? undefined : parseJson(value);
  if (!isRecord(parsed)) return undefined;
  parseSecret(secretId, value); // hides its values in log lines
  return parsed;
}

const describedSchema = z.object({
  ARN: z.string(),
  RotationEnabled: z.optional(z.boolean()),
  VersionIdsToStages: z.optional(z.record(z.string(), z.array(z.string()))),
});

const valueSchema = z.object({ SecretString: z.optional(z.string()), CreatedDate: z.number() });

export type RotatedSecret = Awaited<ReturnType<typeof openAppSecret>>;

/** @throws AwsCallError also if it is missing */
export async function openAppSecret(
  callAws: AwsCaller,
  secretPrefix: string,
  appId: string,
  credential: RotatedCredential,
) {
  const idOf = credential === "api-key" ? secretIdOf : webhookSecretIdOf;
  const secret = createSecretVersions(callAws, idOf(secretPrefix, appId));
  return { secret, state: await secret.read(), credential };
}

/** Called before each change on the platform, which ends at the deadline. */
export type Permit = () => Promise<{ readonly deadlineMs: number }>;

/** Repeatable, and may stop at any point. */
export interface CredentialRotation {
  /**
   * Makes a value or, unless one leaked, finds one that an earlier run created and did not store: a leaked
   * key can read all.
   */
  make(state: SecretState, versionId: string, isLeaked: boolean): Promise<string>;
  /** @throws RotationError if the pending value does not work */
  prove(pending: StoredFields): Promise<void>;
  /** Waits until no user of the value regularly uses the old one. */
  switchOver(fields: StoredFields, permit: Permit): Promise<void>;
  /** @param isLeaked also ends values that were just created and may be about to be stored */
  retire(replaced: string, current: StoredFields, isLeaked: boolean): Promise<void>;
  /**
   * Ends values that earlier runs created and did not store, once no run can be storing them. Returns whether
   * it did.
   */
  sweep?(state: SecretState): Promise<boolean>;
  /** Called before any change. @throws RotationError if the value does not work */
  readonly proveGiven?: ((current: StoredFields) => Promise<void>) | undefined;
  /** Decides immediately. `replaced`: an earlier run did, with the given value. Absent: never. */
  mustReplace?(state: SecretState, isLeaked: boolean): Promise<"replace" | "replaced" | "leave">;
  /** Returns true if the platform accepts no stored value. Absent: unknown. */
  isDead?(state: SecretState): Promise<boolean>;
}

export interface RotationTools {
  readonly credential: RotatedCredential;
  readonly secret: SecretVersions;
  readonly rotation: CredentialRotation;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Returns unique texts of 32 to 64 characters. */
  readonly newId: () => string;
  readonly report?: ((progress: RotationProgress) => void) | undefined;
}

/** @throws SecretChangedError if another process moved the label */
export async function putVersion(
  { secret, newId }: RotationTools,
  label: "AWSCURRENT" | "AWSPENDING",
  from: SecretVersion | undefined,
  fields: StoredFields,
  { id = newId(), deadlineMs }: { readonly id?: string; readonly deadlineMs?: number } = {},
): Promise<void> {
  await secret.stage(id, fields);
  await secret.move(label, { from: from?.id, to: id }, deadlineMs);
}

export type RotationProgress =
  | { readonly doing: "make" | "prove" | "switch" | "promote" | "keep" | "retire" | "replace" | "sweep" }
  | { readonly doing: "wait"; readonly untilMs: number };

export interface RotationWish {
  readonly overlapMs: number;
  /** An operator chose it: stored, for the run that continues. Default: false. */
  readonly isGiven?: boolean;
  readonly beginsNew?: boolean;
  /** Default: true. */
  readonly bringsIn?: boolean;
  /** Wait for its end, leave it to a later run, or end it now. Default: leave. */
  readonly overlap?: "wait" | "leave" | "end";
  /**
   * Begins a new rotation even inside an overlap, and ends all other values. Requires `overlap: "end"`.
   * Default: false.
   */
  readonly isLeaked?: boolean;
  /** May drop old values that only the previous version has. Default: false. */
  readonly pushesOut?: boolean;
}

import * as z from "zod/mini";
import { AwsError } from "./aws-error.ts";
import { type AwsOperation, defineOperation } from "./aws-operation.ts";
import type { Secret, SecretStore } from "./secret-store.ts";
import { findVersion, moveStage, putVersion } from "./secret-versions.ts";

/** @returns false if the function failed */
export type CallRotation = (lambdaArn: string, event: object) => Promise<boolean>;

interface Context {
  readonly store: SecretStore;
  readonly nowMs: number;
  readonly region: string;
  readonly callRotation?: CallRotation | undefined;
}

type Operation = AwsOperation<Context>;

const token = z.string().check(z.minLength(32), z.maxLength(64));
const stage = z.string().check(z.minLength(1), z.maxLength(256));
const ofSecret = { SecretId: z.string().check(z.minLength(1), z.maxLength(2048)) };
const text = z.string().check(z.maxLength(65_536));

const define = <Input>(schema: z.ZodMiniType<Input>, run: (input: Input, context: Context) => object) =>
  defineOperation("ValidationException", schema, run);

/** Defines an operation on a secret; refuses one marked for deletion. */
function onSecret<Input extends { SecretId: string }>(
  schema: z.ZodMiniType<Input>,
  run: (secret: Secret, input: Input, context: Context) => object,
): Operation {
  return define(schema, (input, context) => {
    const secret = context.store.get(input.SecretId);
    if (secret.deletedAtMs === undefined) return { ...identify(secret), ...run(secret, input, context) };
    throw invalidRequest(
      "You can't perform this operation on the secret because it was marked for deletion.",
    );
  });
}

function saving(run: Operation): Operation {
  return (input, context) => {
    const answer = run(input, context);
    context.store.save();
    return answer;
  };
}

const createSecret = define(
  z.object({
    Name: z.string().check(z.regex(/^[\w/+=.@-]{1,512}$/)),
    ClientRequestToken: token,
    Description: z.optional(z.string()),
    Tags: z._default(z.array(z.object({ Key: z.string(), Value: z.string() })), []),
    SecretString: z.optional(text),
  }),
  (input, { store, nowMs, region }) => {
    const { Name: name, ClientRequestToken: id, Description: description, Tags: tags } = input;
    const existing = store.find(name);
    const isRepeated = existing?.versions.some((version) => version.id === id);
    const secret =
      existing && isRepeated ? existing : store.add({ name, description, tags, createdAtMs: nowMs }, region);
    if (input.SecretString === undefined) return identify(secret);
    const value = { text: input.SecretString };
    putVersion(secret.versions, { id, createdAtMs: nowMs, stages: ["AWSCURRENT"], value });
    return { ...identify(secret), VersionId: id };
  },
);

const getSecretValue = onSecret(
  z.object({ ...ofSecret, VersionId: z.optional(token), VersionStage: z.optional(stage) }),
  (secret, { VersionId, VersionStage }) => {
    const version = findVersion(secret.versions, { id: VersionId, stage: VersionStage });
    return {
      VersionId: version.id,
      SecretString: version.value.text,
      VersionStages: version.stages,
      CreatedDate: version.createdAtMs / 1000,
    };
  },
);

const putSecretValue = onSecret(
  z.object({
    ...ofSecret,
    ClientRequestToken: token,
    VersionStages: z._default(z.array(stage).check(z.minLength(1), z.maxLength(20)), ["AWSCURRENT"]),
    SecretString: text,
  }),
  (secret, { ClientRequestToken: id, VersionStages, SecretString }, { nowMs }) => {
    const version = { id, createdAtMs: nowMs, stages: VersionStages, value: { text: SecretString } };
    putVersion(secret.versions, version);
    secret.changedAtMs = nowMs;
    return { VersionId: id, VersionStages: secret.versions.find((one) => one.id === id)?.stages };
  },
);

const updateSecretVersionStage = onSecret(
  z.object({
    ...ofSecret,
    VersionStage: stage,
    MoveToVersionId: z.optional(token),
    RemoveFromVersionId: z.optional(token),
  }),
  (secret, input, { nowMs }) => {
    const { VersionStage, MoveToVersionId: toId, RemoveFromVersionId: fromId } = input;
    moveStage(secret.versions, { stage: VersionStage, toId, fromId });
    secret.changedAtMs = nowMs;
    return {};
  },
);

const rotateSecret = onSecret(
  z.object({
    ...ofSecret,
    ClientRequestToken: token,
    RotationLambdaARN: z.optional(z.string()),
    RotationRules: z.optional(z.record(z.string(), z.unknown())),
    RotateImmediately: z._default(z.boolean(), true),
  }),
  (secret, input, context) => {
    const { ClientRequestToken, RotationLambdaARN: lambdaArn = secret.rotation?.lambdaArn } = input;
    if (lambdaArn === undefined) {
      throw invalidRequest("No Lambda rotation function ARN is associated with this secret.");
    }
    beginRotation(secret, { lambdaArn, id: ClientRequestToken, steps: stepsOf(input) }, context);
    secret.rotation = { lambdaArn, rules: input.RotationRules ?? secret.rotation?.rules ?? {} };
    return { VersionId: ClientRequestToken };
  },
);

const rotationSteps: readonly string[] = ["createSecret", "setSecret", "testSecret", "finishSecret"];

/** With `RotateImmediately: false`, only testSecret runs, as on AWS. */
function stepsOf({ RotateImmediately }: { readonly RotateImmediately: boolean }): readonly string[] {
  return RotateImmediately ? rotationSteps : ["testSecret"];
}

/**
 * Starts a rotation. A failing step ends it and leaves the pending label.
 * @throws AwsError if a rotation is in progress
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotateSecret.html
 */
function beginRotation(
  secret: Secret,
  { lambdaArn, id, steps }: { lambdaArn: string; id: string; steps: readonly string[] },
  { store, nowMs, callRotation }: Context,
) {
  const pending = secret.versions.find(({ stages }) => stages.includes("AWSPENDING"));
  if (pending?.id === id) return;
  if (pending !== undefined && !pending.stages.includes("AWSCURRENT")) {
    throw invalidRequest("A previous rotation isn't complete. That rotation will be reattempted.");
  }
  putVersion(secret.versions, { id, createdAtMs: nowMs, stages: ["AWSPENDING"], value: {} });
  const run = async () => {
    for (const Step of steps) {
      const call = { Step, SecretId: secret.arn, ClientRequestToken: id, RotationToken: id };
      if ((await callRotation?.(lambdaArn, call)) !== true) return;
    }
    if (steps === rotationSteps) secret.rotatedAtMs = nowMs;
    else moveStage(secret.versions, { stage: "AWSPENDING", fromId: id });
    store.save();
  };
  run().catch(() => {});
}

const cancelRotateSecret = onSecret(z.object(ofSecret), (secret) => {
  secret.rotation = undefined;
  return {};
});

const deletion = z.object({
  ...ofSecret,
  RecoveryWindowInDays: z._default(z.number().check(z.gte(7), z.lte(30)), 30),
  ForceDeleteWithoutRecovery: z._default(z.boolean(), false),
});

const markDeleted = onSecret(deletion, (secret, { RecoveryWindowInDays: days }, { nowMs }) => {
  const forgottenAtMs = nowMs + days * 86_400_000;
  Object.assign(secret, { deletedAtMs: nowMs, forgottenAtMs });
  return { DeletionDate: forgottenAtMs / 1000 };
});

/** Without recovery, succeeds also for a missing secret. */
const deleteSecret = define(deletion, (input, context) => {
  if (!input.ForceDeleteWithoutRecovery) return markDeleted(input, context);
  context.store.remove(input.SecretId);
  return { Name: input.SecretId, DeletionDate: context.nowMs / 1000 };
});

const restoreSecret = define(z.object(ofSecret), ({ SecretId }, { store }) => {
  const secret = store.get(SecretId);
  Object.assign(secret, { deletedAtMs: undefined, forgottenAtMs: undefined });
  return identify(secret);
});

/** @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_Operations.html */
export const operations: ReadonlyMap<string, Operation> = new Map([
  ["CreateSecret", saving(createSecret)],
  ["GetSecretValue", getSecretValue],
  ["PutSecretValue", saving(putSecretValue)],
  ["UpdateSecretVersionStage", saving(updateSecretVersionStage)],
  ["DescribeSecret", define(z.object(ofSecret), ({ SecretId }, { store }) => describe(store.get(SecretId)))],
  ["DeleteSecret", saving(deleteSecret)],
  ["RestoreSecret", saving(restoreSecret)],
  ["RotateSecret", saving(rotateSecret)],
  ["CancelRotateSecret", saving(cancelRotateSecret)],
]);

function identify({ arn, name }: Secret): { ARN: string; Name: string } {
  return { ARN: arn, Name: name };
}

function describe(secret: Secret): object {
  const { createdAtMs, changedAtMs, rotation, rotatedAtMs, deletedAtMs, versions } = secret;
  const seconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1000);
  const staged = versions.filter(({ stages }) => stages.length > 0);
  return {
    ...identify(secret),
    Description: secret.description,
    Tags: secret.tags,
    CreatedDate: seconds(createdAtMs),
    LastChangedDate: seconds(changedAtMs),
    LastRotatedDate: seconds(rotatedAtMs),
    DeletedDate: seconds(deletedAtMs),
    ...(rotation && {
      RotationEnabled: true,
      RotationLambdaARN: rotation.lambdaArn,
      RotationRules: rotation.rules,
    }),
    VersionIdsToStages: Object.fromEntries(staged.map(({ id, stages }) => [id, stages])),
  };
}

function invalidRequest(message: string): AwsError {
  return new AwsError("InvalidRequestException", message);
}

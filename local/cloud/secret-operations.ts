import * as z from "zod/mini";
import { AwsError } from "./aws-error.ts";
import { parseInput } from "./aws-operation.ts";
import { beginRotation, type CallRotation } from "./secret-rotation.ts";
import type { Secret, SecretStore } from "./secret-store.ts";
import { findVersion, moveStage, putVersion } from "./secret-versions.ts";

interface Context {
  readonly store: SecretStore;
  readonly nowMs: number;
  readonly region: string;
  /** Runs the function that rotates a secret. */
  readonly callRotation?: CallRotation | undefined;
}

type Operation = (input: unknown, context: Context) => object;

const token = z.string().check(z.minLength(32), z.maxLength(64));
const optionalToken = z.optional(token);
const stage = z.string().check(z.minLength(1), z.maxLength(256));
const ofSecret = { SecretId: z.string().check(z.minLength(1), z.maxLength(2048)) };
const text = z.string().check(z.maxLength(65_536));

function define<Input>(
  schema: z.ZodMiniType<Input>,
  run: (input: Input, context: Context) => object,
): Operation {
  return (input, context) => run(parseInput("ValidationException", schema, input), context);
}

/** Refuses one marked for deletion. With `saves`, the store is saved afterwards. */
function onSecret<Input extends { SecretId: string }>(
  schema: z.ZodMiniType<Input>,
  run: (secret: Secret, input: Input, context: Context) => object,
  { saves }: { saves: boolean },
): Operation {
  return define(schema, (input, context) => {
    const secret = context.store.get(input.SecretId);
    if (secret.deletedAtMs !== undefined) {
      throw invalidRequest(
        "You can't perform this operation on the secret because it was marked for deletion.",
      );
    }
    const answer = run(secret, input, context);
    if (saves) context.store.save();
    return { ...identify(secret), ...answer };
  });
}

const createSecret = define(
  z.object({
    Name: z.string().check(z.regex(/^[\w/+=.@-]{1,512}$/)),
    ClientRequestToken: optionalToken,
    Description: z.optional(z.string()),
    Tags: z.optional(z.array(z.object({ Key: z.string(), Value: z.string() }))),
    SecretString: z.optional(text),
  }),
  ({ Name, ClientRequestToken, SecretString, ...given }, { store, nowMs, region }) => {
    if (SecretString !== undefined && ClientRequestToken === undefined) throw missingToken();
    const version = ClientRequestToken !== undefined &&
      SecretString !== undefined && {
        ...{ id: ClientRequestToken, createdAtMs: nowMs, stages: ["AWSCURRENT"] },
        value: { text: SecretString },
      };
    const existing = store.find(Name);
    const isRepeated = version && existing?.versions.some(({ id }) => id === version.id);
    const secret = isRepeated && existing ? existing : store.add({ name: Name, region, createdAtMs: nowMs });
    if (!isRepeated) Object.assign(secret, { description: given.Description, tags: given.Tags ?? [] });
    if (version) putVersion(secret.versions, version);
    store.save();
    return { ...identify(secret), ...(version && { VersionId: version.id }) };
  },
);

const getSecretValue = onSecret(
  z.object({ ...ofSecret, VersionId: optionalToken, VersionStage: z.optional(stage) }),
  (secret, { VersionId, VersionStage }) => {
    const version = findVersion(secret.versions, { id: VersionId, stage: VersionStage });
    return {
      VersionId: version.id,
      SecretString: version.value.text,
      VersionStages: version.stages,
      CreatedDate: version.createdAtMs / 1000,
    };
  },
  { saves: false },
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
  { saves: true },
);

const updateSecretVersionStage = onSecret(
  z.object({
    ...ofSecret,
    VersionStage: stage,
    MoveToVersionId: optionalToken,
    RemoveFromVersionId: optionalToken,
  }),
  (secret, input, { nowMs }) => {
    const { VersionStage, MoveToVersionId: toId, RemoveFromVersionId: fromId } = input;
    moveStage(secret.versions, { stage: VersionStage, toId, fromId });
    secret.changedAtMs = nowMs;
    return {};
  },
  { saves: true },
);

/** @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_ListSecrets.html */
const listSecrets = define(
  z.object({
    Filters: z._default(z.array(z.object({ Key: z.literal("name"), Values: z.array(z.string()) })), []),
    IncludePlannedDeletion: z._default(z.boolean(), false),
    MaxResults: z._default(z.number().check(z.gte(1), z.lte(100)), 100),
    NextToken: z._default(z.coerce.number(), 0),
  }),
  ({ Filters, IncludePlannedDeletion, MaxResults, NextToken }, { store }) => {
    const found = store
      .list()
      .filter(
        ({ name, deletedAtMs }) =>
          (deletedAtMs === undefined || IncludePlannedDeletion) &&
          Filters.every(({ Values }) => Values.some((value) => name.startsWith(value))),
      );
    const next = NextToken + MaxResults;
    return {
      SecretList: found.slice(NextToken, next).map(describe),
      ...(next < found.length && { NextToken: String(next) }),
    };
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
  (secret, input, { store, nowMs, callRotation }) => {
    const { ClientRequestToken, RotationLambdaARN: lambdaArn = secret.rotation?.lambdaArn } = input;
    if (lambdaArn === undefined) {
      throw invalidRequest("No Lambda rotation function ARN is associated with this secret.");
    }
    beginRotation(secret, lambdaArn, {
      token: ClientRequestToken,
      nowMs,
      save: () => store.save(),
      callRotation,
      isImmediate: input.RotateImmediately,
    });
    secret.rotation = { lambdaArn, rules: input.RotationRules ?? secret.rotation?.rules ?? {} };
    return { VersionId: ClientRequestToken };
  },
  { saves: true },
);

const cancelRotateSecret = onSecret(
  z.object(ofSecret),
  (secret) => {
    secret.rotation = undefined;
    return {};
  },
  { saves: true },
);

const deleteSecret = define(
  z.object({
    ...ofSecret,
    RecoveryWindowInDays: z.optional(z.number().check(z.gte(7), z.lte(30))),
    ForceDeleteWithoutRecovery: z.optional(z.boolean()),
  }),
  (input, context) => {
    const { SecretId, RecoveryWindowInDays: days = 30, ForceDeleteWithoutRecovery: isForced } = input;
    const { store, nowMs } = context;
    if (!isForced) return markDeleted({ SecretId, days }, context);
    if (input.RecoveryWindowInDays !== undefined) {
      throw new AwsError(
        "InvalidParameterException",
        "You can't use ForceDeleteWithoutRecovery in conjunction with RecoveryWindowInDays.",
      );
    }
    const secret = store.find(SecretId);
    if (secret) store.remove(secret);
    store.save();
    return { ...(secret ? identify(secret) : { Name: SecretId }), DeletionDate: nowMs / 1000 };
  },
);

const markDeleted = onSecret(
  z.object({ ...ofSecret, days: z.number() }),
  (secret, { days }, { nowMs }) => {
    const forgottenAtMs = nowMs + days * 86_400_000;
    Object.assign(secret, { deletedAtMs: nowMs, forgottenAtMs });
    return { DeletionDate: forgottenAtMs / 1000 };
  },
  { saves: true },
);

const restoreSecret = define(z.object(ofSecret), ({ SecretId }, { store }) => {
  const secret = store.get(SecretId);
  Object.assign(secret, { deletedAtMs: undefined, forgottenAtMs: undefined });
  store.save();
  return identify(secret);
});

/** @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_Operations.html */
export const operations: ReadonlyMap<string, Operation> = new Map([
  ["CreateSecret", createSecret],
  ["GetSecretValue", getSecretValue],
  ["PutSecretValue", putSecretValue],
  ["UpdateSecretVersionStage", updateSecretVersionStage],
  ["DescribeSecret", define(z.object(ofSecret), ({ SecretId }, { store }) => describe(store.get(SecretId)))],
  ["ListSecrets", listSecrets],
  ["DeleteSecret", deleteSecret],
  ["RestoreSecret", restoreSecret],
  ["RotateSecret", rotateSecret],
  ["CancelRotateSecret", cancelRotateSecret],
]);

function identify({ arn, name }: Secret): { ARN: string; Name: string } {
  return { ARN: arn, Name: name };
}

function describe(secret: Secret): object {
  const { description, tags, createdAtMs, changedAtMs, rotation, rotatedAtMs, deletedAtMs, versions } =
    secret;
  const staged = versions.filter(({ stages }) => stages.length > 0);
  return {
    ...identify(secret),
    ...{ Description: description, Tags: tags },
    ...{ CreatedDate: createdAtMs / 1000, LastChangedDate: changedAtMs / 1000 },
    ...(rotation && {
      RotationEnabled: true,
      RotationLambdaARN: rotation.lambdaArn,
      RotationRules: rotation.rules,
    }),
    ...(rotatedAtMs !== undefined && { LastRotatedDate: rotatedAtMs / 1000 }),
    ...(deletedAtMs !== undefined && { DeletedDate: deletedAtMs / 1000 }),
    VersionIdsToStages: Object.fromEntries(staged.map(({ id, stages }) => [id, stages])),
  };
}

/** The SDKs fill the token in; a raw request has to bring one. */
function missingToken(): AwsError {
  return invalidRequest("You must provide a ClientRequestToken value. We recommend a UUID-type value.");
}

function invalidRequest(message: string): AwsError {
  return new AwsError("InvalidRequestException", message);
}

import * as z from "zod/mini";
import { listSecretsSchema, pageOfSecrets } from "./secret-listing.ts";
import { beginRotation, type CallRotation } from "./secret-rotation.ts";
import type { Secret, SecretStore } from "./secret-store.ts";
import { findVersion, moveStage, putVersion, type SecretValue } from "./secret-versions.ts";
import { SecretsManagerError } from "./secrets-manager-error.ts";

export interface OperationContext {
  readonly store: SecretStore;
  readonly nowMs: number;
  readonly region: string;
  /** Runs the function that rotates a secret. */
  readonly callRotation?: CallRotation | undefined;
}

type Operation = (input: unknown, context: OperationContext) => object;

/**
 * The operations of the service, from the parsed JSON input to the JSON output.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_Operations.html
 */
export const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ["CreateSecret", createSecret],
  ["GetSecretValue", getSecretValue],
  ["PutSecretValue", putSecretValue],
  ["UpdateSecret", updateSecret],
  ["UpdateSecretVersionStage", updateSecretVersionStage],
  ["DescribeSecret", describeSecret],
  ["ListSecretVersionIds", listSecretVersionIds],
  ["ListSecrets", listSecrets],
  ["DeleteSecret", deleteSecret],
  ["RestoreSecret", restoreSecret],
  ["RotateSecret", rotateSecret],
  ["CancelRotateSecret", cancelRotateSecret],
  ["TagResource", tagResource],
  ["UntagResource", untagResource],
]);

const secretIdSchema = z.string().check(z.minLength(1), z.maxLength(2048));
const tokenSchema = z.optional(z.string().check(z.minLength(32), z.maxLength(64)));
const stageSchema = z.string().check(z.minLength(1), z.maxLength(256));
const valueSchema = {
  SecretString: z.optional(z.string().check(z.maxLength(65_536))),
  SecretBinary: z.optional(z.string()),
};

function createSecret(input: unknown, { store, nowMs, region }: OperationContext): object {
  const schema = z.object({
    Name: z.string().check(z.regex(/^[\w/+=.@-]{1,512}$/)),
    ClientRequestToken: tokenSchema,
    Description: z.optional(z.string()),
    KmsKeyId: z.optional(z.string()),
    Tags: z.optional(z.array(z.object({ Key: z.string(), Value: z.string() }))),
    ...valueSchema,
  });
  const request = parse(schema, input);
  const value = readValue(request);
  const id = value && requireToken(request.ClientRequestToken);
  const repeated = store.has(request.Name) ? store.get(request.Name) : undefined;
  if (repeated && value && id !== undefined && repeated.versions.some((version) => version.id === id)) {
    putVersion(repeated.versions, { id, createdAtMs: nowMs, stages: [], value });
    return { ...identify(repeated), VersionId: id };
  }
  const secret = store.add({ name: request.Name, region, createdAtMs: nowMs });
  secret.description = request.Description;
  secret.kmsKeyId = request.KmsKeyId;
  secret.tags = request.Tags ?? [];
  if (value && id !== undefined) {
    putVersion(secret.versions, { id, createdAtMs: nowMs, stages: ["AWSCURRENT"], value });
  }
  store.save();
  return { ...identify(secret), ...(id !== undefined && { VersionId: id }) };
}

function getSecretValue(input: unknown, { store }: OperationContext): object {
  const schema = z.object({
    SecretId: secretIdSchema,
    VersionId: tokenSchema,
    VersionStage: z.optional(stageSchema),
  });
  const request = parse(schema, input);
  const secret = getLive(store, request.SecretId);
  const version = findVersion(secret.versions, { id: request.VersionId, stage: request.VersionStage });
  return {
    ...identify(secret),
    VersionId: version.id,
    SecretString: version.value.text,
    SecretBinary: version.value.base64,
    VersionStages: version.stages,
    CreatedDate: version.createdAtMs / 1000,
  };
}

function putSecretValue(input: unknown, { store, nowMs }: OperationContext): object {
  const schema = z.object({
    SecretId: secretIdSchema,
    ClientRequestToken: tokenSchema,
    VersionStages: z.optional(z.array(stageSchema).check(z.minLength(1), z.maxLength(20))),
    ...valueSchema,
  });
  const request = parse(schema, input);
  const value = readValue(request);
  if (!value)
    throw new SecretsManagerError(
      "InvalidRequestException",
      "You must provide either SecretString or SecretBinary.",
    );
  const id = requireToken(request.ClientRequestToken);
  const secret = getLive(store, request.SecretId);
  putVersion(secret.versions, {
    id,
    createdAtMs: nowMs,
    stages: request.VersionStages ?? ["AWSCURRENT"],
    value,
  });
  secret.changedAtMs = nowMs;
  store.save();
  const stages = secret.versions.find((version) => version.id === id)?.stages;
  return { ...identify(secret), VersionId: id, VersionStages: stages };
}

function updateSecret(input: unknown, { store, nowMs }: OperationContext): object {
  const schema = z.object({
    SecretId: secretIdSchema,
    ClientRequestToken: tokenSchema,
    Description: z.optional(z.string()),
    KmsKeyId: z.optional(z.string()),
    ...valueSchema,
  });
  const request = parse(schema, input);
  const value = readValue(request);
  const id = value && requireToken(request.ClientRequestToken);
  const secret = getLive(store, request.SecretId);
  if (value && id !== undefined) {
    putVersion(secret.versions, { id, createdAtMs: nowMs, stages: ["AWSCURRENT"], value });
  }
  secret.description = request.Description ?? secret.description;
  secret.kmsKeyId = request.KmsKeyId ?? secret.kmsKeyId;
  secret.changedAtMs = nowMs;
  store.save();
  return { ...identify(secret), ...(id !== undefined && { VersionId: id }) };
}

function updateSecretVersionStage(input: unknown, { store, nowMs }: OperationContext): object {
  const schema = z.object({
    SecretId: secretIdSchema,
    VersionStage: stageSchema,
    MoveToVersionId: tokenSchema,
    RemoveFromVersionId: tokenSchema,
  });
  const request = parse(schema, input);
  const secret = getLive(store, request.SecretId);
  moveStage(secret.versions, {
    stage: request.VersionStage,
    toId: request.MoveToVersionId,
    fromId: request.RemoveFromVersionId,
  });
  secret.changedAtMs = nowMs;
  store.save();
  return identify(secret);
}

function describeSecret(input: unknown, { store }: OperationContext): object {
  return describe(store.get(parse(z.object({ SecretId: secretIdSchema }), input).SecretId));
}

function listSecretVersionIds(input: unknown, { store }: OperationContext): object {
  const schema = z.object({ SecretId: secretIdSchema, IncludeDeprecated: z.optional(z.boolean()) });
  const request = parse(schema, input);
  const secret = store.get(request.SecretId);
  const listed = secret.versions.filter(({ stages }) => stages.length > 0 || request.IncludeDeprecated);
  return {
    ...identify(secret),
    Versions: listed.map(({ id, stages, createdAtMs }) => ({
      VersionId: id,
      VersionStages: stages,
      CreatedDate: createdAtMs / 1000,
    })),
  };
}

function listSecrets(input: unknown, { store }: OperationContext): object {
  const { page, nextToken } = pageOfSecrets(store.list(), parse(listSecretsSchema, input));
  return { SecretList: page.map(describe), ...(nextToken !== undefined && { NextToken: nextToken }) };
}

function rotateSecret(input: unknown, { store, nowMs, callRotation }: OperationContext): object {
  const schema = z.object({
    SecretId: secretIdSchema,
    ClientRequestToken: tokenSchema,
    RotationLambdaARN: z.optional(z.string()),
    RotationRules: z.optional(z.record(z.string(), z.unknown())),
    RotateImmediately: z._default(z.boolean(), true),
  });
  const request = parse(schema, input);
  const secret = getLive(store, request.SecretId);
  const token = requireToken(request.ClientRequestToken);
  const lambdaArn = request.RotationLambdaARN ?? secret.rotation?.lambdaArn;
  if (lambdaArn === undefined) {
    throw new SecretsManagerError(
      "InvalidRequestException",
      "No Lambda rotation function ARN is associated with this secret.",
    );
  }
  const start = {
    token,
    nowMs,
    save: () => store.save(),
    callRotation,
    isImmediate: request.RotateImmediately,
  };
  beginRotation(secret, lambdaArn, start);
  secret.rotation = { lambdaArn, rules: request.RotationRules ?? secret.rotation?.rules ?? {} };
  store.save();
  return { ...identify(secret), VersionId: token };
}

function cancelRotateSecret(input: unknown, { store }: OperationContext): object {
  const secret = getLive(store, parse(z.object({ SecretId: secretIdSchema }), input).SecretId);
  secret.rotation = undefined;
  store.save();
  return identify(secret);
}

function deleteSecret(input: unknown, { store, nowMs }: OperationContext): object {
  const schema = z.object({
    SecretId: secretIdSchema,
    RecoveryWindowInDays: z.optional(z.number().check(z.gte(7), z.lte(30))),
    ForceDeleteWithoutRecovery: z.optional(z.boolean()),
  });
  const request = parse(schema, input);
  if (request.ForceDeleteWithoutRecovery && !store.has(request.SecretId)) {
    return { Name: request.SecretId, DeletionDate: nowMs / 1000 };
  }
  if (request.ForceDeleteWithoutRecovery && request.RecoveryWindowInDays !== undefined) {
    throw new SecretsManagerError(
      "InvalidParameterException",
      "You can't use ForceDeleteWithoutRecovery in conjunction with RecoveryWindowInDays.",
    );
  }
  const secret = request.ForceDeleteWithoutRecovery
    ? store.get(request.SecretId)
    : getLive(store, request.SecretId);
  const windowDays = request.ForceDeleteWithoutRecovery ? 0 : (request.RecoveryWindowInDays ?? 30);
  const forgottenAtMs = nowMs + windowDays * 86_400_000;
  if (request.ForceDeleteWithoutRecovery) store.remove(secret);
  else Object.assign(secret, { deletedAtMs: nowMs, forgottenAtMs });
  store.save();
  return { ...identify(secret), DeletionDate: forgottenAtMs / 1000 };
}

function restoreSecret(input: unknown, { store }: OperationContext): object {
  const secret = store.get(parse(z.object({ SecretId: secretIdSchema }), input).SecretId);
  secret.deletedAtMs = undefined;
  secret.forgottenAtMs = undefined;
  store.save();
  return identify(secret);
}

const tagSchema = z.object({
  Key: z.string().check(z.minLength(1), z.maxLength(128)),
  Value: z.string().check(z.maxLength(256)),
});

function tagResource(input: unknown, { store }: OperationContext): object {
  const request = parse(z.object({ SecretId: secretIdSchema, Tags: z.array(tagSchema) }), input);
  const secret = getLive(store, request.SecretId);
  const isReplaced = (key: string) => request.Tags.some(({ Key }) => Key === key);
  secret.tags = [...secret.tags.filter(({ Key }) => !isReplaced(Key)), ...request.Tags];
  store.save();
  return {};
}

function untagResource(input: unknown, { store }: OperationContext): object {
  const request = parse(z.object({ SecretId: secretIdSchema, TagKeys: z.array(z.string()) }), input);
  const secret = getLive(store, request.SecretId);
  secret.tags = secret.tags.filter(({ Key }) => !request.TagKeys.includes(Key));
  store.save();
  return {};
}

function identify({ arn, name }: Secret): { ARN: string; Name: string } {
  return { ARN: arn, Name: name };
}

function describe(secret: Secret): object {
  const { deletedAtMs } = secret;
  return {
    ...identify(secret),
    Description: secret.description,
    KmsKeyId: secret.kmsKeyId,
    Tags: secret.tags,
    CreatedDate: secret.createdAtMs / 1000,
    LastChangedDate: secret.changedAtMs / 1000,
    ...(secret.rotation !== undefined && {
      RotationEnabled: true,
      RotationLambdaARN: secret.rotation.lambdaArn,
      RotationRules: secret.rotation.rules,
    }),
    ...(secret.rotatedAtMs !== undefined && { LastRotatedDate: secret.rotatedAtMs / 1000 }),
    ...(deletedAtMs !== undefined && { DeletedDate: deletedAtMs / 1000 }),
    VersionIdsToStages: Object.fromEntries(
      secret.versions.filter(({ stages }) => stages.length > 0).map(({ id, stages }) => [id, stages]),
    ),
  };
}

function getLive(store: SecretStore, secretId: string): Secret {
  const secret = store.get(secretId);
  if (secret.deletedAtMs === undefined) return secret;
  throw new SecretsManagerError(
    "InvalidRequestException",
    "You can't perform this operation on the secret because it was marked for deletion.",
  );
}

function readValue(request: {
  readonly SecretString?: string | undefined;
  readonly SecretBinary?: string | undefined;
}): SecretValue | undefined {
  const { SecretString: text, SecretBinary: base64 } = request;
  if (text === undefined && base64 === undefined) return undefined;
  if (text !== undefined && base64 !== undefined) {
    throw new SecretsManagerError(
      "InvalidParameterException",
      "You can't specify both SecretString and SecretBinary.",
    );
  }
  return { text, base64 };
}

// SDKs fill the token in; a raw request has to bring one.
function requireToken(token: string | undefined): string {
  if (token !== undefined) return token;
  throw new SecretsManagerError(
    "InvalidRequestException",
    "You must provide a ClientRequestToken value. We recommend a UUID-type value.",
  );
}

function parse<T extends z.ZodMiniType>(schema: T, input: unknown): z.infer<T> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const paths = result.error.issues.map(({ path, code }) => `${path.join(".") || "request"} (${code})`);
  throw new SecretsManagerError(
    "ValidationException",
    `${paths.length} validation error(s) detected: ${paths.join(", ")}`,
  );
}

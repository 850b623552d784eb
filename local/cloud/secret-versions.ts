import { AwsError } from "./aws-error.ts";
import type { Secret } from "./secret-store.ts";

type SecretVersion = Secret["versions"][number];

const current = "AWSCURRENT";
const previous = "AWSPREVIOUS";

/**
 * Adds a version. A known id has no effect with the same value, and is refused with another.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_PutSecretValue.html
 */
export function putVersion(versions: SecretVersion[], added: SecretVersion): void {
  const existing = versions.find(({ id }) => id === added.id);
  if (existing) {
    if (existing.value.text === undefined) existing.value = added.value;
    if (existing.value.text === added.value.text) return;
    throw new AwsError(
      "ResourceExistsException",
      `You can't use ClientRequestToken ${added.id} because that value is already in use for another version.`,
    );
  }
  const stages = versions.length === 0 ? [...new Set([current, ...added.stages])] : added.stages;
  const version = { ...added, stages: [] };
  versions.push(version);
  for (const stage of stages) attachStage(versions, stage, version);
}

/** @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_UpdateSecretVersionStage.html */
export function moveStage(
  versions: SecretVersion[],
  move: { stage: string; toId?: string | undefined; fromId?: string | undefined },
): void {
  const { stage, toId, fromId } = move;
  const holder = versions.find(({ stages }) => stages.includes(stage));
  const target = versions.find(({ id }) => id === toId);
  if (toId !== undefined && target === undefined) {
    throw new AwsError(
      "ResourceNotFoundException",
      `Secrets Manager can't find the specified secret value for VersionId: ${toId}`,
    );
  }
  if (holder && holder !== target && fromId === undefined) {
    throw invalid(
      `The parameter RemoveFromVersionId can't be empty. Staging label ${stage} is currently attached to version ${holder.id}, so you must explicitly reference that version in RemoveFromVersionId.`,
    );
  }
  if (fromId !== undefined && holder?.id !== fromId) {
    throw invalid(`Staging label ${stage} isn't attached to version ${fromId}: check RemoveFromVersionId.`);
  }
  if (target) attachStage(versions, stage, target);
  else if (stage === current) {
    throw invalid(
      `You can only move staging label ${current} to a different secret version. It can't be completely removed.`,
    );
  } else detachStage(versions, stage);
}

export function findVersion(
  versions: SecretVersion[],
  wanted: { id?: string | undefined; stage?: string | undefined },
): SecretVersion {
  const stage = wanted.stage ?? (wanted.id === undefined ? current : undefined);
  const version = versions.find(({ id, stages }) =>
    wanted.id === undefined ? stage !== undefined && stages.includes(stage) : id === wanted.id,
  );
  if (version?.value.text === undefined) {
    const by = wanted.id === undefined ? `staging label: ${stage}` : `VersionId: ${wanted.id}`;
    throw new AwsError(
      "ResourceNotFoundException",
      `Secrets Manager can't find the specified secret value for ${by}`,
    );
  }
  if (stage !== undefined && !version.stages.includes(stage)) {
    throw new AwsError(
      "InvalidRequestException",
      "You provided a VersionStage that is not associated to the provided VersionId.",
    );
  }
  return version;
}

// If AWSCURRENT moves, the version that loses it becomes AWSPREVIOUS.
function attachStage(versions: SecretVersion[], stage: string, target: SecretVersion) {
  const holder = versions.find(({ stages }) => stages.includes(stage));
  if (holder === target) return;
  detachStage(versions, stage);
  target.stages.push(stage);
  if (stage === current && holder) attachStage(versions, previous, holder);
}

function detachStage(versions: SecretVersion[], stage: string) {
  for (const version of versions) version.stages = version.stages.filter((name) => name !== stage);
}

function invalid(message: string): AwsError {
  return new AwsError("InvalidParameterException", message);
}

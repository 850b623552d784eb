import type { Secret } from "./secret-store.ts";
import { moveStage, putVersion } from "./secret-versions.ts";
import { SecretsManagerError } from "./secrets-manager-error.ts";

/** One call of the function that rotates. */
export interface RotationCall {
  readonly Step: (typeof rotationSteps)[number];
  readonly SecretId: string;
  readonly ClientRequestToken: string;
  readonly RotationToken: string;
}

/** Runs the function that rotates; false when it failed. */
export type CallRotation = (lambdaArn: string, call: RotationCall) => Promise<boolean>;

const rotationSteps = ["createSecret", "setSecret", "testSecret", "finishSecret"] as const;

export interface RotationStart {
  readonly token: string;
  readonly nowMs: number;
  readonly save: () => void;
  readonly callRotation: CallRotation | undefined;
  /** Whether all four steps are run; else the third alone, and the version is taken away again. */
  readonly isImmediate: boolean;
}

/**
 * Begins a rotation: makes the pending version, without a value, and calls the function step by step in the background. A step
 * that fails ends it, with the pending label where it is.
 * @throws SecretsManagerError when a rotation is under way
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotateSecret.html
 */
export function beginRotation(secret: Secret, lambdaArn: string, start: RotationStart): void {
  const { token, nowMs, save, callRotation, isImmediate } = start;
  const pending = secret.versions.find(({ stages }) => stages.includes("AWSPENDING"));
  if (pending?.id === token) return;
  if (pending !== undefined && !pending.stages.includes("AWSCURRENT")) {
    throw new SecretsManagerError(
      "InvalidRequestException",
      "A previous rotation isn't complete. That rotation will be reattempted.",
    );
  }
  putVersion(secret.versions, { id: token, createdAtMs: nowMs, stages: ["AWSPENDING"], value: {} });
  save();
  const run = async (): Promise<void> => {
    for (const Step of isImmediate ? rotationSteps : (["testSecret"] as const)) {
      const call = { Step, SecretId: secret.arn, ClientRequestToken: token, RotationToken: token };
      if ((await callRotation?.(lambdaArn, call)) !== true) return;
    }
    if (isImmediate) {
      secret.rotatedAtMs = nowMs;
    } else {
      moveStage(secret.versions, { stage: "AWSPENDING", fromId: token });
    }
    save();
  };
  run().catch(() => {}); // what the function's process said stands in its log
}

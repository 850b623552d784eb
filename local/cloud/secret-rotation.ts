import { AwsError } from "./aws-error.ts";
import type { Secret } from "./secret-store.ts";
import { moveStage, putVersion } from "./secret-versions.ts";

/** @returns false if the function failed */
export type CallRotation = (lambdaArn: string, event: object) => Promise<boolean>;

const rotationSteps = ["createSecret", "setSecret", "testSecret", "finishSecret"] as const;

export interface RotationStart {
  readonly token: string;
  readonly nowMs: number;
  readonly save: () => void;
  readonly callRotation: CallRotation | undefined;
  /** Whether all four steps run. Otherwise the third runs alone, and the version is removed again. */
  readonly isImmediate: boolean;
}

/**
 * Runs in the background. A step that fails ends the rotation and leaves the pending label in place.
 * @throws AwsError if a rotation is in progress
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotateSecret.html
 */
export function beginRotation(secret: Secret, lambdaArn: string, start: RotationStart): void {
  const { token, nowMs, save, callRotation, isImmediate } = start;
  const pending = secret.versions.find(({ stages }) => stages.includes("AWSPENDING"));
  if (pending?.id === token) return;
  if (pending !== undefined && !pending.stages.includes("AWSCURRENT")) {
    throw new AwsError(
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
  run().catch(() => {}); // the function's own log says why
}

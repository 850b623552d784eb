import type { Context } from "aws-lambda";
import rotationFile from "../config/rotation.yml";
import { checkedSettings } from "../lib/chat/settings-from.ts";
import { buildRotator } from "../lib/operate/rotation/build-rotator.ts";
import { readStepEvent } from "../lib/operate/rotation/four-steps.ts";

/**
 * On a schedule: ends rotated values after their overlap. From Secrets Manager: one step of its rotation
 * (docs/maintain.md).
 */
export async function handler(event: unknown, context: Context) {
  const step = readStepEvent(event);
  if (step === undefined) return rotator.finishAll(context.awsRequestId);
  await rotator.takeStep(step, context.awsRequestId);
  return undefined;
}

const rotator = buildRotator(checkedSettings(rotationFile));

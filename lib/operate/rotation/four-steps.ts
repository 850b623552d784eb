import * as z from "zod/mini";
import {
  fieldsToBringIn,
  isEmpty,
  isInUse,
  nextStep,
  overlapOf,
  overtakeMs,
  permitWhileWanted,
  refuseToPushOut,
  revertedError,
  valueIn,
} from "./next-step.ts";
import {
  isBeingTakenBack,
  isRotating,
  type RotatedCredential,
  RotationError,
  rotateCommand,
  rotatingField,
  type StoredFields,
  takingBackField,
} from "./rotated-credentials.ts";
import { putVersion, type RotationTools, type SecretState, type SecretVersion } from "./secret-versions.ts";

/** @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_lambda-functions.html */
const stepEventSchema = z.object({
  Step: z.enum(["createSecret", "setSecret", "testSecret", "finishSecret"]),
  SecretId: z.string(),
  ClientRequestToken: z.string(),
});

export type RotationStepEvent = z.infer<typeof stepEventSchema>;

export function readStepEvent(event: unknown): RotationStepEvent | undefined {
  return stepEventSchema.safeParse(event).data;
}

/**
 * Repeatable, even after the next step. The scheduled run ends what it replaced.
 * @param overlapMs validity of the replaced value
 * @throws RotationError if it cannot continue; Secrets Manager then retries by its own schedule
 */
export async function takeRotationStep(
  { Step, ClientRequestToken: token }: RotationStepEvent,
  tools: RotationTools,
  overlapMs: number,
): Promise<void> {
  const { credential, secret, rotation, now } = tools;
  const state = await secret.read();
  // The rotation has ended without a pending version, also if its value came into use in another version.
  if (state.current.id === token || state.pending === undefined) return;
  if (state.pending.id !== token) throw revertedError(state);
  switch (Step) {
    case "createSecret": {
      if (state.pending.fields !== undefined) return;
      refuseToOverlap(state, credential);
      refuseToPushOut(state, credential, now(), overlapMs);
      const value = await rotation.make(state, token, false);
      return secret.fill(token, fieldsToBringIn(state.current.fields, credential, value));
    }
    case "setSecret": {
      const fields = filled(state, state.pending);
      await rotation.prove(fields);
      return rotation.switchOver(fields, permitWhileWanted(tools, fields));
    }
    case "testSecret": {
      // Enabling rotation runs this step alone, for a version without a value.
      const fields = state.pending.fields;
      if (fields !== undefined) await rotation.prove(fields);
      return;
    }
    case "finishSecret":
      return finish(tools, state, state.pending);
  }
}

/**
 * Leaves the pending label nowhere but at the current version, or it blocks the next rotation.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotateSecret.html
 */
async function finish(tools: RotationTools, state: SecretState, pending: SecretVersion) {
  const { credential } = tools;
  const fields = filled(state, pending);
  if (!isInUse(fields, credential, state.current.fields)) {
    const wanted = fieldsToBringIn(state.current.fields, credential, valueIn(fields, credential));
    const isUnchanged = JSON.stringify(wanted) === JSON.stringify(fields);
    if (isUnchanged) return tools.secret.move("AWSCURRENT", { from: state.current.id, to: pending.id });
    // The current version changed since the pending one was created: one move loses neither the change nor
    // the old value.
    await putVersion(tools, "AWSCURRENT", state.current, wanted);
  }
  await tools.secret.move("AWSPENDING", { from: pending.id });
}

function filled({ arn, current }: SecretState, pending: SecretVersion): StoredFields {
  if (pending.fields !== undefined) return pending.fields;
  throw new RotationError(
    "secret-unfit",
    `The pending version ${pending.id} of ${arn} has no value.`,
    `Withdraw it: ${rotateCommand("finish --abandon", current.fields)}`,
  );
}

function refuseToOverlap({ current, arn }: SecretState, credential: RotatedCredential): void {
  if (overlapOf(current.fields, credential) === undefined && !isRotating(current.fields)) return;
  throw new RotationError(
    "previous-needed",
    `What the last rotation of ${arn} replaced is still valid; there is room for one replaced value.`,
    `Rotate less often than the overlap lasts, or end it: ${rotateCommand("finish --now", current.fields)}`,
  );
}

/**
 * Sets the platform back, then removes the pending label. Repeatable. Returns whether anything was pending. A
 * created key stays until a later run ends it.
 * @throws RotationError once the pending version is in use, SecretChangedError if another process changes it
 */
export async function abandonRotation(tools: RotationTools): Promise<boolean> {
  const { credential, secret, rotation, sleep } = tools;
  const before = await secret.read();
  if (isEmpty(before.pending)) {
    await secret.move("AWSPENDING", { from: before.pending?.id });
    return true;
  }
  const taken = await beginTakingBack(tools, before);
  if (taken === undefined) return false;
  const { id, fields } = taken;
  if (credential === "webhook-password") await sleep(overtakeMs);
  for (let { current } = await secret.read(); ; ) {
    await rotation.switchOver(current.fields, permitWhileWanted(tools, current.fields));
    const state = await secret.read();
    if (state.current.id === current.id) {
      await secret.move("AWSPENDING", { from: id });
      if (isInUse(fields, credential, current.fields)) throw tooLate(state, credential);
      return true;
    }
    current = state.current;
  }
}

/** The receiver still accepts the pending version. */
async function beginTakingBack(tools: RotationTools, state: SecretState) {
  const { pending } = state;
  if (pending?.fields !== undefined && isBeingTakenBack(pending.fields)) {
    return { id: pending.id, fields: pending.fields };
  }
  const next = nextStep(state, tools.credential);
  if (next.step === "keep-replaced" || next.step === "overlap") throw tooLate(state, tools.credential);
  if (next.step !== "bring-in") return undefined;
  const { [rotatingField]: _rotating, ...kept } = next.pending.fields;
  const marked = { id: tools.newId(), fields: { ...kept, [takingBackField]: tools.credential } };
  await putVersion(tools, "AWSPENDING", next.pending, marked.fields, marked);
  return marked;
}

function tooLate({ arn, current }: SecretState, credential: RotatedCredential): RotationError {
  const ofDead = `; if it is dead: ${rotateCommand("api-key --api-key-stdin", current.fields)}`;
  return new RotationError(
    "somebody-else",
    `The rotation of ${arn} is past the point where it could be taken back: what is new is in use.`,
    `To replace it, end the old value (${rotateCommand("finish --now", current.fields)}) and rotate again${credential === "api-key" ? ofDead : ""}`,
  );
}

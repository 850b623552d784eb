import * as z from "zod/mini";
import { fieldsToBringIn, refuseToPushOut } from "./fields-to-bring-in.ts";
import { keepReplaced } from "./keep-replaced.ts";
import { overlapsOf } from "./next-step.ts";
import { fieldsOf, fieldText, type RotatedThing, readRotating, type StoredFields } from "./rotated-things.ts";
import { RotationError, rotateCommand } from "./rotation-error.ts";
import type { RotationTools } from "./rotation-tools.ts";
import type { SecretState, SecretVersion } from "./secret-versions.ts";

/**
 * One step of one rotation.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_lambda-functions.html
 */
const stepEventSchema = z.object({
  Step: z.enum(["createSecret", "setSecret", "testSecret", "finishSecret"]),
  SecretId: z.string(),
  ClientRequestToken: z.string(),
});

export type RotationStepEvent = z.infer<typeof stepEventSchema>;

/** Undefined for other events, such as the schedule's. */
export function readStepEvent(event: unknown): RotationStepEvent | undefined {
  const read = stepEventSchema.safeParse(event);
  return read.success ? read.data : undefined;
}

export interface StepOptions {
  readonly things: readonly RotatedThing[];
  /** Validity of replaced values. */
  readonly overlapMs: number;
}

/**
 * Runs one of the four steps of Secrets Manager's rotation. Each may be repeated, even after the next one: a
 * version that is current already, or was, is done. The scheduled run ends what it replaced.
 * @throws RotationError if the rotation cannot continue; Secrets Manager then retries by its own schedule
 */
export async function takeRotationStep(
  { Step, ClientRequestToken: token }: RotationStepEvent,
  tools: RotationTools,
  { things, overlapMs }: StepOptions,
): Promise<void> {
  const { secret, rotations, now } = tools;
  const state = await secret.read();
  if (state.current.id === token || state.previous?.id === token) return;
  if (state.pending?.id !== token) {
    throw new RotationError(
      "somebody-else",
      `The version ${token} of ${state.arn} is not the pending one: another rotation took its place.`,
      `Look at ${rotateCommand("status", state.current.fields)}.`,
    );
  }
  switch (Step) {
    case "createSecret": {
      if (state.pending.fields !== undefined) return;
      refuseToOverlap(state, things);
      refuseToPushOut(state, things, now(), overlapMs);
      const values: Partial<Record<RotatedThing, string>> = {};
      for (const thing of things) values[thing] = await rotations[thing].make(state, token);
      return secret.fill(token, fieldsToBringIn(state, values, overlapMs));
    }
    case "setSecret": {
      const fields = filled(state, state.pending);
      for (const thing of readRotating(fields)) {
        await rotations[thing].prove(fields);
        await rotations[thing].switchOver(fields);
      }
      return;
    }
    case "testSecret": {
      // Enabling rotation runs this step alone, for a version without a value.
      const fields = state.pending.fields;
      if (fields !== undefined)
        for (const thing of readRotating(fields)) await rotations[thing].prove(fields);
      return;
    }
    case "finishSecret":
      return finish(tools, state, filled(state, state.pending), token, overlapMs);
  }
}

async function finish(
  { secret, newId, now }: RotationTools,
  state: SecretState,
  fields: StoredFields,
  token: string,
  overlapMs: number,
): Promise<void> {
  const values = Object.fromEntries(
    readRotating(fields).map((thing) => [thing, fieldText(fields, fieldsOf[thing].field) ?? ""]),
  );
  const wanted = fieldsToBringIn(state, values, overlapMs);
  await secret.move("AWSCURRENT", { from: state.current.id, to: token });
  // Secrets Manager requires that version, which may lack later changes. What it replaced gets its end now.
  const current = { ...state.current, fields: { ...fields, ...wanted } };
  const replaced = { ...state, current, previous: state.current };
  const id = newId();
  await secret.stage(id, keepReplaced(replaced, readRotating(fields), now() + overlapMs));
  await secret.move("AWSCURRENT", { from: token, to: id });
  await secret.move("AWSPENDING", { from: token });
}

function filled({ arn }: SecretState, pending: SecretVersion): StoredFields {
  if (pending.fields !== undefined) return pending.fields;
  throw new RotationError(
    "secret-unfit",
    `The pending version ${pending.id} of ${arn} has no value.`,
    "Cancel the rotation and begin it again.",
  );
}

function refuseToOverlap({ current, arn }: SecretState, things: readonly RotatedThing[]): void {
  const [overlap] = overlapsOf(current.fields, things);
  if (overlap === undefined) return;
  throw new RotationError(
    "previous-needed",
    `What the last rotation of ${arn} replaced is still good; there is room for one replaced value.`,
    `Rotate less often than the overlap lasts, or end it: ${rotateCommand("finish --now", current.fields)}`,
  );
}

import { isInUse, nextStep } from "./next-step.ts";
import { type RotatedThing, readRotating, rotatingField, takingBackField } from "./rotated-things.ts";
import { RotationError, rotateCommand } from "./rotation-error.ts";
import { putVersion, type RotationTools } from "./rotation-tools.ts";
import type { SecretState } from "./secret-versions.ts";

type Tools = Pick<RotationTools, "secret" | "rotations" | "newId">;

/**
 * Sets the platform back, then removes the pending label. May be repeated. Returns what was pending. A
 * created key stays for the next rotation.
 * @throws RotationError once the pending version is the current one, SecretChangedError if another process
 * changes it
 */
export async function abandonRotation(tools: Tools): Promise<readonly RotatedThing[]> {
  const { secret, rotations } = tools;
  const taken = await beginTakingBack(tools);
  if (taken === undefined) return [];
  const { id, fields } = taken;
  const things = readRotating(fields, takingBackField);
  for (let { current } = await secret.read(); ; ) {
    for (const thing of things) await rotations[thing].switchOver(current.fields);
    const state = await secret.read();
    if (state.current.id === current.id) {
      await secret.move("AWSPENDING", { from: id });
      if (isInUse(fields, things, current.fields)) throw tooLate(state);
      return things;
    }
    current = state.current; // what the platform must have
  }
}

/**
 * The receiver still accepts the pending version; a run that brings it in checks the mark before each step
 * and stops.
 */
async function beginTakingBack(tools: Tools) {
  const state = await tools.secret.read();
  const { pending } = state;
  if (pending?.fields !== undefined && readRotating(pending.fields, takingBackField).length > 0) {
    return { id: pending.id, fields: pending.fields };
  }
  const next = nextStep(state);
  if (next.step === "keep-replaced" || next.step === "overlap") throw tooLate(state);
  if (next.step !== "bring-in") return undefined;
  const { [rotatingField]: _rotating, ...kept } = next.pending.fields;
  const marked = { id: tools.newId(), fields: { ...kept, [takingBackField]: next.things.join(" ") } };
  await putVersion(tools, "AWSPENDING", next.pending, marked.fields, marked.id);
  return marked;
}

function tooLate({ arn, current }: SecretState): RotationError {
  return new RotationError(
    "somebody-else",
    `The rotation of ${arn} is past the point where it could be taken back: what is new is in use.`,
    `Finish it (${rotateCommand("finish", current.fields)}), or rotate once more; a key that is dead: ${rotateCommand("api-key --api-key-stdin", current.fields)}`,
  );
}

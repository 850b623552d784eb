import { isInUse, nextStep } from "./next-step.ts";
import { type RotatedThing, readRotating, rotatingField, takingBackField } from "./rotated-things.ts";
import { RotationError, rotateCommand } from "./rotation-error.ts";
import type { RotationTools } from "./rotation-tools.ts";
import type { SecretState } from "./secret-versions.ts";

/**
 * Takes a pending version back: the platform is told what is in use again, and the pending label is taken away. May be
 * repeated. Gives what was pending; nothing if nothing was. A key that was made stays on the platform for the next rotation.
 * @throws RotationError once the pending version is the current one, SecretChangedError where somebody else is at work on it
 */
export async function abandonRotation({
  secret,
  rotations,
  newId,
}: Pick<RotationTools, "secret" | "rotations" | "newId">): Promise<readonly RotatedThing[]> {
  const taken = await beginTakingBack(secret, newId);
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
    current = state.current; // which is what the platform must have
  }
}

/** Marks what is pending: the receiver accepts it still, and who brings it in looks again before each step and stops. */
async function beginTakingBack(secret: RotationTools["secret"], newId: RotationTools["newId"]) {
  const state = await secret.read();
  const { pending } = state;
  if (pending?.fields !== undefined && readRotating(pending.fields, takingBackField).length > 0) {
    return { id: pending.id, fields: pending.fields };
  }
  const next = nextStep(state);
  if (next.step === "keep-replaced" || next.step === "overlap") throw tooLate(state);
  if (next.step !== "bring-in") return undefined;
  const { [rotatingField]: _rotating, ...kept } = next.pending.fields;
  const marked = { id: newId(), fields: { ...kept, [takingBackField]: next.things.join(" ") } };
  await secret.stage(marked.id, marked.fields);
  await secret.move("AWSPENDING", { from: next.pending.id, to: marked.id });
  return marked;
}

function tooLate({ arn, current }: SecretState): RotationError {
  return new RotationError(
    "somebody-else",
    `The rotation of ${arn} is past the point where it could be taken back: what is new is in use.`,
    `Finish it (${rotateCommand("finish", current.fields)}), or rotate once more; a key that is dead: ${rotateCommand("api-key --api-key-stdin", current.fields)}`,
  );
}

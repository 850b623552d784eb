import { nextStep } from "./next-step.ts";
import type { RotatedThing } from "./rotated-things.ts";
import { RotationError } from "./rotation-error.ts";
import type { RotationTools } from "./run-rotation.ts";

/**
 * Takes a pending version back: the platform is told what is in use again, and the pending label is taken away. May be
 * repeated. Gives what was pending; nothing if nothing was. A key that was made stays on the platform for the next rotation.
 * @throws RotationError once the pending version is the current one
 */
export async function abandonRotation({
  secret,
  rotations,
}: Pick<RotationTools, "secret" | "rotations">): Promise<readonly RotatedThing[]> {
  const state = await secret.read();
  const next = nextStep(state);
  if (next.step === "keep-replaced" || next.step === "overlap") {
    throw new RotationError(
      "somebody-else",
      `The rotation of ${state.arn} is past the point where it could be taken back: what is new is in use.`,
      "Finish it, or rotate once more.",
    );
  }
  if (next.step !== "bring-in") return [];
  for (const thing of next.things) await rotations[thing].switchOver(state.current.fields);
  await secret.move("AWSPENDING", { from: next.pending.id });
  return next.things;
}

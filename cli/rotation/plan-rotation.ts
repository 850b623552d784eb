import { nextStep, overlapsOf } from "../../lib/operate/rotation/next-step.ts";
import { usualWaits } from "../../lib/operate/rotation/rotate-webhook-password.ts";
import type { RotationTools, RotationWish } from "../../lib/operate/rotation/rotation-tools.ts";
import type { SecretState } from "../../lib/operate/rotation/secret-versions.ts";
import type { OpenRotation } from "./open-rotation.ts";
import { nameThings } from "./report-rotation.ts";

/**
 * Changes nothing.
 * @throws RotationError if it would not begin
 */
export async function planRotation(
  { tools, state, receiverUrl, webhooks }: OpenRotation,
  { things, overlapMs, isLeaked = false }: RotationWish,
): Promise<readonly string[]> {
  const later = isLeaked ? "Immediately" : `After ${minutes(overlapMs)}`;
  if (things.includes("api-key") && (await wouldReplace(tools, state, isLeaked))) {
    return [
      "1. Use the given key, or create one of scope fullAccess on the platform, and prove it by a call.",
      "2. Make it the current version, even during another rotation. Functions use it within 3 minutes, or immediately if the old one is refused.",
      `3. ${later} delete the secret's other keys on the platform. Other servers that use them stop working.`,
    ];
  }
  const next = nextStep(state, things);
  const end = "end what it replaced";
  switch (next.step) {
    case "overlap":
      if (isLeaked) return beginning();
      return [
        `In progress: the value that ${nameThings([next.thing])} replaced is valid until ${new Date(next.untilMs).toISOString()}; then ${end}.`,
      ];
    case "keep-replaced":
      return [
        `Under way: keep what ${nameThings(next.things)} replaced for ${minutes(overlapMs)}, then ${end}.`,
      ];
    case "bring-in":
      return [
        `In progress: ${nameThings(next.things)} is pending. Prove, switch over, make it current, then ${end}.`,
      ];
    case "unlabel":
    case "begin":
      return beginning();
  }

  function beginning(): readonly string[] {
    return things.flatMap((thing) =>
      thing === "api-key"
        ? [
            "1. Create an API key of scope fullAccess on the platform.",
            "2. Store it as pending, and prove it by a call.",
            "3. Make it the current version. Functions use it within 3 minutes, or immediately if the old one is refused.",
            `4. ${later} delete the old key on the platform. Other servers that use it stop working.`,
          ]
        : [
            "1. Create a password and store it as pending; the receiver accepts it.",
            `2. Wait ${seconds(usualWaits.settleMs)}, then prove it by a signed request to ${receiverUrl} that is not an event.`,
            webhooks === undefined
              ? "3. Without management credentials: print what to enter in the dashboard, and stop until --continue."
              : `3. Set it on every webhook of the platform that delivers there; wait ${seconds(usualWaits.retriesMs)} for deliveries in progress.`,
            `4. Make it the current version. ${isLeaked ? "The old password ends immediately." : `The old password stays valid for ${minutes(overlapMs)}.`}`,
          ],
    );
  }
}

/**
 * Apart from a rotation in progress.
 * @throws RotationError if a given key does not fit
 */
async function wouldReplace(tools: RotationTools, state: SecretState, isLeaked: boolean): Promise<boolean> {
  const rotation = tools.rotations["api-key"];
  await rotation.proveGiven?.(state.current.fields);
  const isUnderWay = state.pending !== undefined || overlapsOf(state.current.fields, ["api-key"]).length > 0;
  return (isUnderWay || isLeaked) && (await rotation.mustReplace?.(state, isLeaked)) === "replace";
}

function seconds(ms: number): string {
  return `${ms / 1_000} s`;
}

function minutes(ms: number): string {
  return `${Math.round(ms / 60_000)} min`;
}

import { nextStep, overlapsOf } from "../../lib/operate/rotation/next-step.ts";
import type { RotationTools, RotationWish } from "../../lib/operate/rotation/rotation-tools.ts";
import type { SecretState } from "../../lib/operate/rotation/secret-versions.ts";
import type { OpenRotation } from "./open-rotation.ts";
import { nameThings } from "./report-rotation.ts";

/**
 * Returns what a rotation would do in the current state. Changes nothing.
 * @throws RotationError if it would not begin
 */
export async function planRotation(
  { tools, state, receiverUrl, webhooks }: OpenRotation,
  { things, overlapMs, isLeaked = false }: RotationWish,
): Promise<readonly string[]> {
  const later = isLeaked ? "At once" : `After ${minutes(overlapMs)}`;
  if (things.includes("api-key") && (await wouldReplace(tools, state, isLeaked))) {
    return [
      "1. Take the key that was given, or make one of scope fullAccess on the platform, and prove it by a call.",
      "2. Make it the current version, whatever else is under way. Functions take it up within 3 minutes, or at once where the old one is refused.",
      `3. ${later} delete on the platform what other keys the secret held. Other servers that use them stop working.`,
    ];
  }
  const next = nextStep(state, things);
  const end = "end what it replaced";
  switch (next.step) {
    case "overlap":
      if (isLeaked) return beginning();
      return [
        `Under way: what ${nameThings([next.thing])} replaced is good until ${new Date(next.untilMs).toISOString()}; then ${end}.`,
      ];
    case "keep-replaced":
      return [
        `Under way: keep what ${nameThings(next.things)} replaced for ${minutes(overlapMs)}, then ${end}.`,
      ];
    case "bring-in":
      return [
        `Under way: ${nameThings(next.things)} is pending. Prove, switch over, make it current, then ${end}.`,
      ];
    case "unlabel":
    case "begin":
      return beginning();
  }

  function beginning(): readonly string[] {
    return things.flatMap((thing) =>
      thing === "api-key"
        ? [
            "1. Make an API key of scope fullAccess on the platform.",
            "2. Store it as pending, and prove it by a call.",
            "3. Make it the current version. Functions take it up within 3 minutes, or at once where the old one is refused.",
            `4. ${later} delete the old key on the platform. Other servers that use it stop working.`,
          ]
        : [
            "1. Make a password and store it as pending, which the receiver accepts.",
            `2. Wait 8 s, then prove it by a signed request to ${receiverUrl} that is no event.`,
            webhooks === undefined
              ? "3. There are no management credentials: say what to enter in the dashboard, and stop until --continue."
              : "3. Tell the platform, for every webhook that delivers there; wait 45 s for deliveries under way.",
            `4. Make it the current version. ${isLeaked ? "The old password ends at once." : `The old password is good for ${minutes(overlapMs)} more.`}`,
          ],
    );
  }
}

/**
 * Returns whether a rotation would replace the key apart from a rotation in progress.
 * @throws RotationError if a given key does not fit
 */
async function wouldReplace(tools: RotationTools, state: SecretState, isLeaked: boolean): Promise<boolean> {
  const { proveGiven, mustReplace } = tools.rotations["api-key"];
  await proveGiven?.(state.current.fields);
  const isUnderWay = state.pending !== undefined || overlapsOf(state.current.fields, ["api-key"]).length > 0;
  return (isUnderWay || isLeaked) && (await mustReplace?.(state, isLeaked)) === "replace";
}

function minutes(ms: number): string {
  return `${Math.round(ms / 60_000)} min`;
}

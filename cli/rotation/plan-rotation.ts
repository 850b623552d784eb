import { nextStep } from "../../lib/rotation/next-step.ts";
import type { RotatedThing } from "../../lib/rotation/rotated-things.ts";
import type { OpenRotation } from "./open-rotation.ts";
import { nameThings } from "./report-rotation.ts";

/** Tells what a rotation would do, from what is there. Changes nothing. @throws RotationError where it would not begin */
export function planRotation(
  { state, receiverUrl, webhooks }: OpenRotation,
  things: readonly RotatedThing[],
  overlapMs: number,
): readonly string[] {
  const next = nextStep(state, things);
  const end = "end what it replaced";
  switch (next.step) {
    case "overlap":
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
      return things.flatMap((thing) =>
        thing === "api-key"
          ? [
              "1. Make an API key of scope fullAccess on the platform.",
              "2. Store it as pending, and prove it by a call.",
              "3. Make it the current version. Functions take it up within 3 minutes, or at once where the old one is refused.",
              `4. After ${minutes(overlapMs)} delete the old key on the platform. Other servers that use it stop working.`,
            ]
          : [
              "1. Make a password and store it as pending, which the receiver accepts.",
              `2. Wait 8 s, then prove it by a signed request to ${receiverUrl} that is no event.`,
              webhooks === undefined
                ? "3. There are no management credentials: say what to enter in the dashboard, and stop until --continue."
                : "3. Tell the platform, for every webhook that delivers there; wait 45 s for deliveries under way.",
              `4. Make it the current version. The old password is good for ${minutes(overlapMs)} more.`,
            ],
      );
  }
}

function minutes(ms: number): string {
  return `${Math.round(ms / 60_000)} min`;
}

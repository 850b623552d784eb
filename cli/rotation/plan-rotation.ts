import { nextStep, overlapsOf } from "../../lib/operate/rotation/next-step.ts";
import { usualWaits } from "../../lib/operate/rotation/rotate-webhook-password.ts";
import type { RotatedThing } from "../../lib/operate/rotation/rotated-things.ts";
import type { RotationTools, RotationWish } from "../../lib/operate/rotation/rotation-tools.ts";
import type { SecretState } from "../../lib/operate/rotation/secret-versions.ts";
import { nameThings } from "./rotation-result.ts";

interface Planned {
  readonly state: SecretState;
  readonly tools: RotationTools;
  readonly receiverUrl: string;
  readonly webhooks: unknown;
}

/**
 * Changes nothing.
 * @throws RotationError if it would not begin
 */
export async function planRotation(
  { state, tools, receiverUrl, webhooks }: Planned,
  thing: RotatedThing,
  { overlapMs, isLeaked = false }: RotationWish,
): Promise<readonly string[]> {
  const overlap = `${Math.round(overlapMs / 60_000)} min`;
  const later = isLeaked ? "Immediately" : `After ${overlap}`;
  if (thing === "api-key" && (await wouldReplace(tools, state, isLeaked))) {
    return [
      "1. Use the given key, or create one of scope fullAccess on the platform, and prove it by a call.",
      "2. Make it the current version, even during another rotation. Functions use it within 3 minutes, or immediately if the old one is refused.",
      `3. ${later} delete the secret's other keys on the platform. Other servers that use them stop working.`,
    ];
  }
  const next = nextStep(state, [thing]);
  const end = "then end what it replaced";
  if (next.step === "overlap" && !isLeaked) {
    const until = new Date(next.untilMs).toISOString();
    return [`In progress: the value that ${nameThings([thing])} replaced is valid until ${until}; ${end}.`];
  }
  if (next.step === "keep-replaced") {
    return [`Under way: keep what ${nameThings(next.things)} replaced for ${overlap}, ${end}.`];
  }
  if (next.step === "bring-in") {
    return [
      `In progress: ${nameThings(next.things)} is pending. Prove, switch over, make it current, ${end}.`,
    ];
  }
  if (thing === "api-key") {
    return [
      "1. Create an API key of scope fullAccess on the platform.",
      "2. Store it as pending, and prove it by a call.",
      "3. Make it the current version. Functions use it within 3 minutes, or immediately if the old one is refused.",
      `4. ${later} delete the old key on the platform. Other servers that use it stop working.`,
    ];
  }
  return [
    "1. Create a password and store it as pending; the receiver accepts it.",
    `2. Wait ${usualWaits.settleMs / 1_000} s, then prove it by a signed request to ${receiverUrl} that is not an event.`,
    webhooks === undefined
      ? "3. Without management credentials: print what to enter in the dashboard, and stop until --continue."
      : `3. Set it on every webhook of the platform that delivers there; wait ${usualWaits.retriesMs / 1_000} s for deliveries in progress.`,
    `4. Make it the current version. ${isLeaked ? "The old password ends immediately." : `The old password stays valid for ${overlap}.`}`,
  ];
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

import { type AppSecretState, readPendingSince, readStillAccepted } from "./app-secret-state.ts";
import type { DoctorServices } from "./doctor-services.ts";
import { type Found, ok, unknown, wrong } from "./finding.ts";

/** Exists, is complete, and belongs to the app. */
export function checkSecret(
  appId: string,
  secret: AppSecretState,
  { remedies }: Pick<DoctorServices, "remedies">,
): Found {
  const { setUpApp } = remedies;
  switch (secret.kind) {
    case "missing":
      return wrong("The app has no secret.", setUpApp(appId));
    case "deleted":
      return wrong("The app's secret is going to be deleted.", setUpApp(appId));
    case "unfit":
      return wrong(
        `The app's secret is not complete. ${secret.why}`,
        secret.isByHand === true ? correctField : setUpApp(appId),
      );
    case "foreign":
      return wrong(
        `The app's secret holds the credentials of another app (${secret.holdsAppId}).`,
        setUpApp(appId),
      );
    case "fit": {
      const { isSignatureRequired, webhookSecret } = secret.credentials;
      if (isSignatureRequired && webhookSecret === undefined) {
        return wrong(
          "The app's webhook secret requires signatures and has no key for them: every delivery is refused.",
          "Add webhookSecret to it, or take webhookSignature out (docs/deploy.md#require-signatures)",
        );
      }
      const day = new Date(secret.createdAt).toISOString().slice(0, 10);
      return ok(`The app's secret is complete (this version is of ${day}).`);
    }
  }
}

const correctField =
  "Write its fields back with this one corrected: the commands are in docs/deploy.md#secrets-of-your-own-functions";

/** Checks whether a rotation has stopped half-way. */
export async function checkRotation(appId: string, services: DoctorServices): Promise<Found> {
  const since = await readPendingSince(appId, services);
  if (since === undefined) {
    const accepted = await readStillAccepted(appId, services);
    const also = accepted.length === 0 ? "" : ` Still accepted: ${accepted.join("; ")}.`;
    return ok(`No rotation is under way.${also}`);
  }
  const hours = (services.now() - since) / hourMs;
  const began = `A rotation began ${new Date(since).toISOString().slice(0, 16)}Z`;
  return hours < stuckAfterHours
    ? ok(`${began} and is under way.`)
    : wrong(`${began} and makes no progress.`, services.remedies.rotationStatus(appId));
}

const hourMs = 3_600_000;
/** Longer than any wait between two steps. */
const stuckAfterHours = 6;

export const withoutSecret = unknown("It cannot be checked without the app's secret.");

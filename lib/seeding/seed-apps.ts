import { describeError } from "../describe-error.ts";
import type { ReasonOutcome } from "./seed-reasons.ts";

/** What became of one app: its reasons, or why they could not even be looked at. */
export type AppOutcome =
  | { readonly appId: string; readonly reasons: readonly ReasonOutcome[] }
  | { readonly appId: string; readonly error: string };

export interface SeedResult {
  readonly dryRun: boolean;
  readonly apps: readonly AppOutcome[];
}

/** Thrown at the end of a run in which anything failed; its message holds the whole result. */
export class SeedFailedError extends Error {
  override readonly name = "SeedFailedError";

  constructor(result: SeedResult) {
    super(`Seeding failed in part; run it again after mending the causes. Result: ${JSON.stringify(result)}`);
  }
}

/**
 * Seeds one app after the other; what fails in one does not stop the next.
 * @throws SeedFailedError at the end, if anything failed
 */
export async function seedApps(
  appIds: readonly string[],
  dryRun: boolean,
  seedApp: (appId: string) => Promise<readonly ReasonOutcome[]>,
): Promise<SeedResult> {
  const apps: AppOutcome[] = [];
  for (const appId of appIds) {
    try {
      apps.push({ appId, reasons: await seedApp(appId) });
    } catch (error) {
      apps.push({ appId, error: describeError(error) });
    }
  }
  const result = { dryRun, apps };
  if (apps.some(hasFailed)) throw new SeedFailedError(result);
  return result;
}

function hasFailed(app: AppOutcome): boolean {
  return "error" in app || app.reasons.some(({ outcome }) => outcome === "failed");
}

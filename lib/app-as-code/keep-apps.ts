import { describeError } from "../describe-error.ts";
import { isUnkept, type KeptApp } from "./keep-app.ts";

/** What became of one app: its things, or why they could not even be looked at. */
export type AppOutcome =
  | ({ readonly appId: string } & KeptApp)
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
 * Takes one app after the other; what fails in one does not stop the next.
 * @throws SeedFailedError at the end, if anything failed
 */
export async function keepApps(
  appIds: readonly string[],
  dryRun: boolean,
  keep: (appId: string) => Promise<KeptApp>,
): Promise<SeedResult> {
  const apps: AppOutcome[] = [];
  for (const appId of appIds) {
    try {
      apps.push({ appId, ...(await keep(appId)) });
    } catch (error) {
      apps.push({ appId, error: describeError(error) });
    }
  }
  const result = { dryRun, apps };
  if (apps.some(hasFailed)) throw new SeedFailedError(result);
  return result;
}

function hasFailed(app: AppOutcome): boolean {
  return "error" in app || app.things.some(isUnkept);
}

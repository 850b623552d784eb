import { describeError } from "../../base/describe-error.ts";
import { forEachApp } from "../../base/for-each-app.ts";
import { OwnError } from "../../base/own-error.ts";
import { isUnkept, type KeptApp } from "./keep-app.ts";

/** Or why it could not be read. */
export type AppOutcome =
  | ({ readonly appId: string } & KeptApp)
  | { readonly appId: string; readonly error: string };

export interface SeedResult {
  readonly dryRun: boolean;
  readonly apps: readonly AppOutcome[];
}

/** The message contains the whole result. */
export class SeedFailedError extends OwnError {
  override readonly name = "SeedFailedError";

  constructor(result: SeedResult) {
    super(`Seeding failed in part; run it again after mending the causes. Result: ${JSON.stringify(result)}`);
  }
}

/**
 * Many concurrently, each within its share of the time; a failing app does not stop the others.
 * @throws SeedFailedError at the end, if an app could not be read or, but in a rehearsal, anything failed
 */
export async function keepApps(
  appIds: readonly string[],
  dryRun: boolean,
  time: { readonly deadlineMs: number; readonly now: () => number },
  keep: (appId: string, deadlineMs: number) => Promise<KeptApp>,
): Promise<SeedResult> {
  const apps = await forEachApp(appIds, time, async (appId, shareEndsAt): Promise<AppOutcome> => {
    try {
      return { appId, ...(await keep(appId, shareEndsAt)) };
    } catch (error) {
      return { appId, error: describeError(error) };
    }
  });
  const result = { dryRun, apps };
  const hasFailed = (app: AppOutcome) => "error" in app || (!dryRun && app.things.some(isUnkept));
  if (apps.some(hasFailed)) throw new SeedFailedError(result);
  return result;
}

import type { Context } from "aws-lambda";
import reasonsFile from "../config/moderation-reasons.yml";
import { readDryRun } from "../lib/dry-run.ts";
import { buildSeedServices } from "../lib/seeding/build-seed-services.ts";
import { declaredReasonsSchema } from "../lib/seeding/declared-reasons.ts";
import { type SeedResult, seedApps } from "../lib/seeding/seed-apps.ts";
import { seedReasons } from "../lib/seeding/seed-reasons.ts";
import { settingsFrom } from "../lib/settings/settings-from.ts";

/** On a schedule, or by hand with `{"dryRun": true}` for a rehearsal: makes the moderation reasons as declared. */
export async function handler(event: unknown, context: Context): Promise<SeedResult> {
  const dryRun = readDryRun(event);
  const time = { deadlineMs: now() + context.getRemainingTimeInMillis() - marginMs, now };
  const result = await seedApps(appIds, dryRun, time, async (appId, deadlineMs) => {
    const { reasons: declared } = settings.of(appId);
    return seedReasons({ reasons: await reasonsOf(appId), declared, dryRun, deadlineMs });
  });
  log.info("seeded the moderation reasons", { requestId: context.awsRequestId, result });
  return result;
}

/** What is left for the answer when the function's time is nearly up. */
const marginMs = 1000;

// Runs once per cold start.
const settings = settingsFrom(reasonsFile, declaredReasonsSchema);
const { appIds, reasonsOf, log, now } = buildSeedServices();

import { Logger } from "@aws-lambda-powertools/logger";
import type { Context } from "aws-lambda";
import * as z from "zod/mini";
import reasonsFile from "../config/moderation-reasons.yml";
import { connectApp } from "../lib/chat/connect-app.ts";
import { reasons } from "../lib/chat/resources/reasons.ts";
import { readAppIds, readSetting } from "../lib/config.ts";
import { createAppCredentials } from "../lib/secrets/app-credentials.ts";
import { createReadSecret } from "../lib/secrets/secret-reader.ts";
import { declaredReasonsSchema } from "../lib/seeding/declared-reasons.ts";
import { type SeedResult, seedApps } from "../lib/seeding/seed-apps.ts";
import { seedReasons } from "../lib/seeding/seed-reasons.ts";

/** On a schedule, or by hand with `{"dryRun": true}` for a rehearsal: makes the moderation reasons as declared. */
export async function handler(event: unknown, context: Context): Promise<SeedResult> {
  const { dryRun } = eventSchema.parse(event);
  const deadlineMs = Date.now() + context.getRemainingTimeInMillis() - marginMs;
  const result = await seedApps(appIds, dryRun, async (appId) => {
    const credentials = createAppCredentials({ readSecret, secretPrefix, appId, now: Date.now });
    const chat = await connectApp(credentials, baseUrlTemplate, { reasons });
    return seedReasons({ reasons: chat.reasons, declared, dryRun, deadlineMs });
  });
  logger.info("seeded the moderation reasons", { result });
  return result;
}

// A scheduled event has other fields and no dryRun.
const eventSchema = z.object({ dryRun: z._default(z.boolean(), false) });

/** What is left for the answer when the function's time is nearly up. */
const marginMs = 1000;

// Runs once per cold start.
const { reasons: declared } = declaredReasonsSchema.parse(reasonsFile);
const logger = new Logger({ serviceName: "seed" });
const readSecret = createReadSecret();
const appIds = readAppIds();
const secretPrefix = readSetting("SECRET_PREFIX");
const baseUrlTemplate = readSetting("CHAT_BASE_URL_TEMPLATE");

import type { Context } from "aws-lambda";
import agentsFile from "../config/app/agents.yml";
import botsFile from "../config/app/bots.yml";
import extensionsFile from "../config/app/extensions.yml";
import keywordListsFile from "../config/app/keyword-lists.yml";
import moderationReasonsFile from "../config/app/moderation-reasons.yml";
import moderationRulesFile from "../config/app/moderation-rules.yml";
import notificationsFile from "../config/app/notifications.yml";
import rolesFile from "../config/app/roles.yml";
import settingsFile from "../config/app/settings.yml";
import webhooksFile from "../config/app/webhooks.yml";
import { readDryRun } from "../lib/base/dry-run.ts";
import {
  buildKeepingServices,
  keepApp,
  keepApps,
  type SeedResult,
} from "../lib/operate/app-as-code/keep-apps.ts";
import { declareApp } from "../lib/operate/app-as-code/plan-app.ts";
import { subjects } from "../lib/operate/app-as-code/subjects.ts";

/**
 * On a schedule, or by hand with `{"dryRun": true}`: makes each app match config/app/, or reports differences
 * (`drift` in config/stages.yml).
 */
export async function handler(event: unknown, context: Context): Promise<SeedResult> {
  const dryRun = readDryRun(event) || drift !== "repair";
  const time = { deadlineMs: now() + context.getRemainingTimeInMillis() - marginMs, now };
  const result = await keepApps(drift === "off" ? [] : appIds, dryRun, time, async (appId, deadlineMs) => {
    const contentOf = (subject: string) => contents[subject]?.apps[appId] ?? contents[subject]?.default;
    const facts = { appId, webhookUrl: webhookUrlOf(appId), neededTriggers: undefined };
    const declared = declareApp(subjects, contentOf, facts);
    const kept = await keepApp({
      kinds,
      declared,
      ...(await connect(appId, deadlineMs)),
      isRehearsal: dryRun,
    });
    count("AppDrift", { appId }, { repaired: String(!dryRun) }, { value: kept.drift });
    return kept;
  });
  log.info("compared the apps with config/app/", { requestId: context.awsRequestId, result });
  return result;
}

const marginMs = 1000;

const contents: Readonly<Record<string, typeof rolesFile>> = {
  agents: agentsFile,
  bots: botsFile,
  extensions: extensionsFile,
  "keyword-lists": keywordListsFile,
  "moderation-reasons": moderationReasonsFile,
  "moderation-rules": moderationRulesFile,
  notifications: notificationsFile,
  roles: rolesFile,
  settings: settingsFile,
  webhooks: webhooksFile,
};
const kinds = subjects.flatMap((subject) => subject.kinds);
const { appIds, drift, connect, webhookUrlOf, log, count, now } = buildKeepingServices();

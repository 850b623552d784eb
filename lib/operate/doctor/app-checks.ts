import { lazy } from "../../base/lazy.ts";
import { type AppSecretState, readAppSecretState, type SecretCredentials } from "./app-secret-state.ts";
import { checkApiKey } from "./check-api-key.ts";
import { checkArrivals } from "./check-arrivals.ts";
import { type CanaryMeans, checkCanary } from "./check-canary.ts";
import { changedAtMsOf, checkDeliveries } from "./check-deliveries.ts";
import { checkFailing } from "./check-failing.ts";
import { checkPaused } from "./check-paused.ts";
import { checkReceiver } from "./check-receiver.ts";
import { checkRotation, checkSecret, withoutSecret } from "./check-secret.ts";
import { checkWaiting } from "./check-waiting.ts";
import {
  type AppWebhooks,
  checkLegacyWebhooks,
  checkRetries,
  checkTriggers,
  checkWebhook,
  sortWebhooks,
  withoutManagement,
} from "./check-webhooks.ts";
import type { DeployedFacts } from "./deployed-facts.ts";
import { type DoctorServices, needsOf } from "./doctor-services.ts";
import { type CheckName, type Found, ok, unknown } from "./finding.ts";
import type { Check } from "./run-checks.ts";
import type { WebhookLists } from "./webhook-lists.ts";

export interface AppChecksOptions {
  /** Undefined if the deployed code reports none. */
  readonly facts: DeployedFacts | undefined;
  /** Undefined if no canaries may be sent. */
  readonly canary: CanaryMeans | undefined;
  /** Also reports pauses and counts, which otherwise alarms report. */
  readonly isForOperator: boolean;
}

/** Reads shared inputs once. */
export function appChecks(
  appId: string,
  services: DoctorServices,
  { facts, canary, isForOperator }: AppChecksOptions,
): readonly Check[] {
  const secret = lazy(() => readAppSecretState(appId, services));
  const webhooks = lazy(async () => {
    const lists = await services.webhookLists();
    if (lists === undefined) return undefined;
    return { lists, sorted: sortWebhooks(appId, services.httpUrl, await lists.current(appId)) };
  });
  const withSecret = async (look: (credentials: SecretCredentials) => Promise<Found>): Promise<Found> => {
    const state = await secret();
    return state.kind === "fit" ? look(state.credentials) : withoutSecret;
  };
  const withWebhooks = async (
    look: (found: Listed) => Promise<Found | readonly Found[]> | Found | readonly Found[],
  ) => {
    const listed = await webhooks();
    return listed === undefined ? withoutManagement(appId, services) : look(listed);
  };
  const check = (name: CheckName, run: Check["run"], limitMs?: number): Check => ({
    name,
    appId,
    run,
    ...(limitMs !== undefined && { limitMs }),
  });
  const users = facts?.canaries.find((one) => one.appId === appId);
  const { recentLogs } = services;
  const isServed = facts === undefined || facts.appIds.includes(appId);

  return [
    check("secret", async () => checkSecret(appId, await secret(), services)),
    check("rotation", () => checkRotation(appId, services)),
    check("key", () => withSecret((credentials) => checkApiKey(credentials, services))),
    check("webhook", () =>
      withWebhooks(async ({ sorted }) => checkWebhook(appId, sorted, await orUnfit(secret()), services)),
    ),
    check("triggers", () => withWebhooks((listed) => checkSubscribed(appId, listed, services, facts))),
    check("retries", () => withWebhooks(({ sorted }) => checkRetries(appId, sorted, services))),
    check("legacy-webhooks", () =>
      withWebhooks(async ({ lists }) => checkLegacyWebhooks(await lists.legacy(appId), services)),
    ),
    check("receiver", async () =>
      isServed
        ? withSecret((credentials) => checkReceiver(credentials, services))
        : unknown("The app is not served by what is deployed."),
    ),
    ...(isForOperator
      ? [
          check("deliveries", async () => {
            const listed = await webhooks().catch(() => undefined);
            return checkDeliveries(appId, services, listed?.sorted.own ?? []);
          }),
          ...(recentLogs === undefined
            ? []
            : [
                check("arrivals", () =>
                  withSecret(async (credentials) => {
                    const own = (await webhooks().catch(() => undefined))?.sorted.own;
                    const isOn = own === undefined || own.some(({ enabled }) => enabled !== false);
                    if (!isOn) return unknown("It cannot be checked without a webhook.");
                    if (needsOf(facts, appId)?.webhook.message_sent === undefined)
                      return ok("No trigger needs messages.");
                    return checkArrivals(
                      credentials,
                      services,
                      recentLogs,
                      changedAtMsOf(own ?? [], services),
                    );
                  }),
                ),
                check("failing", () => checkFailing(appId, services, recentLogs)),
              ]),
          check("paused", () => checkPaused(appId, services, facts)),
          check("waiting", () => checkWaiting(appId, services)),
        ]
      : []),
    ...(canary !== undefined && users !== undefined
      ? [
          check(
            "canary",
            () => withSecret((credentials) => checkCanary(credentials, users, services, canary)),
            canary.patienceMs + marginMs,
          ),
        ]
      : []),
    ...(canary !== undefined && users === undefined && isForOperator
      ? [check("canary", async () => noCanary(services))]
      : []),
  ];
}

function noCanary({ remedies }: DoctorServices): Found {
  return unknown(
    "No canary was sent: what is deployed names no users for it. Name two in config/canary.yml first.",
    remedies.deploy,
  );
}

/** For sending and deleting it. */
const marginMs = 30_000;

interface Listed {
  readonly lists: WebhookLists;
  readonly sorted: AppWebhooks;
}

async function checkSubscribed(
  appId: string,
  { lists, sorted }: Listed,
  services: DoctorServices,
  facts: DeployedFacts | undefined,
): Promise<Found> {
  const { own, misled } = sorted;
  const [webhook] = [...own.filter(({ enabled }) => enabled !== false), ...own, ...misled];
  if (webhook === undefined) return unknown("It cannot be checked without a webhook.");
  return checkTriggers(appId, await lists.triggersOf(appId, webhook.id), needsOf(facts, appId), services);
}

/** A webhook's comparison works without a readable secret. */
function orUnfit(secret: Promise<AppSecretState>): Promise<AppSecretState> {
  return secret.catch(() => ({ kind: "missing" }) as const);
}

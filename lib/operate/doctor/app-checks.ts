import { lazy } from "../../base/lazy.ts";
import { isCode, refusesCredentials } from "../../chat/is-code.ts";
import {
  checkRotation,
  readAppSecretState,
  type SecretCredentials,
  withoutSecret,
} from "./app-secret-state.ts";
import { checkArrivals } from "./check-arrivals.ts";
import { type CanaryMeans, checkCanary } from "./check-canary.ts";
import { checkApiKey, checkPlan, checkReceiver, checkReplaced } from "./check-credentials.ts";
import { changedAtMsOf, checkDeliveries } from "./check-deliveries.ts";
import { checkFailing } from "./check-failing.ts";
import { checkPaused, checkWaiting } from "./check-queues.ts";
import {
  checkLegacyWebhooks,
  checkRetries,
  checkTriggers,
  checkWebhook,
  isOn,
  sortWebhooks,
  withoutWebhook,
} from "./check-webhooks.ts";
import type { DeployedFacts } from "./deployed-facts.ts";
import { type DoctorServices, managementSecretIdOf, needsOf } from "./doctor-services.ts";
import {
  type Check,
  type CheckName,
  type Looked,
  ok,
  platformFails,
  unknown,
  without,
  wrong,
} from "./run-checks.ts";

export interface AppChecksOptions {
  readonly facts: DeployedFacts | undefined;
  /** Undefined if no canaries may be sent. */
  readonly canary: CanaryMeans | undefined;
  /** Also reports pauses and counts, which have alarms otherwise. */
  readonly isForOperator: boolean;
}

export function appChecks(
  appId: string,
  services: DoctorServices,
  { facts, canary, isForOperator }: AppChecksOptions,
): readonly Check[] {
  const app = lookAt(appId, services, facts);
  let isReported = false;
  const lookAs = async (look: Look) => {
    try {
      return await look(app);
    } catch (error) {
      if (!isForOperator) throw error;
      const found = platformFails(error, services.remedies.logs(appId));
      if (isReported) return without("no answer", "It cannot be checked while the platform fails.");
      isReported = true;
      return found;
    }
  };
  const rows = isForOperator ? [...checks, ...operatorsChecks] : checks;
  const found = rows.map(([name, look]): Check => ({ name, appId, run: () => lookAs(look) }));
  if (canary === undefined) return found;
  const users = facts?.canaries.find((one) => one.appId === appId);
  if (users !== undefined) {
    const look = withSecret((credentials) => checkCanary(credentials, users, services, canary));
    found.push({ name: "canary", appId, run: () => look(app), limitMs: canary.maxWaitMs + marginMs });
  } else if (isForOperator) {
    const says =
      "No canary was sent: what is deployed names no users for it. Name two in config/canary.yml first.";
    found.push({ name: "canary", appId, run: async () => unknown(says, services.remedies.deploy) });
  }
  return found;
}

const marginMs = 30_000;

function lookAt(appId: string, services: DoctorServices, facts: DeployedFacts | undefined) {
  return {
    appId,
    services,
    facts,
    secret: lazy(() => readAppSecretState(appId, services)),
    webhooks: lazy(async () => {
      const lists = await services.webhookLists();
      if (lists === undefined) return undefined;
      const current = await lists.current(appId);
      return {
        lists,
        sorted: sortWebhooks(appId, services.httpUrl, current),
        legacy: lazy(() => lists.legacy(appId, current)),
      };
    }),
  };
}

type LookedAt = ReturnType<typeof lookAt>;
type Listed = NonNullable<Awaited<ReturnType<LookedAt["webhooks"]>>>;
type Look = (app: LookedAt) => Looked | Promise<Looked>;

const checks: readonly (readonly [CheckName, Look])[] = [
  [
    "secret",
    async ({ appId, secret, webhooks, services }) => {
      const { found } = await secret();
      if (found.status !== "wrong") return found;
      const isGone = await webhooks().then(
        () => false,
        (error: unknown) => isCode(error, "ERR_APP_NOT_FOUND"),
      );
      return isGone ? { ...found, remedy: services.remedies.addApp(appId) } : found;
    },
  ],
  [
    "rotation",
    async ({ appId, services }) => {
      const found = await checkRotation(appId, services);
      const others = (await services.checkSchedule?.(appId)) ?? [];
      return others.length > 0 && found.status === "ok" ? others : [found, ...others];
    },
  ],
  ["key", withSecret((credentials, { services }) => checkApiKey(credentials, services))],
  [
    "webhook",
    withWebhooks(async ({ sorted }, { appId, secret, services }) => {
      const state = await secret().catch(() => undefined);
      return checkWebhook(appId, sorted, state?.credentials, services);
    }, true),
  ],
  [
    "triggers",
    withWebhooks(async ({ lists, sorted: { own, misled } }, { appId, services, facts }) => {
      const webhook = own[0] ?? misled[0];
      if (webhook === undefined) return withoutWebhook;
      const subscribed = await lists.triggersOf(appId, webhook.id);
      return checkTriggers(appId, subscribed, needsOf(facts, appId), services);
    }),
  ],
  ["retries", withWebhooks(({ sorted }, { appId, services }) => checkRetries(appId, sorted, services))],
  [
    "legacy-webhooks",
    withWebhooks(async ({ legacy }, { services }) => checkLegacyWebhooks(await legacy(), services)),
  ],
  [
    "receiver",
    (app) =>
      app.facts?.appIds.includes(app.appId) === false
        ? unknown("The app is not served by what is deployed.")
        : withSecret(async (credentials) => {
            const found = await checkReceiver(credentials, app.services);
            const replaced = async () => checkReplaced(app.appId, app.services, await ownWebhooks(app));
            return found.status === "ok" ? ((await replaced()) ?? found) : found;
          })(app),
  ],
];

const operatorsChecks: typeof checks = [
  ["deliveries", async (app) => checkDeliveries(app.appId, app.services, await readFixes(app))],
  [
    "arrivals",
    withSecret(async (credentials, app) => {
      const { appId, services, facts } = app;
      if (services.recentLogs === undefined) return [];
      const own = await ownWebhooks(app);
      if (own !== undefined && !own.some(isOn)) return withoutWebhook;
      if (needsOf(facts, appId)?.webhook.message_sent === undefined) return ok("No trigger needs messages.");
      const { changedAtMs } = await readFixes(app);
      const canary = facts?.canaries.find((one) => one.appId === appId);
      return checkArrivals(credentials, services, services.recentLogs, { changedAtMs, canary });
    }),
  ],
  [
    "failing",
    ({ appId, services, facts }) =>
      services.recentLogs === undefined ? [] : checkFailing(appId, services, services.recentLogs, facts),
  ],
  ["paused", ({ appId, services, facts }) => checkPaused(appId, services, facts)],
  [
    "waiting",
    ({ appId, services, facts }) =>
      checkWaiting(appId, services, facts?.triggers.map(({ name }) => name) ?? []),
  ],
  [
    "plan",
    async ({ secret, services }) => {
      const state = await secret().catch(() => undefined);
      return state?.credentials ? checkPlan(state.credentials, services) : [];
    },
  ],
];

function withSecret(look: (credentials: SecretCredentials, app: LookedAt) => Looked | Promise<Looked>) {
  return async (app: LookedAt): Promise<Looked> => {
    const { credentials } = await app.secret();
    return credentials ? look(credentials, app) : withoutSecret;
  };
}

/** @param reportsRefusal false in all checks but one */
function withWebhooks(
  look: (listed: Listed, app: LookedAt) => Looked | Promise<Looked>,
  reportsRefusal = false,
): Look {
  return async (app) => {
    const { remedies, secretPrefix } = app.services;
    const secretId = managementSecretIdOf(secretPrefix);
    let listed: Listed | undefined;
    try {
      listed = await app.webhooks();
    } catch (error) {
      const isGone = isCode(error, "ERR_APP_NOT_FOUND");
      if (!isGone && !refusesCredentials(error)) throw error;
      if (!reportsRefusal) return withoutWebhook;
      if (isGone) return wrong(`The platform has no app ${app.appId}.`, remedies.addApp(app.appId));
      return wrong(
        `The platform refuses the management credentials (the secret ${secretId}).`,
        remedies.setManagement(app.appId),
      );
    }
    if (listed !== undefined) return look(listed, app);
    return unknown(
      `There are no management credentials (the secret ${secretId}): look in the dashboard, Webhooks, or let setup keep some. The scheduled doctor reads them where config/stages.yml says management: true.`,
      remedies.setUpApp(app.appId),
    );
  };
}

async function readFixes({ webhooks, secret, services }: LookedAt) {
  const state = await secret().catch(() => undefined);
  const secretAtMs = state?.webhookChangedAt ?? 0;
  const without = { over: [], changedAtMs: secretAtMs, changedFromMs: secretAtMs };
  try {
    const listed = await webhooks();
    if (listed === undefined) return { ...without, isKnown: true };
    const { own, misled, elsewhere } = listed.sorted;
    const ofLegacy = await listed.legacy();
    const legacy = checkLegacyWebhooks(ofLegacy, services);
    const webhooksAtMs = changedAtMsOf([...own, ...misled, ...elsewhere, ...ofLegacy], services);
    return {
      // A deleted webhook leaves no time of its change.
      over: [
        ...(own.filter(isOn).length < 2 ? ["TwoWebhooks"] : []),
        ...(legacy.status === "ok" ? ["TwoEngines"] : []),
      ],
      changedAtMs: Math.max(secretAtMs, webhooksAtMs),
      changedFromMs: Math.max(secretAtMs, webhooksAtMs - 1_000),
      isKnown: own.length > 0 || legacy.status === "wrong",
      ...(legacy.status === "wrong" && { remedy: legacy.remedy }),
    };
  } catch {
    return { ...without, isKnown: false };
  }
}

async function ownWebhooks({ webhooks }: LookedAt) {
  return (await webhooks().catch(() => undefined))?.sorted.own;
}

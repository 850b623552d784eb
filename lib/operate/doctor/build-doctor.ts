import { createAwsCaller } from "../../aws/aws-call.ts";
import { createTable } from "../../aws/create-table.ts";
import { createReadSecret } from "../../aws/secrets/secret-reader.ts";
import { servedAppIds } from "../../aws/served-app-ids.ts";
import { mapConcurrently, startElsewhere } from "../../base/batching.ts";
import { readAwsEnvironment, readSetting, readSettingOr } from "../../base/config.ts";
import { OwnError } from "../../base/errors.ts";
import { lazy, lazyByKey } from "../../base/lazy.ts";
import { createProcessLog, forRequest, type ProcessLog } from "../../base/log.ts";
import { readSecretAges } from "../../base/secret-ages.ts";
import { pause } from "../../base/timers.ts";
import { createLeanFetch } from "../../chat/lean-fetch.ts";
import type { Settings } from "../../chat/settings-from.ts";
import { createGuardKeys, createLoopGuard } from "../../events/marks/loop-guard.ts";
import { deployedFlows, type FlowTable } from "../../flows/define-flow.ts";
import type { CanarySettings } from "../../handle/canary/canary-settings.ts";
import { enabledTriggers } from "../../handle/enabled-triggers.ts";
import type { TriggerTable } from "../../handle/on-trigger.ts";
import { appChecks } from "./app-checks.ts";
import type { CanaryMeans } from "./check-canary.ts";
import { queueChecks } from "./check-queues.ts";
import type { DeployedFacts } from "./deployed-facts.ts";
import { type DoctorServices, openWebhookLists } from "./doctor-services.ts";
import { collectFacts } from "./needed-triggers.ts";
import { remediesFor } from "./remedies.ts";
import { type Check, type Finding, runChecks } from "./run-checks.ts";

export function buildDoctor({
  triggers,
  flows,
  canary,
}: {
  readonly triggers: TriggerTable;
  readonly flows: FlowTable;
  readonly canary: Settings<CanarySettings>;
}) {
  const facts = lazy(() => ({
    restartsFlows: true,
    ...collectFacts({
      appIds: servedAppIds(),
      enabled: enabledTriggers(triggers, readSettingOr("ENABLED_TRIGGERS", "")),
      flows: deployedFlows(flows),
      canary,
      isReconciled: readSettingOr("RECONCILE", "off") !== "off",
    }),
  }));
  const guardKeys = createGuardKeys({
    readSecret: createReadSecret(),
    secretId: readSetting("LOOP_GUARD_SECRET_ID"),
    now: Date.now,
  });
  const canaryMeans = { guardOf: lazyByKey((appId: string) => createLoopGuard(guardKeys, appId)) };
  const processLog = createProcessLog("doctor");
  return {
    facts,
    /** @throws DoctorBlindError */
    examine: (remainingMs: number, requestId?: string) =>
      examineDeployment(facts(), Date.now() + remainingMs, {
        ...buildServices(),
        ...forRequest(processLog, requestId),
        canaryMeans,
      }),
  };
}

/** Per run, which may follow a change of credentials. */
function buildServices(): DoctorServices {
  const callAws = createAwsCaller(readAwsEnvironment());
  const fetch = createLeanFetch(Date.now);
  return {
    callAws,
    fetch,
    secretPrefix: readSetting("SECRET_PREFIX"),
    queueUrls: {
      events: readSetting("EVENTS_QUEUE_URL"),
      deadLetters: readSetting("DEAD_LETTER_QUEUE_URL"),
      quarantine: readSetting("QUARANTINE_QUEUE_URL"),
    },
    lanes: createTable({ callAws, tableName: readSetting("LANES_TABLE_NAME"), sortKey: "item" }),
    httpUrl: readSetting("HTTP_API_URL"),
    chatBaseUrlTemplate: readSetting("CHAT_BASE_URL_TEMPLATE"),
    webhookLists: lazy(() =>
      openWebhookLists({
        callAws,
        fetch,
        managementSecretId: readSettingOr("MANAGEMENT_SECRET_ID", ""),
        baseUrl: readSetting("CHAT_MANAGEMENT_URL"),
      }),
    ),
    previousMs: readSecretAges().previousMs,
    remedies: remediesFor(`--stage ${readSetting("STAGE")}`),
    now: Date.now,
    sleep: pause,
  };
}

export interface ExamineServices extends DoctorServices, ProcessLog {
  readonly canaryMeans: Pick<CanaryMeans, "guardOf">;
}

class DoctorBlindError extends OwnError {
  override readonly name = "DoctorBlindError";

  constructor({ check, says }: Finding) {
    super(`The doctor could look at nothing. ${check}: ${says}`);
  }
}

/** Counted by check, and in total without that dimension. Counts zeros too, which differ from silence. */
const failedMetric = "DoctorFailed";
/** Canaries that did not arrive. Dimensions: `deployment`, `appId`. */
const canaryFailedMetric = "CanaryFailed";
/** Canaries that arrived. Dimensions: as above. */
const canaryTimeMetric = "CanaryMilliseconds";

/**
 * Examines apps in a different order each time.
 * @throws DoctorBlindError if no check had a result: counted, that would look healthy
 * @param deadlineMs milliseconds since 1970
 */
export async function examineDeployment(facts: DeployedFacts, deadlineMs: number, services: ExamineServices) {
  const { log, count, now, sleep, secretPrefix: deployment, canaryMeans } = services;
  const canary = {
    ...canaryMeans,
    maxWaitMs: canaryMaxWaitMs,
    onTimes: (appId: string, { totalMs }: { readonly totalMs: number }) =>
      count(canaryTimeMetric, { deployment, appId }, {}, { value: totalMs }),
  };
  const findings: Finding[] = [];
  const notLookedAt: string[] = [];
  const look = async (checks: readonly Check[]) => {
    findings.push(...(await runChecks(checks, { atOnce: checksAtOnce, limitMs: checkLimitMs, sleep })));
  };
  await look(queueChecks(services));
  await mapConcurrently(startElsewhere(facts.appIds, now()), appsAtOnce, async (appId) => {
    if (now() + appTimeMs > deadlineMs) notLookedAt.push(appId);
    else await look(appChecks(appId, services, { facts, canary, isForOperator: false }));
  });

  const [first] = findings;
  if (first !== undefined && findings.every(({ status }) => status === "unknown")) {
    throw new DoctorBlindError(first);
  }
  const failed = findings.filter(({ status }) => status === "wrong");
  for (const finding of failed) log.warn("the doctor found something wrong", { ...finding });
  if (notLookedAt.length > 0) log.warn("the doctor had no time for all apps", { apps: notLookedAt.length });
  count(failedMetric, { deployment }, {}, { value: failed.length });
  for (const [check, ofCheck] of Map.groupBy(failed, (finding) => finding.check)) {
    count(failedMetric, { deployment, check }, {}, { value: ofCheck.length });
  }
  for (const { appId = "", status } of findings.filter(({ check }) => check === "canary")) {
    if (status !== "unknown") {
      count(canaryFailedMetric, { deployment, appId }, {}, { value: status === "wrong" ? 1 : 0 });
    }
  }
  return {
    ok: findings.filter(({ status }) => status === "ok").length,
    findings: findings.filter(({ status }) => status !== "ok"),
    notLookedAt,
  };
}

/** The platform limits requests by app. */
const checksAtOnce = 5;
const appsAtOnce = 10;
const checkLimitMs = 20_000;
const canaryMaxWaitMs = 45_000;
const appTimeMs = 80_000;

export type DoctorReport = Awaited<ReturnType<typeof examineDeployment>>;

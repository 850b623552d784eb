import { createAwsCaller } from "../../aws/aws-call.ts";
import { createTable } from "../../aws/create-table.ts";
import { createReadSecret } from "../../aws/secrets/secret-reader.ts";
import { servedAppIds } from "../../aws/served-app-ids.ts";
import { readAwsEnvironment, readSetting, readSettingOr } from "../../base/config.ts";
import { lazy, lazyByKey } from "../../base/lazy.ts";
import { pause } from "../../base/pause.ts";
import { createProcessLog, forRequest } from "../../base/process-log.ts";
import { readSecretAges } from "../../base/secret-ages.ts";
import { createLeanFetch } from "../../chat/lean-fetch.ts";
import type { Settings } from "../../chat/settings-from.ts";
import { createGuardKeys } from "../../events/marks/guard-keys.ts";
import { createLoopGuard } from "../../events/marks/loop-guard.ts";
import { deployedFlows, type FlowTable } from "../../flows/define-flow.ts";

import type { CanarySettings } from "../../handle/canary/canary-settings.ts";
import { enabledTriggers } from "../../handle/enabled-triggers.ts";
import type { TriggerTable } from "../../handle/on-trigger.ts";
import { collectFacts } from "./collect-facts.ts";
import type { DeployedFacts } from "./deployed-facts.ts";
import type { DoctorReport } from "./doctor-report.ts";
import type { DoctorServices } from "./doctor-services.ts";
import { examineDeployment } from "./examine-deployment.ts";
import { remediesFor } from "./remedies.ts";
import { openWebhookLists } from "./webhook-lists.ts";

export interface Doctor {
  facts(): DeployedFacts;
  /** @throws DoctorBlindError */
  examine(remainingMs: number, requestId?: string): Promise<DoctorReport>;
}

/** Once per cold start. */
export function buildDoctor({
  triggers,
  flows,
  canary,
}: {
  readonly triggers: TriggerTable;
  readonly flows: FlowTable;
  readonly canary: Settings<CanarySettings>;
}): Doctor {
  const facts = lazy(() =>
    collectFacts({
      appIds: servedAppIds(),
      enabled: enabledTriggers(triggers, readSettingOr("ENABLED_TRIGGERS", "")),
      flows: deployedFlows(flows),
      canary,
      isReconciled: readSettingOr("RECONCILE", "off") !== "off",
    }),
  );
  const guardKeys = createGuardKeys({
    readSecret: createReadSecret(),
    secretId: readSetting("LOOP_GUARD_SECRET_ID"),
    now: Date.now,
  });
  const canaryMeans = { guardOf: lazyByKey((appId: string) => createLoopGuard(guardKeys, appId)) };
  const told = createProcessLog("doctor");
  return {
    facts,
    examine: (remainingMs, requestId) =>
      examineDeployment(facts(), Date.now() + remainingMs, {
        ...buildServices(),
        ...forRequest(told, requestId),
        canaryMeans,
      }),
  };
}

/** For each run: it may follow a change of credentials. */
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
        ...{ callAws, fetch, managementSecretId: readSettingOr("MANAGEMENT_SECRET_ID", "") },
        baseUrl: readSetting("CHAT_MANAGEMENT_URL"),
      }),
    ),
    previousMs: readSecretAges().previousMs,
    remedies: remediesFor(`--stage ${readSetting("STAGE")}`),
    now: Date.now,
    sleep: pause,
  };
}

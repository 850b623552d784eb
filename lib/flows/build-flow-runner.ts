import { type AwsCallerEdges, createAwsCaller } from "../aws/aws-call.ts";
import { createTable } from "../aws/create-table.ts";
import { composeOn } from "../chat/compose.ts";
import { connectApp } from "../chat/connect-app.ts";
import { connectLater } from "../chat/connect-later.ts";
import type { Guard } from "../chat/guard.ts";
import { createLeanFetch, type Fetch } from "../chat/lean-fetch.ts";
import { readAwsEnvironment, readList, readNumberOr, readSetting } from "../config.ts";
import { createAnswerBook, mostAnswers } from "../effects/answer-book.ts";
import { createGuardKeys } from "../effects/guard-keys.ts";
import { createLedger } from "../effects/ledger.ts";
import { createLoopGuard } from "../effects/loop-guard.ts";
import { createPerform } from "../effects/perform.ts";
import { joinFields } from "../events/identity.ts";
import { createAppHealth } from "../health/app-health.ts";
import { createHealthStore } from "../health/health-store.ts";
import type { RequestRules } from "../http-effect/allowed-hosts.ts";
import type { SendOutside, WatchOutside } from "../http-effect/outside.ts";
import { readPlaces } from "../http-effect/places.ts";
import { createIsOpenAddress } from "../http-effect/public-address.ts";
import { createSendOutside } from "../http-effect/send-outside.ts";
import { lazy, lazyByKey } from "../lazy.ts";
import { pause } from "../pause.ts";
import { createProcessLog, type ProcessLog } from "../process-log.ts";
import { createAppCredentials } from "../secrets/app-credentials.ts";
import { createNamedSecrets } from "../secrets/named-secrets.ts";
import { readSecretAges } from "../secrets/secret-ages.ts";
import { createReadSecret, type ReadSecret } from "../secrets/secret-reader.ts";
import type { Settings } from "../settings/settings-from.ts";
import { shadowSetFor } from "../shadow/shadow-settings.ts";
import { createShowOnly } from "../shadow/show-only.ts";
import { createAttemptScope } from "../triggers/attempt-scope.ts";
import { checkFlowNames, type FlowTable } from "./define-flow.ts";
import { createDurableApi } from "./durable-api.ts";
import { createDurableClient } from "./durable-client.ts";
import { createFlowCancels } from "./flow-cancels.ts";
import { createFlowMarks } from "./flow-marks.ts";
import { createFlowStarter } from "./flow-starter.ts";
import { createFlowWaits } from "./flow-waits.ts";
import { createFlowHandler, type FlowHandler, type FlowRunServices } from "./run-flows.ts";

/** Everything outside the process that the flows function touches. */
export interface FlowEdges extends ProcessLog {
  readonly aws: AwsCallerEdges;
  readonly fetch: Fetch;
  /** How hosts other than the platform's are reached. */
  readonly sendOutside: SendOutside;
  readonly readSecret: ReadSecret;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Gives numbers from 0 up to 1. */
  readonly random: () => number;
  /** Gives a text that nobody else gives. */
  readonly token: () => string;
}

/** Steps are tried as long as events are; 13 days at most, as theirs. */
const mostPatienceHours = 13 * 24;

/** Builds the handler once per cold start, on the real world and the function's own settings. */
export function buildFlowRunner(flows: FlowTable, requestRules: Settings<RequestRules>): FlowHandler {
  return createFlowRunner(flows, requestRules, {
    aws: {},
    fetch: createLeanFetch(Date.now),
    sendOutside: createSendOutside({
      isOpenAddress: createIsOpenAddress(readList("REQUEST_PRIVATE_NETWORKS")),
      placeOf: readPlaces(readList("REQUEST_CONNECT_TO")),
    }),
    readSecret: createReadSecret(),
    now: Date.now,
    sleep: pause,
    random: Math.random,
    token: () => crypto.randomUUID(),
    ...createProcessLog("flows"),
  });
}

/** Builds the handler on edges of the caller's; settings come from the environment. */
export function createFlowRunner(
  flows: FlowTable,
  requestRules: Settings<RequestRules>,
  edges: FlowEdges,
): FlowHandler {
  checkFlowNames(flows);
  const { readSecret, now, sleep, random, token, log, count } = edges;
  const callAws = createAwsCaller(readAwsEnvironment(), edges.aws);
  const tableOf = (tableName: string, sortKey?: string) =>
    createTable({ callAws, tableName, sleep, ...(sortKey !== undefined && { sortKey }) });
  const effects = tableOf(readSetting("EFFECTS_TABLE_NAME"));
  const healthStore = createHealthStore(tableOf(readSetting("LANES_TABLE_NAME"), "item"), now);
  const flowsTable = tableOf(readSetting("FLOWS_TABLE_NAME"), "flow");
  const secretPrefix = readSetting("SECRET_PREFIX");
  const baseUrlTemplate = readSetting("CHAT_BASE_URL_TEMPLATE");
  const patienceMs = readNumberOr("PATIENCE_HOURS", 24, mostPatienceHours) * 60 * 60_000;
  const ages = readSecretAges();
  const guardKeys = createGuardKeys({
    readSecret,
    secretId: readSetting("LOOP_GUARD_SECRET_ID"),
    ages,
    now,
    random,
  });
  const ledger = createLedger({ table: effects, now });
  const limit = readNumberOr("ANSWER_LIMIT", 20, mostAnswers);
  const windowMs = readNumberOr("ANSWER_WINDOW_MINUTES", 10) * 60_000;
  const answers = createAnswerBook({ table: effects, ledger, limit, windowMs, now, token });
  const guardOf = lazyByKey((appId: string) => createLoopGuard(guardKeys, appId));
  const credentialsOf = lazyByKey((appId: string) =>
    createAppCredentials({ readSecret, secretPrefix, appId, ages, now, random }),
  );
  const connections = lazyByKey((appAndRegion: string) => {
    const [appId = ""] = appAndRegion.split(" ");
    return connectApp(credentialsOf(appId), baseUrlTemplate, { fetch: edges.fetch, now, sleep, random });
  });
  const secretOf = createNamedSecrets({ readSecret, secretPrefix, ages, now });
  const marks = createFlowMarks(flowsTable, now);
  const waits = createFlowWaits(flowsTable, now);
  const cancels = createFlowCancels(flowsTable, now);
  const callDurable = createDurableApi(callAws);
  const starter = createFlowStarter({ callAws, marks, functionName: readSetting("FLOWS_FUNCTION_NAME") });

  const runOf: FlowRunServices["runOf"] = ({ flow, id, appId, region, log, names, remainingMs }) => {
    const connection = connectLater(async () =>
      connections(`${appId} ${(await credentialsOf(appId).get()).region}`),
    );
    // What an app's health was is read again by each invocation; between two of them may lie a year.
    const health = lazy(async () =>
      createAppHealth({ appId, record: await healthStore.read(appId), store: healthStore, now }),
    );
    const key = joinFields([appId, `flow ${flow}`, id]);
    return {
      id,
      app: { appId, region },
      log,
      steps: { now, random, patienceMs, remainingMs, log: edges.log, names },
      performFor: ({ begunAt, deadlineMs }) => {
        const scope = createAttemptScope(`flow ${id}`, deadlineMs, now);
        const guard: Guard = async (request, options, send) => {
          const { hostOf } = await connection.open();
          return (await health()).guardOf(scope, hostOf)(request, options, send);
        };
        const { call } = composeOn(connection, {}, guard);
        const watch: WatchOutside = async (...request) => (await health()).watchOf(scope)(...request);
        const tools = {
          ...{ appId, call, guard: guardOf(appId), answers, flows: starter, scope, now },
          secret: (name: string) => secretOf(appId, name),
          outside: { rules: requestRules.of(appId), send: edges.sendOutside, watch },
        };
        const shown = createShowOnly({ appId, name: flow, log, count }, tools, async () => key);
        const perform = createPerform({ ledger, tools, key, receivedAt: begunAt, token });
        return async (name, effect) => {
          // Asked in each try: whoever puts a flow in shadow need not wait for new ones.
          const { shadow } = await health();
          const isShadowed = shadowSetFor(shadow, "flow", flow) ?? false;
          return isShadowed ? shown(name, effect) : perform(name, effect);
        };
      },
      isOwn: (ofApp, message) => guardOf(ofApp).isOwn(message),
      ...{ marks, waits, cancels, callDurable },
    };
  };

  const client = createDurableClient(callDurable, token);
  return createFlowHandler(flows, { client, marks, cancels, runOf, log, count });
}

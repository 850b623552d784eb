import type { SQSBatchResponse, SQSRecord } from "aws-lambda";
import { type AwsCallerEdges, createAwsCaller, limitCalls } from "../aws/aws-call.ts";
import { createTable } from "../aws/create-table.ts";
import { connectApp } from "../chat/connect-app.ts";
import { createLeanFetch, type Fetch } from "../chat/lean-fetch.ts";
import { readAwsEnvironment, readList, readNumberOr, readSetting, readSettingOr } from "../config.ts";
import { createAnswerBook, mostAnswers } from "../effects/answer-book.ts";
import { createGuardKeys } from "../effects/guard-keys.ts";
import { createLedger } from "../effects/ledger.ts";
import { createLoopGuard } from "../effects/loop-guard.ts";
import { createOccurrenceMemory } from "../effects/occurrence-memory.ts";
import { createBury } from "../event-queue/bury.ts";
import { createQuarantine } from "../event-queue/quarantine.ts";
import { connectFlows, listedTriggers } from "../flows/connect-flows.ts";
import { checkFlowNames, type FlowTable } from "../flows/define-flow.ts";
import { createHealthStore } from "../health/health-store.ts";
import type { RequestRules } from "../http-effect/allowed-hosts.ts";
import type { SendOutside } from "../http-effect/outside.ts";
import { readPlaces } from "../http-effect/places.ts";
import { createIsOpenAddress } from "../http-effect/public-address.ts";
import { createSendOutside } from "../http-effect/send-outside.ts";
import { consumeBatch } from "../lanes/consume-batch.ts";
import { createDeleteRecords } from "../lanes/delete-records.ts";
import { createHandBack } from "../lanes/hand-back.ts";
import type { LaneSource } from "../lanes/lane-record.ts";
import { createLaneStore } from "../lanes/lane-store.ts";
import { createSendTicket } from "../lanes/ticket.ts";
import { lazyByKey } from "../lazy.ts";
import { pause } from "../pause.ts";
import { createScheduleCheck } from "../phone-calls/call-check.ts";
import { createCallTable } from "../phone-calls/call-table.ts";
import { createCallTracker } from "../phone-calls/call-tracker.ts";
import { createProcessLog, forRequest, type ProcessLog } from "../process-log.ts";
import { countReceived } from "../reconcile/count-received.ts";
import { createAppCredentials } from "../secrets/app-credentials.ts";
import { createNamedSecrets } from "../secrets/named-secrets.ts";
import { readSecretAges } from "../secrets/secret-ages.ts";
import { createReadSecret, type ReadSecret } from "../secrets/secret-reader.ts";
import type { Settings } from "../settings/settings-from.ts";
import { attemptEvent } from "./attempt-event.ts";
import { enabledTriggers } from "./enabled-triggers.ts";
import { createEventNotices } from "./event-notices.ts";
import { isWanted, type TriggerTable } from "./on-trigger.ts";

/** Everything outside the process that the consumer touches. */
export interface ConsumerEdges extends ProcessLog {
  /** How AWS is reached. */
  readonly aws: AwsCallerEdges;
  readonly fetch: Fetch;
  /** How hosts other than the platform's are reached. */
  readonly sendOutside: SendOutside;
  readonly readSecret: ReadSecret;
  readonly now: () => number;
  /** Waits; rejects when the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Gives numbers from 0 up to 1. */
  readonly random: () => number;
  /** Gives a text that nobody else gives. */
  readonly token: () => string;
}

/**
 * Handles a batch within the time that is left of the invocation, in milliseconds. Its lines in the log carry the
 * invocation's request id.
 */
export type Consume = (
  records: readonly SQSRecord[],
  remainingMs: number,
  requestId?: string,
) => Promise<SQSBatchResponse>;

/** The lanes table forgets an event 30 days after it was parked (lib/lanes/lane-store.ts), 14 of them perhaps without a consumer. */
const mostPatienceHours = 13 * 24;

/** What is left for the answer when the function's time is nearly up. */
const marginMs = 2_000;

/** Builds the consumer once per cold start, on the real world and the function's own settings. */
export function buildConsumer(
  triggers: TriggerTable,
  requestRules: Settings<RequestRules>,
  flows: FlowTable = [],
): Consume {
  const edges = {
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
    ...createProcessLog("process-events"),
  };
  return createConsumer(triggers, requestRules, edges, flows);
}

/** Builds the consumer on edges of the caller's; settings come from the environment. */
export function createConsumer(
  triggers: TriggerTable,
  requestRules: Settings<RequestRules>,
  edges: ConsumerEdges,
  flows: FlowTable = [],
): Consume {
  checkFlowNames(flows);
  const { readSecret, now, sleep, random, token } = edges;
  const callAws = createAwsCaller(readAwsEnvironment(), edges.aws);
  const secretPrefix = readSetting("SECRET_PREFIX");
  const baseUrlTemplate = readSetting("CHAT_BASE_URL_TEMPLATE");
  const queueUrls = {
    events: readSetting("EVENTS_QUEUE_URL"),
    calls: readSetting("CALLS_QUEUE_URL"),
    tickets: readSetting("PARKED_LANES_QUEUE_URL"),
  };
  const tableNames = {
    effects: readSetting("EFFECTS_TABLE_NAME"),
    lanes: readSetting("LANES_TABLE_NAME"),
    calls: readSetting("CALLS_TABLE_NAME"),
    flows: readSetting("FLOWS_TABLE_NAME"),
    state: readSetting("STATE_TABLE_NAME"),
  };
  const flowsFunction = readSetting("FLOWS_FUNCTION_NAME");
  const quarantineQueueUrl = readSetting("QUARANTINE_QUEUE_URL");
  const deadLetterQueueUrl = readSetting("DEAD_LETTER_QUEUE_URL");
  const enabled = enabledTriggers(triggers, readSettingOr("ENABLED_TRIGGERS", ""));
  const known = new Set(Object.keys(triggers));
  const patienceMs = readNumberOr("PATIENCE_HOURS", 24, mostPatienceHours) * 60 * 60_000;
  const actsOnOldEvents = readSettingOr("ACT_ON_OLD_EVENTS", "false") === "true";
  const ages = readSecretAges();
  const countsReceived = readSettingOr("RECONCILE", "off") !== "off";
  const answerLimit = readNumberOr("ANSWER_LIMIT", 20, mostAnswers);
  const answerWindowMs = readNumberOr("ANSWER_WINDOW_MINUTES", 10) * 60_000;
  const guardKeys = createGuardKeys({
    readSecret,
    secretId: readSetting("LOOP_GUARD_SECRET_ID"),
    ages,
    now,
    random,
  });
  const guardOf = lazyByKey((appId: string) => createLoopGuard(guardKeys, appId));
  const credentialsOf = lazyByKey((appId: string) =>
    createAppCredentials({ readSecret, secretPrefix, appId, ages, now, random }),
  );
  const secretOf = createNamedSecrets({ readSecret, secretPrefix, ages, now });
  const outsideOf = (appId: string) => ({ rules: requestRules.of(appId), send: edges.sendOutside });
  const connections = lazyByKey((appAndRegion: string) => {
    const [appId = ""] = appAndRegion.split(" ");
    return connectApp(credentialsOf(appId), baseUrlTemplate, { fetch: edges.fetch, now, sleep, random });
  });
  // Whoever corrects the region in the secret need not wait for new processes.
  const connectionOf = async (appId: string) =>
    connections(`${appId} ${(await credentialsOf(appId).get()).region}`);
  const notices = createEventNotices({ log: edges.log, count: edges.count, now });
  const sourceOf = (queueArn: string): LaneSource | "tickets" => {
    const name = queueArn.slice(queueArn.lastIndexOf(":") + 1);
    if (queueUrls.calls.endsWith(`/${name}`)) return "calls";
    return queueUrls.tickets.endsWith(`/${name}`) ? "tickets" : "events";
  };

  return (records, remainingMs, requestId) => {
    const deadlineMs = now() + remainingMs - marginMs;
    const { log, count } = forRequest(edges, requestId);
    if (countsReceived) countReceived(records, secretPrefix, count, now());
    // Nothing that is asked of AWS takes longer than the function has.
    const call = limitCalls(callAws, deadlineMs);
    const tableOf = (tableName: string, sortKey?: string) =>
      createTable({ callAws: call, tableName, sleep, ...(sortKey !== undefined && { sortKey }) });
    const effects = tableOf(tableNames.effects);
    const lanes = tableOf(tableNames.lanes, "item");
    const ledger = createLedger({ table: effects, now });
    const attemptServices = {
      triggers: enabled.table,
      shadowed: enabled.shadowed,
      known,
      connectionOf,
      calls: createCallTracker({
        table: createCallTable(tableOf(tableNames.calls, "fact"), now),
        scheduleCheck: createScheduleCheck(call, queueUrls.calls),
        isWanted: (name) => isWanted(Object.values(enabled.table), name) || listedTriggers(flows).has(name),
      }),
      ledger,
      guardOf,
      secretOf,
      outsideOf,
      answers: createAnswerBook({
        table: effects,
        ledger,
        limit: answerLimit,
        windowMs: answerWindowMs,
        now,
        token,
      }),
      occurrences: createOccurrenceMemory(effects),
      ...connectFlows(flows, {
        callAws: call,
        table: tableOf(tableNames.flows, "flow"),
        functionName: flowsFunction,
        isOwn: (appId, message) => guardOf(appId).isOwn(message),
        now,
        log,
      }),
      stateTable: tableOf(tableNames.state),
      quarantine: createQuarantine(call, quarantineQueueUrl),
      ...{ notices, log, count, now, sleep, random, token, patienceMs, actsOnOldEvents },
    };
    return consumeBatch(records, deadlineMs, {
      attemptEvent: (attempt) => attemptEvent(attempt, attemptServices),
      store: createLaneStore(lanes, now),
      healthStore: createHealthStore(lanes, now),
      sendTicket: createSendTicket(call, queueUrls.tickets, token),
      bury: createBury(call, deadLetterQueueUrl, now),
      handBack: createHandBack(call, Object.values(queueUrls), log),
      deleteRecords: createDeleteRecords(call, Object.values(queueUrls), log),
      sourceOf,
      ...{ log, now, sleep, random, token, patienceMs },
    });
  };
}

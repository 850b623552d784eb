import type { SQSBatchResponse, SQSRecord } from "aws-lambda";
import { type AwsCaller, createAwsCaller, limitCalls } from "../aws/aws-call.ts";
import { createTable } from "../aws/create-table.ts";
import type { Table } from "../aws/table.ts";
import { readAwsEnvironment, readSetting, readSettingOr } from "../base/config.ts";
import { forRequest, type Log } from "../base/log.ts";
import { type Settings, sameForEveryApp } from "../chat/settings-from.ts";
import { createEffectServices, type EffectEdges, realEffectEdges } from "../effects/effect-services.ts";
import type { RequestRules } from "../effects/http/allowed-hosts.ts";
import { checkFlowNames, deployedFlows, type FlowTable } from "../flows/define-flow.ts";
import { completeCallback, createDurableApi } from "../flows/durable-api.ts";
import { createFlowMarks } from "../flows/flow-marks.ts";
import { createFlowStarter } from "../flows/flow-starter.ts";
import { createFlowWaits } from "../flows/flow-waits.ts";
import { createWaitMemory } from "../flows/wait-memory.ts";
import { createFlowWaker } from "../flows/wake-flows.ts";
import { createBatchRequests } from "../queue/lanes/batch-requests.ts";
import { consumeBatch } from "../queue/lanes/consume-batch.ts";
import { createHolds } from "../queue/lanes/holds.ts";
import type { LaneSource } from "../queue/lanes/lane-record.ts";
import { createNoteWait } from "../queue/lanes/lane-services.ts";
import { openLaneStores } from "../queue/lanes/lane-store.ts";
import { readOutageRoom } from "../queue/lanes/outage-room.ts";
import { createTicketSenders } from "../queue/lanes/ticket.ts";
import { createTriggerLanes } from "../queue/lanes/trigger-lanes.ts";
import { wakeAfterOutage, wakeAfterPause } from "../queue/lanes/wake-waiters.ts";
import { createPauseStore } from "../queue/pauses/pause-store.ts";
import type { RoomKey } from "../queue/pauses/waiting-room.ts";
import { createQuarantine } from "../queue/quarantine.ts";
import { createSendDeadLetter } from "../queue/send-dead-letter.ts";
import { attemptEvent } from "./attempt-event.ts";
import type { AttemptServices } from "./attempt-run.ts";
import { createCanaryRecorder, createCanaryStore } from "./canary/canary.ts";
import type { CanarySettings } from "./canary/canary-settings.ts";
import { countReceived } from "./count-received.ts";
import { enabledTriggers } from "./enabled-triggers.ts";
import { createHangMemory } from "./hang-memory.ts";
import { isWanted, type TriggerTable } from "./on-trigger.ts";
import { createCallTable, createCallTracker, createScheduleCheck } from "./phone-calls/call-tracker.ts";
import { createEventNotices } from "./read-events.ts";

const marginMs = 2_000;

/** What one process makes once, for all its batches. */
export type Consumer = ReturnType<typeof createConsumer>;

export function createConsumer(
  triggers: TriggerTable,
  requestRules: Settings<RequestRules>,
  flows: FlowTable = [],
  canary: Settings<CanarySettings> = sameForEveryApp({}),
  edges: EffectEdges = realEffectEdges("process-events"),
) {
  checkFlowNames(flows);
  const settings = readSettings();
  const { table: enabled, shadowed, off } = enabledTriggers(triggers, settings.enabledTriggers);
  const { rememberOn, ...ofApps } = createEffectServices(requestRules, edges);
  return {
    edges,
    settings,
    canary,
    callAws: createAwsCaller(readAwsEnvironment(), edges.aws),
    memory: createWaitMemory(),
    noteWait: createNoteWait(edges),
    listed: listedTriggers(deployedFlows(flows)),
    rememberOn,
    ofApps,
    ofTriggers: {
      triggers: enabled,
      shadowed,
      off,
      known: new Set(Object.keys(triggers)),
      notices: createEventNotices(edges),
      actsOnOldEvents: settings.actsOnOldEvents,
      hangs: createHangMemory(edges.now),
    },
  };
}

export async function consume(
  consumer: Consumer,
  records: readonly SQSRecord[],
  remainingMs: number,
  requestId?: string,
): Promise<SQSBatchResponse> {
  const { edges, settings, ofApps } = consumer;
  const { queueUrls, tableNames } = settings;
  const { now, sleep } = edges;
  const deadlineMs = now() + remainingMs - marginMs;
  const request = forRequest(edges, requestId);
  if (settings.countsReceived) countReceived(records, settings.secretPrefix, request.count, now());
  const callAws = limitCalls(consumer.callAws, deadlineMs);
  const tableOf = (tableName: string, sortKey?: string) =>
    createTable({ callAws, tableName, sortKey, sleep });
  const lanes = tableOf(tableNames.lanes, "item");
  const ofLanes = openLanes(lanes, callAws, consumer);
  const sendDeadLetter = createSendDeadLetter(callAws, queueUrls.deadLetters, now);
  const remembered = consumer.rememberOn(tableOf(tableNames.effects));
  const { loopGuardOf } = remembered;
  const attemptServices: AttemptServices = {
    ...request,
    ...ofApps,
    ...consumer.ofTriggers,
    ...remembered,
    ...connectEvents(consumer, callAws, tableOf, loopGuardOf, request.log),
    stateTable: tableOf(tableNames.state),
    recordIfCanary: createCanaryRecorder(consumer.canary, {
      loopGuardOf,
      store: createCanaryStore(lanes, now),
      log: request.log,
    }),
    quarantine: createQuarantine(callAws, queueUrls.quarantine),
    triggerLanes: ofLanes.triggerLanes,
    sendDeadLetter,
  };
  return await consumeBatch(records, deadlineMs, {
    ...request,
    ...ofLanes,
    ...createBatchRequests(callAws, [queueUrls.events, queueUrls.calls, queueUrls.tickets], request.log),
    attemptEvent: (attempt) => attemptEvent(attempt, attemptServices),
    sendDeadLetter,
    sourceOf: (queueArn) => sourceIn(queueArn, queueUrls),
    maxWaitMs: ofApps.maxWaitMs,
  });
}

/** For what outlives one event: calls that are summarized when they end, and flows. */
function connectEvents(
  { edges: { now }, settings, ofApps, ofTriggers, listed, memory }: Consumer,
  callAws: AwsCaller,
  tableOf: (tableName: string, sortKey?: string) => Table,
  loopGuardOf: AttemptServices["loopGuardOf"],
  log: Log,
) {
  const triggers = Object.values(ofTriggers.triggers);
  const flowsTable = tableOf(settings.tableNames.flows, "flow");
  const marks = createFlowMarks(flowsTable, now, ofApps.maxWaitMs);
  const waker = createFlowWaker(listed, {
    marks,
    waits: createFlowWaits(flowsTable, now, memory),
    callDurable: createDurableApi(callAws),
    isOwn: (appId, message) => loopGuardOf(appId).isOwn(message),
    hasMessageTrigger: isWanted(triggers, "message_sent"),
    log,
    now,
  });
  const calls = createCallTracker({
    table: createCallTable(tableOf(settings.tableNames.calls, "fact"), now),
    isWanted: (name) => isWanted(triggers, name) || listed.has(name),
    scheduleCheck: createScheduleCheck(callAws, settings.queueUrls.calls),
  });
  const flows = createFlowStarter({ callAws, marks, functionName: settings.flowsFunction });
  return { calls, flows, waker };
}

function openLanes(
  lanes: Table,
  callAws: AwsCaller,
  { edges: { now, token }, noteWait, settings, ofTriggers }: Consumer,
) {
  const { tickets } = settings.queueUrls;
  const { sendTicket, sendRoomTicket, sendTickets } = createTicketSenders(callAws, tickets, token);
  const { store, room, healthStore } = openLaneStores(lanes, now);
  const pauseStore = createPauseStore(lanes, now, token);
  const triggerNames = Object.keys(ofTriggers.triggers);
  const holds = createHolds({ pauseStore, healthStore, room, sendRoomTicket, now });
  const wakeFlow = (callbackId: string) => completeCallback(createDurableApi(callAws), callbackId);
  return {
    store,
    healthStore,
    holds,
    sendTicket,
    sendRoomTicket,
    noteWait,
    triggerLanes: createTriggerLanes({ store, sendTicket, holds, now, triggerNames }),
    wakeRoom: (roomKey: RoomKey, untilMs: number) => {
      const outage = readOutageRoom(roomKey.pauseId);
      return outage === undefined
        ? wakeAfterPause(roomKey, untilMs, { pauseStore, room, sendTickets, wakeFlow, noteWait, now })
        : wakeAfterOutage(roomKey, outage, untilMs, { healthStore, store, room, sendTickets, noteWait, now });
    },
  };
}

function sourceIn(
  queueArn: string,
  queueUrls: { readonly calls: string; readonly tickets: string },
): LaneSource | "tickets" {
  const name = queueArn.slice(queueArn.lastIndexOf(":") + 1);
  if (queueUrls.calls.endsWith(`/${name}`)) return "calls";
  return queueUrls.tickets.endsWith(`/${name}`) ? "tickets" : "events";
}

function readSettings() {
  return {
    secretPrefix: readSetting("SECRET_PREFIX"),
    queueUrls: {
      events: readSetting("EVENTS_QUEUE_URL"),
      calls: readSetting("CALLS_QUEUE_URL"),
      tickets: readSetting("PARKED_LANES_QUEUE_URL"),
      quarantine: readSetting("QUARANTINE_QUEUE_URL"),
      deadLetters: readSetting("DEAD_LETTER_QUEUE_URL"),
    },
    tableNames: {
      effects: readSetting("EFFECTS_TABLE_NAME"),
      lanes: readSetting("LANES_TABLE_NAME"),
      calls: readSetting("CALLS_TABLE_NAME"),
      flows: readSetting("FLOWS_TABLE_NAME"),
      state: readSetting("STATE_TABLE_NAME"),
    },
    flowsFunction: readSettingOr("FLOWS_FUNCTION_NAME", ""),
    enabledTriggers: readSettingOr("ENABLED_TRIGGERS", ""),
    actsOnOldEvents: readSettingOr("ACT_ON_OLD_EVENTS", "false") === "true",
    countsReceived: readSettingOr("RECONCILE", "off") !== "off",
  };
}

function listedTriggers(flows: FlowTable): ReadonlySet<string> {
  return new Set(flows.flatMap(({ waitsFor }) => waitsFor));
}

import { createAwsCaller } from "../aws/aws-call.ts";
import { createTable } from "../aws/create-table.ts";
import { readAwsEnvironment, readSetting } from "../base/config.ts";
import { lazy } from "../base/lazy.ts";
import { composeOn } from "../chat/compose.ts";
import { connectLater } from "../chat/connect-later.ts";
import type { Guard } from "../chat/guard.ts";
import type { Settings } from "../chat/settings-from.ts";
import { createAttemptScope } from "../effects/attempt-scope.ts";
import { createEffectServices, type EffectEdges, realEffectEdges } from "../effects/effect-services.ts";
import { createAppHealth } from "../effects/health/app-health.ts";
import { createHealthStore } from "../effects/health/health-store.ts";
import type { RequestRules } from "../effects/http/allowed-hosts.ts";
import type { WatchOutside } from "../effects/http/outside.ts";
import { createPerform } from "../effects/perform.ts";
import { shadowSetFor } from "../effects/shadow/shadow-settings.ts";
import { createShowOnly } from "../effects/shadow/show-only.ts";
import { joinFields } from "../events/identity.ts";
import { createPauseWait } from "../queue/lanes/pause-wait.ts";
import { createSendPauseTicket } from "../queue/lanes/ticket.ts";
import { createPauseStore } from "../queue/pauses/pause-store.ts";
import { createWaitingRoom } from "../queue/pauses/waiting-room.ts";
import { checkFlowNames, type FlowTable } from "./define-flow.ts";
import { createDurableApi } from "./durable-api.ts";
import { createDurableClient } from "./durable-client.ts";
import { createFlowCancels } from "./flow-cancels.ts";
import { createFlowMarks } from "./flow-marks.ts";
import { createFlowQuestions } from "./flow-questions.ts";
import { createFlowStarter } from "./flow-starter.ts";
import { createFlowWaits } from "./flow-waits.ts";
import { createFlowHandler, type FlowHandler, type FlowRunServices } from "./run-flows.ts";

export function buildFlowRunner(flows: FlowTable, requestRules: Settings<RequestRules>): FlowHandler {
  return createFlowRunner(flows, requestRules, realEffectEdges("flows"));
}

export function createFlowRunner(
  flows: FlowTable,
  requestRules: Settings<RequestRules>,
  edges: EffectEdges,
): FlowHandler {
  checkFlowNames(flows);
  const { now, sleep, random, token, log, count } = edges;
  const callAws = createAwsCaller(readAwsEnvironment(), edges.aws);
  const tableOf = (tableName: string, sortKey?: string) =>
    createTable({ callAws, tableName, sleep, ...(sortKey !== undefined && { sortKey }) });
  const { maxWaitMs, connectionOf, guardOf, secretOf, outsideOf, rememberOn } = createEffectServices(
    requestRules,
    edges,
  );
  const { ledger, answers } = rememberOn(tableOf(readSetting("EFFECTS_TABLE_NAME")));
  const lanesTable = tableOf(readSetting("LANES_TABLE_NAME"), "item");
  const healthStore = createHealthStore(lanesTable, now);
  const pauseStore = createPauseStore(lanesTable, now, token);
  const room = createWaitingRoom(lanesTable, now);
  const sendPauseTicket = createSendPauseTicket(callAws, readSetting("PARKED_LANES_QUEUE_URL"), token);
  const flowsTable = tableOf(readSetting("FLOWS_TABLE_NAME"), "flow");
  const marks = createFlowMarks(flowsTable, now);
  const onMany = (appId: string, trigger: string) => count("FlowWaitsNearLimit", { appId, trigger });
  const waits = createFlowWaits(flowsTable, now);
  const questions = createFlowQuestions(flowsTable, now, onMany);
  const cancels = createFlowCancels(flowsTable, now);
  const callDurable = createDurableApi(callAws);
  const starter = createFlowStarter({ callAws, marks, functionName: readSetting("FLOWS_FUNCTION_NAME") });

  const runOf: FlowRunServices["runOf"] = ({ flow, id, appId, region, log, names, remainingMs }) => {
    const connection = connectLater(() => connectionOf(appId));
    const health = lazy(async () =>
      createAppHealth({ appId, record: await healthStore.read(appId), store: healthStore, now }),
    );
    const pauseWait = createPauseWait({ pauseStore, room, sendPauseTicket, now });
    const key = joinFields([appId, `flow ${flow}`, id]);
    return {
      id,
      app: { appId, region },
      log,
      steps: {
        ...{ now, random, maxWaitMs, remainingMs, log: edges.log, names },
        pauses: {
          current: async (of) => {
            const known = await health();
            const ofApp = await known.pauseOf({ kind: "app" });
            return ofApp ?? (of === "app" ? undefined : known.pauseOf({ kind: "flow", name: flow }));
          },
          enter: async (pause, callbackId, cameMs) => {
            await pauseWait.enter(appId, pause, { kind: "flow", flowId: id, callbackId, cameMs });
            return pauseWait.isWatched(appId, pause);
          },
        },
      },
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
          outside: { ...outsideOf(appId), watch },
        };
        const shown = createShowOnly({ appId, name: flow, log, count }, tools, async () => key);
        const perform = createPerform({ ledger, tools, key, receivedAt: begunAt, token });
        return async (name, effect) => {
          // In each try, so that shadow applies to running flows too.
          const { shadow } = await health();
          const isShadowed = shadowSetFor(shadow, "flow", flow) ?? false;
          return isShadowed ? shown(name, effect) : perform(name, effect);
        };
      },
      isOwn: (ofApp, message) => guardOf(ofApp).isOwn(message),
      ...{ marks, waits, questions, cancels, callDurable },
    };
  };

  const client = createDurableClient(callDurable, token);
  return createFlowHandler(flows, { client, marks, questions, cancels, runOf, log, count });
}

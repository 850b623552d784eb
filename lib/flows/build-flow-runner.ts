import { createAwsCaller } from "../aws/aws-call.ts";
import { createTable } from "../aws/create-table.ts";
import { readAwsEnvironment, readSetting } from "../base/config.ts";
import { lazy } from "../base/lazy.ts";
import { composeOn, type Guard } from "../chat/compose.ts";
import { connectLater } from "../chat/connect-apps.ts";
import type { Settings } from "../chat/settings-from.ts";
import { createEffectServices, type EffectEdges, realEffectEdges } from "../effects/effect-services.ts";
import { type AppHealth, createAppHealth } from "../effects/health/app-health.ts";
import { createHealthStore } from "../effects/health/health-store.ts";
import type { RequestRules } from "../effects/http/allowed-hosts.ts";
import type { WatchOutside } from "../effects/http/outside.ts";
import { createPerform } from "../effects/perform.ts";
import { shadowSetFor } from "../effects/shadow/shadow-settings.ts";
import { createShowOnly } from "../effects/shadow/show-only.ts";
import { createStates } from "../effects/state/create-states.ts";
import { joinFields } from "../events/identity.ts";
import { createHolds, type Holds } from "../queue/lanes/holds.ts";
import { createNoteWait } from "../queue/lanes/lane-services.ts";
import { createTicketSenders } from "../queue/lanes/ticket.ts";
import { createPauseStore } from "../queue/pauses/pause-store.ts";
import { createWaitingRoom } from "../queue/pauses/waiting-room.ts";
import { checkFlowNames, type FlowTable } from "./define-flow.ts";
import { createDurableApi } from "./durable-api.ts";
import { createDurableClient } from "./durable-client.ts";
import { createFlowCancels } from "./flow-cancels.ts";
import { createFlowMarks } from "./flow-marks.ts";
import { createFlowQuestions } from "./flow-questions.ts";
import type { FlowRun } from "./flow-run.ts";
import { createFlowStarter } from "./flow-starter.ts";
import type { FlowPauses } from "./flow-step.ts";
import { createFlowWaits } from "./flow-waits.ts";
import { createFlowHandler, type FlowHandler, type FlowRunServices } from "./run-flows.ts";

export function createFlowRunner(
  flows: FlowTable,
  requestRules: Settings<RequestRules>,
  edges: EffectEdges = realEffectEdges("flows"),
): FlowHandler {
  checkFlowNames(flows);
  const parts = openParts(requestRules, edges);
  const { marks, questions, cancels, callDurable } = parts;
  const { log, count, token, sleep, random } = edges;
  const clientFor: FlowRunServices["clientFor"] = (remainingMs) =>
    createDurableClient(callDurable, token, { remainingMs, sleep, random });
  const runOf: FlowRunServices["runOf"] = (of) => openRun(of, parts, edges);
  return createFlowHandler(flows, { clientFor, marks, questions, cancels, runOf, log, count });
}

function openParts(requestRules: Settings<RequestRules>, edges: EffectEdges) {
  const { now, sleep, token, count } = edges;
  const callAws = createAwsCaller(readAwsEnvironment(), edges.aws);
  const tableOf = (setting: string, sortKey?: string) =>
    createTable({ callAws, tableName: readSetting(setting), sortKey, sleep });
  const { rememberOn, ...ofApps } = createEffectServices(requestRules, edges);
  const states = tableOf("STATE_TABLE_NAME");
  const lanes = tableOf("LANES_TABLE_NAME", "item");
  const table = tableOf("FLOWS_TABLE_NAME", "flow");
  const marks = createFlowMarks(table, now, ofApps.maxWaitMs);
  return {
    ...ofApps,
    states,
    ...rememberOn(tableOf("EFFECTS_TABLE_NAME")),
    healthStore: createHealthStore(lanes, now),
    pauseStore: createPauseStore(lanes, now, token),
    room: createWaitingRoom(lanes, now),
    noteWait: createNoteWait({ count, now }),
    ...createTicketSenders(callAws, readSetting("PARKED_LANES_QUEUE_URL"), token),
    marks,
    waits: createFlowWaits(table, now),
    questions: createFlowQuestions(table, now, (appId, trigger) =>
      count("FlowWaitsNearLimit", { appId, trigger }),
    ),
    cancels: createFlowCancels(table, now),
    callDurable: createDurableApi(callAws),
    starter: createFlowStarter({ callAws, marks, functionName: readSetting("FLOWS_FUNCTION_NAME") }),
  };
}

type Parts = ReturnType<typeof openParts>;
type RunOptions = Parameters<FlowRunServices["runOf"]>[0];

function openRun(of: RunOptions, parts: Parts, edges: EffectEdges): FlowRun {
  const { flow, id, appId, region, log, names, remainingMs } = of;
  const { healthStore: store, maxWaitMs, loopGuardOf, marks, waits, cancels, callDurable } = parts;
  const { states, ledger, noteWait, questions } = parts;
  const { now, random, token, sleep } = edges;
  const health = lazy(async () => createAppHealth({ appId, record: await store.read(appId), store, now }));
  const pauses = pausesOf(of, health, createHolds({ ...parts, now }));
  const isShadowed = async () => shadowSetFor((await health()).shadow, "flow", flow) ?? false;
  const performFor = performerOf(of, health, isShadowed, parts, edges);
  return {
    id,
    app: { appId, region },
    log,
    steps: {
      now,
      random,
      sleep,
      lane: `flow ${id}`,
      maxWaitMs,
      remainingMs,
      log: edges.log,
      names,
      pauses,
      noteWait: (sinceMs) => noteWait(appId, sinceMs),
    },
    performFor,
    statesFor: (tried, effectName = "") => {
      const perform = performFor(tried);
      const open = async () =>
        createStates({
          table: states,
          ledger,
          appId,
          now,
          token,
          random,
          sleep,
          isShadow: await isShadowed(),
          perform: (_name, effect) => perform(effectName, effect),
        });
      return (kind, key) => ({
        get: async () => (await open())(kind, key).get(),
        update: async (change) => (await open())(kind, key).update(change),
      });
    },
    isOwn: (ofApp, message) => loopGuardOf(ofApp).isOwn(message),
    marks,
    waits,
    questions,
    cancels,
    callDurable,
  };
}

function pausesOf(
  { flow, id, appId }: RunOptions,
  health: () => Promise<AppHealth>,
  holds: Holds,
): FlowPauses {
  return {
    current: async (of) => {
      const known = await health();
      const ofApp = await known.pauseOf({ kind: "app" });
      return ofApp ?? (of === "app" ? undefined : known.pauseOf({ kind: "flow", name: flow }));
    },
    enter: async (pause, callbackId, cameMs) => {
      await holds.enter(appId, pause.id, { kind: "flow", flowId: id, callbackId, cameMs });
      return holds.ensureWatched(appId, pause.id);
    },
  };
}

function performerOf(
  { flow, id, appId, restart }: RunOptions,
  health: () => Promise<AppHealth>,
  isShadowed: () => Promise<boolean>,
  { connectionOf, loopGuardOf, answers, starter, secretOf, outsideOf, ledger }: Parts,
  { now, token, log, count }: EffectEdges,
): FlowRun["performFor"] {
  const connection = connectLater(() => connectionOf(appId));
  const key = joinFields([appId, `flow ${flow}`, restart?.of ?? id]);
  return ({ begunAt, limits }) => {
    const guard: Guard = async (request, options, send) => {
      const { hostOf } = await connection.open();
      return (await health()).outageGuardOf(limits, hostOf)(request, options, send);
    };
    const { call } = composeOn(connection, {}, guard);
    const watch: WatchOutside = async (...request) => (await health()).watchOf(limits)(...request);
    const tools = {
      appId,
      call,
      guard: loopGuardOf(appId),
      answers,
      flows: starter,
      limits,
      now,
      secret: (name: string) => secretOf(appId, name),
      outside: { ...outsideOf(appId), watch },
    };
    const shown = createShowOnly({ appId, name: flow, log, count }, tools, async () => key);
    const perform = createPerform({ ledger, tools, key, receivedAt: begunAt, token });
    return async (name, effect) => ((await isShadowed()) ? shown : perform)(name, effect);
  };
}

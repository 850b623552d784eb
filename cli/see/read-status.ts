import { pauseWord } from "../../lib/effects/health/pause-settings.ts";
import { checkFailing } from "../../lib/operate/doctor/check-failing.ts";
import { checkWaiting } from "../../lib/operate/doctor/check-waiting.ts";
import { whyUnknown } from "../../lib/operate/doctor/finding.ts";
import { listPauses } from "../../lib/queue/pauses/pause-store.ts";
import type { WorkContext } from "../command.ts";
import { checkAlarms, judgeFunctions } from "../doctor/check-aws.ts";
import { checkDrift, readConfigured } from "../doctor/check-drift.ts";
import { checkMappings } from "../doctor/check-resources.ts";
import { doctorServices, typedTarget } from "../doctor/doctor-of-target.ts";
import { readFacts } from "../doctor/examine-target.ts";
import { countWaiting } from "../pauses/open-pauses.ts";
import { type PauseResult, toPauseResult } from "../pauses/pause-word.ts";
import { meantApp } from "../trigger/who-acts.ts";
import type { LogLine } from "./log-line.ts";
import { lookAgain, mostAsked } from "./look-again.ts";
import { openStores } from "./open-stores.ts";
import { logsOf, openLogs } from "./read-logs.ts";
import { readFailures, readFunctionStatus, readLastDoctor, readQueueStatus } from "./status-metrics.ts";
import type { Status } from "./status-schema.ts";
import { findTroubles } from "./status-troubles.ts";

/** Rates and lags cover this span. */
const handledSpanMs = 300_000;
const mostLines = 5_000;

/** Changes nothing. @throws CliError, AwsCallError */
export async function readStatus(
  context: Omit<WorkContext, "confirm">,
  wanted: readonly string[],
): Promise<Status> {
  const { target, edges } = context;
  const nowMs = edges.now();
  const startMs = nowMs - handledSpanMs;
  const stack = await target.stack();
  // Before the question of what is deployed, which also runs a function.
  const functions = await readFunctionStatus(target, stack, edges);
  const { healthStore, room } = openStores(target, stack, edges.now);
  const services = doctorServices(context, stack);
  const { remedies, recentLogs } = services;
  const { facts, found: deployed } = await readFacts(stack, services);
  const configured = await readConfigured(edges.projectFolder, target.stage).catch(whyUnknown);
  const served = facts ?? ("appIds" in configured ? configured : { appIds: wanted, triggers: [] });
  const appIds = wanted.length > 0 ? wanted.map((appId) => meantApp(appId, served)) : served.appIds;
  const [queues, doctor, alarms, mappings, handled] = await Promise.all([
    readQueueStatus(target, stack, nowMs),
    readLastDoctor(target, stack, nowMs),
    checkAlarms(target.callAws, stack, remedies),
    // Without the rights of the doctor, the rest is shown all the same.
    checkMappings(target, stack, remedies).catch(() => []),
    Array.fromAsync(
      openLogs(
        target,
        logsOf(stack, "processEvents"),
      )({
        startMs,
        pattern: '{ $.message = "handled an event" }',
        most: mostLines,
        signal: edges.signal,
      }),
    ),
  ]);
  // If there is a lot, only the first part of the span.
  const endMs = handled.length < mostLines ? nowMs : (handled.at(-1)?.atMs ?? nowMs);
  const minutes = Math.max(1_000, endMs - startMs) / 60_000;
  const apps: Status["apps"] = [];
  const pauses: PauseResult[] = [];
  for (const appId of appIds) {
    const { destinations, troubleUntil, pauses: settings } = await healthStore.read(appId);
    const paused = listPauses(settings, nowMs);
    apps.push({
      appId,
      ...speedOf(
        handled.filter(({ fields }) => fields.appId === appId),
        minutes,
      ),
      ...(appIds.length <= mostAsked && (await readFailures(appId, target, nowMs, recentLogs))),
      closed: [...destinations].flatMap(([name, { probeAt }]) => (probeAt === undefined ? [] : [name])),
      isInTrouble: troubleUntil > nowMs,
      paused: paused.map(({ target: of }) => pauseWord(of)),
    });
    for (const pause of paused) {
      const waiting = await countWaiting(room, { appId, pauseId: pause.id });
      pauses.push(toPauseResult({ appId, target: pause.target }, pause, waiting));
    }
  }
  const failing = await Promise.all(appIds.map((appId) => checkFailing(appId, services, recentLogs, facts)));
  const triggers = served.triggers.map(({ name }) => name);
  const waiting = await Promise.all(
    appIds.map(async (appId) => {
      const found = await checkWaiting(appId, services, triggers);
      // A wait that just began is no reason to say that all is well.
      return found.flatMap((one) =>
        one.status === "ok" ? [] : [{ ...one, says: `App ${appId}: ${one.says}` }],
      );
    }),
  );
  const again = await lookAgain(services, facts, { apps, doctor }, edges.signal);
  const drift = [checkDrift(configured, facts, remedies)].flat();
  const found = [...alarms, ...mappings, ...judgeFunctions(functions, remedies), ...failing.flat(), ...drift];
  const wrong = [
    ...(facts === undefined ? [deployed] : []),
    ...found.filter(({ status }) => status === "wrong"),
    ...waiting.flat(),
    ...again.wrong,
  ];
  const { kind, stage, region, accountId: account } = target;
  return {
    at: new Date(nowMs).toISOString(),
    stack: stack.status,
    doctor,
    queues,
    functions,
    apps,
    pauses,
    troubles: findTroubles({ doctor, queues, functions, apps }, wrong, again, typedTarget(target)),
    target: { kind, stage, region, account, outputs: { ...stack.outputs } },
  };
}

function speedOf(handled: readonly LogLine[], minutes: number) {
  const lags = handled
    .map(({ fields }) => Number(fields.sinceReceivedMs))
    .toSorted((one, other) => one - other);
  return {
    handledPerMinute: lags.length / minutes,
    medianMs: lags[Math.floor(lags.length / 2)],
    slowMs: lags[Math.floor(lags.length * 0.99)],
  };
}

import { pauseWord } from "../../lib/effects/health/pause-settings.ts";
import { checkFailing } from "../../lib/operate/doctor/check-failing.ts";
import { checkWaiting } from "../../lib/operate/doctor/check-waiting.ts";
import type { DeployedFacts } from "../../lib/operate/doctor/deployed-facts.ts";
import { whyUnknown } from "../../lib/operate/doctor/finding.ts";
import type { RecentLogs } from "../../lib/operate/doctor/recent-logs.ts";
import { listPauses } from "../../lib/queue/pauses/pause-store.ts";
import type { WorkContext } from "../command.ts";
import { checkAlarms, judgeFunctions } from "../doctor/check-aws.ts";
import { checkDrift, readConfigured } from "../doctor/check-drift.ts";
import { checkLambda } from "../doctor/check-resources.ts";
import { doctorServices, typedTarget } from "../doctor/doctor-of-target.ts";
import { readFacts } from "../doctor/examine-target.ts";
import { countWaiting } from "../pauses/open-pauses.ts";
import { type PauseResult, toPauseResult } from "../pauses/pause-word.ts";
import type { Stack } from "../target/stack.ts";
import { meantApp } from "../trigger/who-acts.ts";
import type { LogLine } from "./log-line.ts";
import { lookAgain, mostAsked } from "./look-again.ts";
import { type Look, mostMs, openLooks } from "./open-looks.ts";
import { openStores } from "./open-stores.ts";
import { logsOf, openLogs } from "./read-logs.ts";
import { readFailures, readFunctionStatus, readLastDoctor, readQueueStatus } from "./status-metrics.ts";
import type { Status } from "./status-schema.ts";
import { findTroubles } from "./status-troubles.ts";

/** Rates and lags cover this span. */
const handledSpanMs = 300_000;
const mostLines = 5_000;

/**
 * Changes nothing. What cannot be read is named in the result.
 * @throws CliError, or the client's error if the stack itself cannot be read
 */
export async function readStatus(
  context: Omit<WorkContext, "confirm">,
  wanted: readonly string[],
): Promise<Status> {
  const { target, edges } = context;
  const nowMs = edges.now();
  const stack = await target.stack();
  const looks = openLooks();
  const { look } = looks;
  // Before the question of what is deployed, which also runs a function.
  const functions = await look("runs of functions", () => readFunctionStatus(target, stack, edges), []);
  const services = doctorServices(context, stack);
  const { callAws, remedies } = services;
  const { facts, found: deployed } = await look("what is deployed", () => readFacts(stack, services), {
    facts: undefined,
    found: undefined,
  });
  const configured = await readConfigured(edges.projectFolder, target.stage).catch(whyUnknown);
  const served = facts ?? ("appIds" in configured ? configured : { appIds: wanted, triggers: [] });
  const appIds = wanted.length > 0 ? wanted.map((appId) => meantApp(appId, served)) : served.appIds;
  const [queues, doctor, alarms, changed, { apps, pauses }] = await Promise.all([
    look("queues", () => readQueueStatus(target, stack, nowMs), []),
    look("the scheduled doctor", () => readLastDoctor(target, stack, nowMs), undefined),
    look("alarms", () => checkAlarms(callAws, stack, remedies), []),
    look("queues' mappings and reserved concurrency", () => checkLambda(target, stack, remedies), []),
    readApps(context, stack, appIds, { look, recentLogs: services.recentLogs }),
  ]);
  const triggers = served.triggers.map(({ name }) => name);
  const { failing, waiting } = await readTroubles(services, { appIds, triggers, facts, look });
  const again = await readAgain(services, facts, { apps, doctor }, { ...looks, signal: edges.signal });
  const drift = [checkDrift(configured, facts, remedies)].flat();
  if (deployed?.status === "unknown") looks.name("what is deployed", deployed);
  const found = [
    ...(deployed ? [deployed] : []),
    ...alarms,
    ...changed,
    ...judgeFunctions(functions, remedies),
    ...failing,
    ...drift,
  ];
  const wrong = [
    ...found.filter(({ status }) => status === "wrong"),
    // Such as a file that cannot be read.
    ...("appIds" in configured ? [] : [configured]),
    ...waiting,
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
    notLookedAt: looks.unseen(),
    target: { kind, stage, region, account, outputs: { ...stack.outputs } },
  };
}

async function readAgain(
  services: ReturnType<typeof doctorServices>,
  facts: DeployedFacts | undefined,
  { apps, doctor }: Pick<Status, "apps" | "doctor">,
  {
    look,
    name,
    signal,
  }: Pick<ReturnType<typeof openLooks>, "look" | "name"> & { readonly signal: AbortSignal },
) {
  const again = await look(
    "what failed within the hour",
    () => lookAgain(services, facts, { apps, doctor }, signal),
    // What the metrics blame stays blamed.
    {
      wrong: [],
      unseen: [],
      isFailing: () => true,
      tooOld: new Map(),
      unsettled: (doctor?.failed ?? 0) > 0 ? ["see the doctor"] : [],
    },
    mostMs,
  );
  for (const { appId, check, ...one } of again.unseen) name(`${check} of app ${appId}`, one);
  if (apps.length > mostAsked) {
    const says = `There are more than ${mostAsked} apps: select some with --app.`;
    name("secrets, keys, webhooks and failures by app", { says });
  }
  return again;
}

async function readApps(
  { target, edges }: Pick<WorkContext, "target" | "edges">,
  stack: Stack,
  appIds: readonly string[],
  { look, recentLogs }: { readonly look: Look; readonly recentLogs: RecentLogs },
) {
  const nowMs = edges.now();
  const startMs = nowMs - handledSpanMs;
  const { healthStore, room } = openStores(target, stack, edges.now);
  const readLog = openLogs(target, logsOf(stack, "processEvents"));
  const query = { startMs, pattern: '{ $.message = "handled an event" }', most: mostLines };
  const handled = await look(
    "the consumer's log",
    () => Array.fromAsync(readLog({ ...query, signal: edges.signal })),
    [],
  );
  // If there is a lot, only the first part of the span.
  const endMs = handled.length < mostLines ? nowMs : (handled.at(-1)?.atMs ?? nowMs);
  const minutes = Math.max(1_000, endMs - startMs) / 60_000;
  const apps: Status["apps"] = [];
  const pauses: PauseResult[] = [];
  for (const appId of appIds) {
    const health = await look("breakers and pauses", () => healthStore.read(appId), undefined);
    const paused = health === undefined ? [] : listPauses(health.pauses, nowMs);
    const failures = () => readFailures(appId, target, nowMs, recentLogs);
    apps.push({
      appId,
      ...speedOf(
        handled.filter(({ fields }) => fields.appId === appId),
        minutes,
      ),
      ...(appIds.length <= mostAsked && (await look("failures by app", failures, {}))),
      closed: [...(health?.destinations ?? [])].flatMap(([name, { probeAt }]) =>
        probeAt === undefined ? [] : [name],
      ),
      isInTrouble: (health?.troubleUntil ?? 0) > nowMs,
      paused: paused.map(({ target: of }) => pauseWord(of)),
    });
    for (const pause of paused) {
      const count = () => countWaiting(room, { appId, pauseId: pause.id });
      const waiting = await look("what waits in a pause", count, undefined);
      pauses.push(toPauseResult({ appId, target: pause.target }, pause, waiting));
    }
  }
  return { apps, pauses };
}

/** Of triggers and flows that fail, and of conversations that wait. */
async function readTroubles(
  services: ReturnType<typeof doctorServices>,
  {
    appIds,
    triggers,
    facts,
    look,
  }: {
    readonly appIds: readonly string[];
    readonly triggers: readonly string[];
    readonly facts: DeployedFacts | undefined;
    readonly look: Look;
  },
) {
  const failing = await Promise.all(
    appIds.map((appId) =>
      look(
        "triggers and flows that fail",
        () => checkFailing(appId, services, services.recentLogs, facts),
        [],
      ),
    ),
  );
  const waiting = await Promise.all(
    appIds.map(async (appId) => {
      const check = () => checkWaiting(appId, services, triggers);
      const found = await look("conversations that wait", check, []);
      // A wait that just began is no reason to say that all is well.
      return found.flatMap((one) =>
        one.status === "ok" ? [] : [{ ...one, says: `App ${appId}: ${one.says}` }],
      );
    }),
  );
  return { failing: failing.flat(), waiting: waiting.flat() };
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

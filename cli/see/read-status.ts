import { heldBackAtMostMs } from "../../lib/effects/health/app-health.ts";
import { type DestinationState, deadLettering } from "../../lib/effects/health/breaker.ts";
import { pauseWord } from "../../lib/effects/health/pause-settings.ts";
import { checkFailing } from "../../lib/operate/doctor/check-failing.ts";
import { checkWaiting } from "../../lib/operate/doctor/check-queues.ts";
import type { DeployedFacts } from "../../lib/operate/doctor/deployed-facts.ts";
import { whyUnknown } from "../../lib/operate/doctor/run-checks.ts";
import { listPauses } from "../../lib/queue/pauses/pause-store.ts";
import type { WorkContext } from "../command.ts";
import { checkAlarms, checkLambda, judgeFunctions } from "../doctor/check-aws.ts";
import { checkDrift } from "../doctor/check-drift.ts";
import { doctorServices, lookLimits, typedTarget } from "../doctor/doctor-of-target.ts";
import { checkStack, readFacts } from "../doctor/examine-target.ts";
import { countWaiting, toPauseResult } from "../pauses/open-pauses.ts";
import { meantApp, readConfigured } from "../target/served-apps.ts";
import type { Stack } from "../target/target.ts";
import type { LogLine } from "./log-line.ts";
import { findTroubles, type Look, lookAgain, mostAsked, openLooks } from "./look-again.ts";
import { openStores } from "./open-app.ts";
import { logsOf, openLogs } from "./read-logs.ts";
import type { Status } from "./status.ts";
import { readFailures, readFunctionStatus, readLastDoctor, readQueueStatus } from "./status-metrics.ts";

const handledSpanMs = 300_000;
const mostLines = 5_000;

/** Names in the result what cannot be read. @throws the client's error if the stack itself cannot be read */
export async function readStatus(context: WorkContext, wanted: readonly string[]): Promise<Status> {
  const { target, edges } = context;
  const nowMs = edges.now();
  const looks = openLooks();
  const read = await readDeployment(context, looks);
  const { stack, services, functions, facts, queues, doctor, configured } = read;
  const { remedies } = services;
  const served = facts ?? ("appIds" in configured ? configured : { appIds: wanted, triggers: [] });
  const appIds = wanted.length > 0 ? wanted.map((appId) => meantApp(appId, served)) : served.appIds;
  const triggers = served.triggers.map(({ name }) => name);
  // Metrics of more apps take too long.
  const isFew = appIds.length <= mostAsked;
  const readApps = await Promise.all(
    appIds.map((appId) => readApp(appId, context, looks.look, { ...read, triggers, isFew })),
  );
  const apps = readApps.map(({ app }) => app);
  const again = await readAgain(services, facts, { apps, doctor }, looks, edges.signal);
  if (read.found?.status === "unknown") looks.name("what is deployed", read.found);
  const drift = [await checkDrift(configured, facts, target, remedies, edges.signal)].flat();
  for (const { status, says, remedy } of "appIds" in configured ? drift : [])
    if (status === "unknown" && remedy !== undefined) looks.name("whether config/ is current", { says });
  const found = [
    checkStack(stack, remedies),
    ...(read.found ? [read.found] : []),
    ...("appIds" in configured ? [] : [{ ...configured, status: "wrong" as const }]),
    ...drift,
    ...read.changed,
    ...again.wrong,
    ...read.silent,
    ...judgeFunctions(functions, remedies),
    ...readApps.flatMap(({ failing }) => failing),
    ...readApps.flatMap(({ waiting }) => waiting),
    ...read.alarms,
  ];
  const wrong = found.filter(({ status }) => status === "wrong");
  const { kind, stage, region, accountId: account } = target;
  return {
    at: new Date(nowMs).toISOString(),
    stack: stack.status,
    doctor,
    queues,
    functions,
    apps,
    pauses: readApps.flatMap(({ pauses }) => pauses),
    troubles: findTroubles({ doctor, queues, functions, apps }, wrong, again, typedTarget(target)),
    notLookedAt: looks
      .unseen()
      .map((one) => (one.because === "gone" ? { ...one, type: one.type ?? remedies.doctor } : one)),
    target: { kind, stage, region, account, outputs: { ...stack.outputs } },
  };
}

type Services = ReturnType<typeof doctorServices>;

async function readDeployment(context: WorkContext, { look, name }: ReturnType<typeof openLooks>) {
  const { target, edges } = context;
  const nowMs = edges.now();
  // A watch calls this every minute.
  const stack = await target.rereadStack();
  const services = doctorServices(context, stack);
  const { callAws, remedies } = services;
  const none = { facts: undefined, found: undefined };
  const noDoctor = { doctor: undefined, silent: [] };
  const readDoctor = () => readLastDoctor(target, stack, nowMs, remedies);
  const mappings = "queues' mappings and reserved concurrency";
  const readRuns = look("functions", "runs of functions", () => readFunctionStatus(target, stack, edges), []);
  const [functions, deployed, queues, last, alarms, changed, handled, configured] = await Promise.all([
    readRuns,
    // Runs last: to ask what is deployed runs a function.
    readRuns.then(() => look("deployment", "what is deployed", () => readFacts(stack, services), none)),
    look("deployment", "queues", () => readQueueStatus(target, stack, nowMs, name), []),
    look("deployment", "the scheduled doctor", readDoctor, noDoctor),
    look("deployment", "alarms", () => checkAlarms(callAws, stack, remedies), []),
    look("deployment", mappings, () => checkLambda(target, stack, remedies), []),
    look("deployment", "the consumer's log", () => readHandled(context, stack), []),
    readConfigured(edges.projectFolder, target.stage).catch(whyUnknown),
  ]);
  return {
    stack,
    services,
    functions,
    ...deployed,
    queues,
    ...last,
    alarms,
    changed,
    handled,
    configured,
  };
}

async function readAgain(
  services: Services,
  facts: DeployedFacts | undefined,
  { apps, doctor }: Pick<Status, "apps" | "doctor">,
  { look, leftMs, name }: ReturnType<typeof openLooks>,
  signal: AbortSignal,
) {
  const limitMs = Math.min(lookLimits.limitMs, leftMs("again") / 2);
  const again = await look(
    "again",
    "what failed within the hour",
    () => lookAgain(services, facts, { apps, doctor }, { limitMs, signal }),
    {
      wrong: [],
      unseen: [],
      isFailing: () => true,
      tooOld: new Map(),
      unsettled: (doctor?.failed ?? 0) > 0 ? ["see the doctor"] : [],
    },
  );
  for (const { appId, check, ...one } of again.unseen) name(`${check} of app ${appId}`, one);
  if (apps.length > mostAsked) {
    const says = `There are more than ${mostAsked} apps: select some with --app.`;
    name("secrets, keys, webhooks and failures by app", { says });
  }
  return again;
}

async function readHandled({ target, edges }: WorkContext, stack: Stack) {
  const read = openLogs(target, logsOf(stack, "processEvents"));
  const query = { pattern: '{ $.message = "handled an event" }', most: mostLines, signal: edges.signal };
  return await Array.fromAsync(read({ ...query, startMs: edges.now() - handledSpanMs }));
}

type Reading = Awaited<ReturnType<typeof readDeployment>> & {
  readonly triggers: readonly string[];
  readonly isFew: boolean;
};

async function readApp(
  appId: string,
  { target, edges }: WorkContext,
  look: Look,
  { stack, services, facts, handled, triggers, isFew }: Reading,
) {
  const nowMs = edges.now();
  const { recentLogs } = services;
  const { healthStore, room } = openStores(target, stack, edges.now);
  const failures = async () => (isFew ? readFailures(appId, target, nowMs, recentLogs) : {});
  const checkTriggers = () => checkFailing(appId, services, recentLogs, facts);
  const [health, counted, failing, waiting] = await Promise.all([
    look("apps", "breakers and pauses", () => healthStore.read(appId), undefined),
    look("apps", "failures by app", failures, {}),
    look("apps", "triggers and flows that fail", checkTriggers, []),
    look("apps", "conversations that wait", () => checkWaiting(appId, services, triggers), []),
  ]);
  const paused = health === undefined ? [] : listPauses(health.pauses, nowMs);
  const app: Status["apps"][number] = {
    appId,
    ...speedOf(appId, handled, nowMs),
    ...counted,
    closed: [...(health?.destinations ?? [])].flatMap(([name, state]) =>
      isClosed(name, state, nowMs) ? [name] : [],
    ),
    isInTrouble: (health?.troubleUntil ?? 0) > nowMs,
    paused: paused.map(({ target: of }) => pauseWord(of)),
  };
  const pauses = paused.map(async (pause) => {
    const count = () => countWaiting(room, { appId, pauseId: pause.id });
    const waits = await look("apps", "what waits in a pause", count, undefined);
    return toPauseResult({ appId, target: pause.target }, pause, waits);
  });
  return {
    app,
    failing,
    // A wait that just began proves nothing.
    waiting: waiting.flatMap(({ status, ...one }) =>
      status === "ok" ? [] : [{ ...one, status: "wrong" as const, says: `App ${appId}: ${one.says}` }],
    ),
    pauses: await Promise.all(pauses),
  };
}

function isClosed(name: string, { probeAt, openedMs = 0 }: DestinationState, nowMs: number) {
  if (probeAt === undefined) return false;
  if (name === deadLettering) return nowMs < openedMs + heldBackAtMostMs;
  return probeAt >= nowMs - longestProbeWaitMs;
}

/** Waiting work tries a closed destination within 15 min: without a try, none waits. */
const longestProbeWaitMs = 60 * 60_000;

function speedOf(appId: string, handled: readonly LogLine[], nowMs: number) {
  // Covers only the first part of the span if there are many lines.
  const endMs = handled.length < mostLines ? nowMs : (handled.at(-1)?.atMs ?? nowMs);
  const minutes = Math.max(1_000, endMs - nowMs + handledSpanMs) / 60_000;
  const lags = handled
    .filter(({ fields }) => fields.appId === appId)
    .map(({ fields }) => Number(fields.sinceReceivedMs))
    .toSorted((one, other) => one - other);
  return {
    handledPerMinute: lags.length / minutes,
    medianMs: lags[Math.floor(lags.length / 2)],
    slowMs: lags[Math.floor(lags.length * 0.99)],
  };
}

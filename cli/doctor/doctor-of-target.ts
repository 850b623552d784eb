import { readFunctionSettings } from "../../lib/aws/functions.ts";
import { createSignedReadSecret } from "../../lib/aws/secrets/read-secret-value.ts";
import { lazy, lazyByKey } from "../../lib/base/lazy.ts";
import { pause } from "../../lib/base/timers.ts";
import { createLeanFetch } from "../../lib/chat/lean-fetch.ts";
import { createGuardKeys, createLoopGuard } from "../../lib/events/marks/loop-guard.ts";
import {
  type Crash,
  type DoctorServices,
  type Failing,
  managementSecretIdOf,
  openWebhookLists,
  type RecentLogs,
} from "../../lib/operate/doctor/doctor-services.ts";
import { type Remedies, remediesFor } from "../../lib/operate/doctor/remedies.ts";
import { groupByCause } from "../../lib/queue/cause-group.ts";
import { deadLetters } from "../../lib/queue/dead-letter.ts";
import type { WorkContext } from "../command.ts";
import { openOperator } from "../repair/open-operator.ts";
import { type LogLine, quote } from "../see/log-line.ts";
import { openStores } from "../see/open-app.ts";
import { logsOf, openLogs } from "../see/read-logs.ts";
import { afterBlank, besideText } from "../see/trace-lines.ts";
import type { Stack, Target } from "../target/target.ts";

export function typedTarget({ kind, stage, chosen }: Pick<Target, "kind" | "stage" | "chosen">): string {
  return [kind === "local" ? "--local" : `--stage ${stage}`, ...chosen].join(" ");
}

export function doctorServices(context: WorkContext, stack: Stack) {
  const { target, edges } = context;
  const { callAws } = target;
  const { now } = edges;
  const fetch = createLeanFetch(now);
  const secretPrefix = stack.output("SecretPrefix");
  return {
    callAws,
    fetch,
    secretPrefix,
    queueUrls: {
      events: stack.physicalId("EventsQueue"),
      deadLetters: stack.physicalId("DeadLetterQueue"),
      quarantine: stack.physicalId("QuarantineQueue"),
    },
    lanes: openStores(target, stack, now).lanes,
    httpUrl: stack.output("HttpApiUrl").replace(/\/$/, ""),
    chatBaseUrlTemplate: stack.output("ChatBaseUrlTemplate"),
    webhookLists: lazy(() =>
      openWebhookLists({
        callAws,
        fetch,
        managementSecretId: managementSecretIdOf(secretPrefix),
        baseUrl: stack.output("ChatManagementUrl"),
      }),
    ),
    groupDeadLetters: async () => {
      const { found } = await deadLetters.list({}, await openOperator(context), { most: mostDeadLetters });
      return groupByCause(found);
    },
    previousMs: Number(stack.outputs.PreviousCredentialsMinutes ?? 60) * 60_000,
    recentLogs: openRecentLogs(target, stack, edges),
    remedies: remediesOf(target),
    now,
    sleep: pause,
  } satisfies DoctorServices;
}

export function remediesOf(target: Target): Remedies {
  return remediesFor(typedTarget(target));
}

export const lookLimits = { atOnce: 20, limitMs: 20_000 };

const mostDeadLetters = 500;

export function openGuards({ callAws }: Target, stack: Stack, now: () => number) {
  const keys = createGuardKeys({
    readSecret: createSignedReadSecret(callAws, now),
    secretId: stack.physicalId("LoopGuardSecret"),
    now,
  });
  return lazyByKey((appId: string) => createLoopGuard(keys, appId));
}

/** Exceeds the time of an event's five tries. */
const triedMs = 15 * 60_000;
const flowsMs = 60 * 60_000;
/** An event waits at most a quarter of an hour for its next run. */
const crashedMs = 60 * 60_000;
const mostLines = 2_000;
const longestRunMs = 60_000;

const failures = '{ $.message = "could not handle an event*" }';
const processEnds = '{ $.message = "an attempt ended without a result*" }';
/** The last text is of earlier versions. */
const endsOfFlows =
  '{ $.message = "a flow failed" || $.message = "a flow ended" || $.message = "a flow came to its end" }';
const returned = '$.message = "gave events back to the queue*"';
const stays = "could not go on with a parked lane yet";
const staysMs = 5 * 60_000;
const began = "began a trigger";
const sawCanary = '$.message = "saw the canary"';

const unhandledLines = `{ ${returned} || $.message = "${stays}" }`;

export function openRecentLogs(
  target: Pick<Target, "client" | "region" | "callAws" | "kind">,
  stack: Stack,
  { now, signal }: { readonly now: () => number; readonly signal: AbortSignal },
): RecentLogs {
  // A deployment may have fixed what failed before.
  const since = (spanMs: number) => Math.max(now() - spanMs, stack.changedAt?.getTime() ?? 0);
  /** Applies to failures that later lines disprove: an edit on the local stack is seldom about them. */
  const sinceEdits = (spanMs: number) => (target.kind === "local" ? now() - spanMs : since(spanMs));
  const logOf =
    (source: string): Read =>
    (startMs, pattern, endMs) =>
      openLogs(target, logsOf(stack, source))({ startMs, endMs, pattern, signal, most: mostLines });
  const read = logOf("processEvents");
  const readRecent = (spanMs: number, pattern: string) => Array.fromAsync(read(sinceEdits(spanMs), pattern));

  // Reads all apps together: CloudWatch Logs answers few requests a second.
  const failedAttempts = lazy(() => readRecent(triedMs, failures));
  const crashes = lazy(() => readRecent(crashedMs, processEnds));
  const flowEnds = lazy(() => Array.fromAsync(logOf("flows")(since(flowsMs), endsOfFlows)));
  const unhandled = lazy(async () => dropOldStays(await readRecent(crashedMs, unhandledLines), now()));

  return {
    failing: async (appId) => [
      ...(await findFailingConsumer(ofApp(await unhandled(), appId), appId, read, {
        triedAtMs: now() - triedMs,
        writesAll: () => writesSuccesses(target, stack),
      })),
      ...(await findFailingTriggers(ofApp(await failedAttempts(), appId), read, now())),
      ...findFailingFlows(ofApp(await flowEnds(), appId)),
    ],
    crashes: async (appId) => new Map(ofApp(await crashes(), appId).map(toCrash)),
    runningTrigger: async (laneId, deliveryKey) => {
      // The next attempt logs the end of the process first. Later lines may be of an attempt that still runs.
      const loggedMs = (await crashes()).findLast(({ fields }) => fields.laneId === laneId)?.atMs ?? 0;
      const endedMs = Math.max(loggedMs - 1, now() - longestRunMs);
      const runs = read(sinceEdits(crashedMs), runsOf(deliveryKey), endedMs);
      return runningIn(await Array.fromAsync(runs), deliveryKey);
    },
    hasHandled: (appId, sinceMs) =>
      has(
        read(sinceMs, `{ (${handled} || ${sawCanary}) && $.appId = ${quote(appId)} }`),
        (line) => line.fields.appId === appId && (deliveredAt(line) ?? 0) >= sinceMs,
      ),
    hasArrived: async (appId, sinceMs) => {
      const lines = read(sinceMs, `{ $.appId = ${quote(appId)} }`);
      if (await has(lines, ({ fields }) => fields.appId === appId)) return true;
      return (await writesSuccesses(target, stack)) ? false : undefined;
    },
    lastDelivered: (appId, untilMs) => findLastDelivered(appId, untilMs, read),
    hasCounted: (appId, metric, sinceMs, untilMs) =>
      has(
        logOf("webhook")(sinceMs, `{ $.appId = ${quote(appId)} }`, untilMs),
        ({ kind, fields }) => kind === "metric" && fields.appId === appId && metric in fields,
      ),
  };
}

function toCrash({ fields: { laneId, deliveryKey, deaths = 1 } }: LogLine): readonly [string, Crash] {
  return [String(laneId), { deliveryKey, deaths: Number(deaths) }];
}

function dropOldStays(lines: readonly LogLine[], nowMs: number): readonly LogLine[] {
  return lines.filter(({ message, atMs }) => message !== stays || atMs >= nowMs - staysMs);
}

function runningIn(lines: readonly LogLine[], deliveryKey: string) {
  const last = lines.findLast(({ fields }) => fields.deliveryKey === deliveryKey);
  return last?.message === began ? afterBlank(last.fields.step) : undefined;
}

async function has(lines: AsyncIterable<LogLine>, is: (line: LogLine) => boolean) {
  for await (const line of lines) if (is(line)) return true;
  return false;
}

/** Fails if nothing was handled, parked or dead-lettered since an event or a parked lane came back. */
async function findFailingConsumer(
  lines: readonly LogLine[],
  appId: string,
  read: Read,
  { triedAtMs, writesAll }: { readonly triedAtMs: number; readonly writesAll: () => Promise<boolean> },
): Promise<readonly Failing[]> {
  const { atMs } = lines.at(-1) ?? { atMs: 0 };
  if (lines.length === 0 || (atMs < triedAtMs && !(await writesAll()))) return [];
  const later = read(atMs + 1, `{ $.appId = ${quote(appId)} }`);
  const isOver = await has(later, ({ kind, fields }) => kind === "own" && fields.appId === appId);
  return isOver ? [] : [toFailing("consumer", lines)];
}

/**
 * Returns when the platform delivered it.
 * @returns undefined for a sample, and for an event that an operator handed over
 */
function deliveredAt({ atMs, fields: { webhook, sinceReceivedMs } }: LogLine) {
  return webhook === undefined ? atMs - Number(sinceReceivedMs ?? 0) : undefined;
}

const lookedBackMs = [1, 8, 48, 120].map((hours) => hours * 3_600_000);

async function findLastDelivered(appId: string, untilMs: number, read: Read) {
  const pattern = `{ ${handled} && $.trigger = "message_sent" && $.appId = ${quote(appId)} }`;
  for (const spanMs of lookedBackMs) {
    const lines = ofApp(await Array.fromAsync(read(untilMs - spanMs, pattern, untilMs)), appId);
    const last = lines.filter(({ fields }) => fields.trigger === "message_sent").findLast(deliveredAt);
    if (last !== undefined) return deliveredAt(last);
  }
  return undefined;
}

function runsOf(deliveryKey: string) {
  const ends = '$.message = "ended a trigger" || $.message = "could not handle an event*"';
  return `{ ($.message = "${began}" || ${ends}) && $.deliveryKey = ${quote(deliveryKey)} }`;
}

/** A higher LOG_LEVEL hides the consumer's lines about handled events. */
async function writesSuccesses(target: Pick<Target, "callAws">, stack: Stack) {
  const name = stack.physicalId("ProcessEventsLambdaFunction");
  const { LOG_LEVEL = "INFO" } = await readFunctionSettings(target.callAws, name);
  return /^(DEBUG|INFO)$/i.test(LOG_LEVEL);
}

const ofApp = (lines: readonly LogLine[], appId: string) =>
  lines.filter(({ fields }) => fields.appId === appId);

const mostFailing = 10;
/** An attempt lasts 30 s, and parks its event at the end. */
const parkedWithinMs = 60_000;

const handled = '$.message = "handled an event"';

type Read = (startMs: number, pattern: string, endMs?: number) => AsyncIterable<LogLine>;

/** @param attempts failed ones of one app */
async function findFailingTriggers(
  attempts: readonly LogLine[],
  read: Read,
  nowMs: number,
): Promise<readonly Failing[]> {
  const failures = attempts.filter(
    ({ fields: { failure } }) => failure === "ours" || failure === "permanent",
  );
  const found: Failing[] = [];
  const groups = [...Map.groupBy(failures, ({ fields: { step } }) => String(step))];
  for (const [step, ofStep] of groups.slice(0, mostFailing)) {
    const trigger = afterBlank(step);
    // Steps before all triggers, such as reading the event, have names without a blank.
    const what = `${step === trigger ? "step" : "trigger"} ${trigger}`;
    const byEvent = [...Map.groupBy(ofStep, ({ fields: { deliveryKey } }) => deliveryKey).values()];
    // Other events are dead letters now.
    const latest = byEvent.flatMap((ofEvent) => ofEvent.slice(-1)).findLast(({ level }) => level !== "error");
    const own = ofStep.map(({ fields: { laneId, triggerLane } }) =>
      triggerLane === trigger ? String(laneId) : `${laneId} ${trigger}`,
    );
    const conversations = ofStep.map(({ fields }) => String(fields.laneId));
    if (latest === undefined) found.push({ ...toFailing(what, ofStep), waitsIn: new Set(own) });
    else if (!(await isOver(step, latest, read))) {
      const mayBeParked = nowMs - latest.atMs > parkedWithinMs;
      found.push({
        ...toFailing(what, ofStep),
        ...(mayBeParked && { waitsIn: new Set([...own, ...conversations]) }),
      });
    }
  }
  return found;
}

/**
 * Looks only for the trigger itself: once its event is beside the lane, the lane handles it without the
 * trigger.
 */
async function isOver(step: string, { atMs, fields }: LogLine, read: Read) {
  const trigger = afterBlank(step);
  const { deliveryKey, attempt, triggerLane } = fields;
  const wanted = `(${handled} || $.message = "${besideText}*")`;
  const pattern = `{ ${wanted} && $.deliveryKey = ${quote(String(deliveryKey))} }`;
  const lines = (await Array.fromAsync(read(atMs, pattern))).filter(
    (line) => line.fields.deliveryKey === deliveryKey,
  );
  const isBeside =
    triggerLane === trigger ||
    lines.some((line) => line.message.startsWith(besideText) && line.fields.step === step);
  return lines.some(
    (line) =>
      !line.message.startsWith(besideText) &&
      (line.fields.triggerLane === trigger || (!isBeside && Number(line.fields.attempt) > Number(attempt))),
  );
}

/** @param ends of one app's flows */
function findFailingFlows(ends: readonly LogLine[]): readonly Failing[] {
  return [...Map.groupBy(ends, ({ fields }) => String(fields.flow))].flatMap(([flow, ofFlow]) => {
    const lastEnd = ofFlow.findLastIndex(({ level }) => level !== "error");
    const failures = ofFlow.slice(lastEnd + 1);
    return failures.length === 0 ? [] : [toFailing(`flow ${flow}`, failures)];
  });
}

function toFailing(what: string, failures: readonly LogLine[]): Failing {
  const { cause = "see the log" } = failures.at(-1)?.fields ?? {};
  return { what, sinceMs: failures[0]?.atMs ?? 0, count: failures.length, cause: String(cause) };
}

import { readFunctionSettings } from "../../lib/aws/functions.ts";
import { lazy } from "../../lib/base/lazy.ts";
import type { Crash, RecentLogs } from "../../lib/operate/doctor/doctor-services.ts";
import { type LogLine, quote } from "../see/log-line.ts";
import { logsOf, openLogs } from "../see/read-logs.ts";
import { afterBlank, splitFields } from "../see/trace-lines.ts";
import type { Stack, Target } from "../target/target.ts";
import {
  findFailingConsumer,
  findFailingFlows,
  findFailingTriggers,
  handled,
  has,
  type Read,
  returned,
  stays,
} from "./find-failing.ts";

/** Exceeds the time of an event's five tries. */
const triedMs = 15 * 60_000;
const flowsMs = 60 * 60_000;
/** An event waits at most 15 minutes for its next run. */
const crashedMs = 60 * 60_000;
const mostLines = 2_000;
/** Functions called with the webhook's password. */
const called = ["webhook", "beforeMessage", "moderation"];
const alsoOfQuestions = ["ReplacedPasswordUsed", "QuestionUnauthorized"];
const longestRunMs = 60_000;

const failures = '$.message = "could not handle an event*"';
const processEnds = '$.message = "an attempt ended without a result*"';
const endsOfFlows = '$.message = "a flow failed" || $.message = "a flow ended"';
const staysMs = 5 * 60_000;
const began = "began a trigger";
const sawCanary = '$.message = "saw the canary"';

const unhandledLines = `$.message = "${returned}*" || $.message = "${stays}"`;

export function openRecentLogs(
  target: Target,
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
  const writesAll = () => writesSuccesses(target, stack);
  const failedAttempts = readByApp(read, () => sinceEdits(triedMs), failures);
  const crashes = readByApp(read, () => sinceEdits(crashedMs), processEnds);
  const flowEnds = readByApp(logOf("flows"), () => since(flowsMs), endsOfFlows);
  const unhandled = readByApp(read, () => sinceEdits(crashedMs), unhandledLines);

  return {
    failing: async (appId) => {
      const lines = [await unhandled(appId), await failedAttempts(appId), await flowEnds(appId)];
      return findFailing(appId, lines, read, { nowMs: now(), writesAll });
    },
    crashes: async (appId) => new Map((await crashes(appId)).map(toCrash)),
    runningTrigger: async (laneId, deliveryKey) => {
      const [appId = ""] = splitFields(deliveryKey);
      // The next attempt logs the end of the process first. Later lines may be of a running attempt.
      const loggedMs = (await crashes(appId)).findLast(({ fields }) => fields.laneId === laneId)?.atMs ?? 0;
      const endedMs = Math.max(loggedMs - 1, now() - longestRunMs);
      const runs = read(sinceEdits(crashedMs), runsOf(deliveryKey), endedMs);
      return runningIn(await Array.fromAsync(runs), deliveryKey);
    },
    hasHandled: (appId, sinceMs, untilMs) =>
      has(
        read(sinceMs, `{ (${handled} || ${sawCanary}) && $.appId = ${quote(appId)} }`, untilMs),
        (line) => line.fields.appId === appId && (deliveredAt(line) ?? 0) >= sinceMs,
      ),
    hasArrived: async (appId, sinceMs, keys) => {
      const lines =
        keys === undefined
          ? read(sinceMs, `{ $.appId = ${quote(appId)} }`)
          : readDelivered(sinceMs, keys, read);
      if (await has(lines, ({ fields }) => fields.appId === appId)) return true;
      return (await writesAll()) ? false : undefined;
    },
    lastDelivered: (appId, untilMs) => findLastDelivered(appId, untilMs, read),
    hasCounted: async (appId, metric, sinceMs, untilMs) => {
      for (const source of alsoOfQuestions.includes(metric) ? called : ["webhook"]) {
        const lines = logOf(source)(sinceMs, `{ $.appId = ${quote(appId)} }`, untilMs);
        const isCount = ({ kind, fields }: LogLine) =>
          kind === "metric" && fields.appId === appId && metric in fields;
        if (await has(lines, isCount)) return true;
      }
      return false;
    },
  };
}

/** Reads all apps together, as CloudWatch answers few requests. If too much, reads each app's first lines. */
function readByApp(read: Read, startMs: () => number, condition: string) {
  const ofAll = lazy(() => Array.fromAsync(read(startMs(), `{ ${condition} }`)));
  return async (appId: string) => {
    const lines = await ofAll();
    if (lines.length < mostLines) return ofApp(lines, appId);
    const own = read(startMs(), `{ (${condition}) && $.appId = ${quote(appId)} }`);
    return ofApp(await Array.fromAsync(own), appId);
  };
}

/** @returns undefined if not all lines were read, and those show nothing that fails */
async function findFailing(
  appId: string,
  lines: readonly (readonly LogLine[])[],
  read: Read,
  { nowMs, writesAll }: { readonly nowMs: number; readonly writesAll: () => Promise<boolean> },
) {
  const [returns = [], attempts = [], ends = []] = lines;
  const options = { triedAtMs: nowMs - triedMs, writesAll };
  const found = [
    ...(await findFailingConsumer(dropOldStays(returns, nowMs), appId, read, options)),
    ...(await findFailingTriggers(attempts, read, nowMs)),
    ...findFailingFlows(ends),
  ];
  return found.length > 0 || lines.every(({ length }) => length < mostLines) ? found : undefined;
}

function toCrash({ fields: { laneId, deliveryKey, deaths = 1 } }: LogLine): readonly [string, Crash] {
  return [String(laneId), { deliveryKey, deaths: Number(deaths) }];
}

function dropOldStays(lines: readonly LogLine[], nowMs: number) {
  return lines.filter(({ message, atMs }) => message !== stays || atMs >= nowMs - staysMs);
}

function runningIn(lines: readonly LogLine[], deliveryKey: string) {
  const last = lines.findLast(({ fields }) => fields.deliveryKey === deliveryKey);
  return last?.message === began ? afterBlank(last.fields.step) : undefined;
}

/** @returns when the platform delivered it; undefined for samples and events that an operator handed over */
function deliveredAt({ atMs, fields: { webhook, sinceReceivedMs } }: LogLine) {
  return webhook === undefined ? atMs - Number(sinceReceivedMs ?? 0) : undefined;
}

/** Omits events that the platform did not deliver: the line about their end names what did. */
async function* readDelivered(sinceMs: number, keys: ReadonlySet<string>, read: Read) {
  const conditions = [...keys].map((key) => `($.deliveryKey = ${quote(key)})`);
  const lines = await Array.fromAsync(read(sinceMs, `{ ${conditions.join(" || ")} }`));
  for (const [key, ofKey] of Map.groupBy(lines, ({ fields }) => String(fields.deliveryKey))) {
    const ends = ofKey.filter(({ message }) => message === "handled an event");
    const isDelivered = ends.length === 0 || ends.some(({ fields }) => fields.webhook === undefined);
    if (keys.has(key) && isDelivered) yield* ofKey;
  }
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
async function writesSuccesses(target: Target, stack: Stack) {
  const name = stack.physicalId("ProcessEventsLambdaFunction");
  const { LOG_LEVEL = "INFO" } = await readFunctionSettings(target.callAws, name);
  return /^(DEBUG|INFO)$/i.test(LOG_LEVEL);
}

const ofApp = (lines: readonly LogLine[], appId: string) =>
  lines.filter(({ fields }) => fields.appId === appId);

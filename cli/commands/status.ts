import { CloudWatchLogsClient } from "@aws-sdk/client-cloudwatch-logs";
import { checkFailing } from "../../lib/operate/doctor/check-failing.ts";
import { remediesFor } from "../../lib/operate/doctor/remedies.ts";
import { listPauses } from "../../lib/queue/pauses/pause-store.ts";
import { CliError } from "../cli-error.ts";
import { defineCommand } from "../command.ts";
import { checkAlarms } from "../doctor/check-aws.ts";
import { typedTarget } from "../doctor/doctor-of-target.ts";
import { openRecentLogs } from "../doctor/recent-logs.ts";
import type { CliEdges } from "../edges.ts";
import { flag, texts } from "../options.ts";
import { countWaiting, type OpenPauses, openPauses } from "../pauses/open-pauses.ts";
import { type PauseResult, toPauseResult } from "../pauses/pause-result.ts";
import { isMeant, type LogLine } from "../see/log-line.ts";
import { printStatus } from "../see/print-status.ts";
import { logsOf, readLog } from "../see/read-logs.ts";
import { readAppStatus, readFunctionStatus, readLastDoctor, readQueueStatus } from "../see/status-parts.ts";
import { type Status, statusSchema } from "../see/status-schema.ts";
import { findTroubles } from "../see/status-troubles.ts";
import type { Stack } from "../target/stack.ts";
import type { Target } from "../target/target.ts";

const watchMs = 60_000;
/** Rates and lags cover this span. */
const spanMs = 300_000;
const mostLines = 5_000;

export const command = defineCommand({
  description:
    "Shows also what is paused, since when, by whom and why, and the stack's addresses. CloudWatch's metrics are some minutes late. Rates and lags of apps cover the last five minutes, from the consumer's log. `doctor` checks the setup; this shows the operation.",
  examples: `
    $ status --stage prod
        show the state now; exit with 1 if something needs attention
    $ status --stage prod --app shop
        show one app
    $ status --stage prod --watch
        repeat every minute, until Ctrl-C
  `,
  options: {
    app: texts("<id>", "only this app; may be repeated"),
    watch: flag("repeat every minute, until Ctrl-C"),
  },
  json: statusSchema,
  run: async ({ target, options, edges, out, emit }) => {
    for (;;) {
      out.progress("asks AWS");
      const found = await readStatus(target, options.app, edges);
      if (!options.watch) return found;
      emit(found);
      await edges.sleep(watchMs, edges.signal);
      if (edges.signal.aborted) return undefined;
      out.line();
    }
  },
  print: printStatus,
  exitCode: ({ troubles }) => (troubles.length === 0 ? "done" : "unwell"),
});

async function readStatus(target: Target, wanted: readonly string[], edges: CliEdges): Promise<Status> {
  const nowMs = edges.now();
  const stack = await target.stack();
  // Before the question below, which also runs a function.
  const functions = await readFunctionStatus(target, stack, nowMs);
  const pausing = await openPauses(target, edges);
  const { facts } = pausing;
  const stranger = wanted.find((appId) => !facts.appIds.includes(appId));
  if (stranger !== undefined) {
    throw new CliError(
      "notThere",
      "NO_SUCH_APP",
      `The app ${stranger} is not served by ${target.title}.`,
      "Which ones are: npx cometchat-functions apps list",
    );
  }
  const appIds = wanted.length > 0 ? wanted : facts.appIds;
  const typed = typedTarget(target);
  const remedies = remediesFor(typed);
  const recentLogs = openRecentLogs(target, stack, edges);
  const [queues, doctor, alarms, handled] = await Promise.all([
    readQueueStatus(target, stack, nowMs),
    readLastDoctor(target, stack, nowMs),
    checkAlarms(target.callAws, stack, remedies),
    readHandled(target, stack, nowMs, edges.signal),
  ]);
  const apps = await readAppStatus({ target, appIds, ...handled, nowMs, recentLogs });
  const failing = await Promise.all(appIds.map((appId) => checkFailing(appId, { remedies }, recentLogs)));
  const parts = { at: new Date(nowMs).toISOString(), stack: stack.status, doctor, queues, functions, apps };
  const isPaused = apps.filter(({ paused }) => paused.length > 0);
  const pauses = await readPauses(
    isPaused.map(({ appId }) => appId),
    pausing,
    nowMs,
  );
  const ringing = [...alarms, ...failing.flat()].flatMap((one) => (one.status === "wrong" ? [one] : []));
  const { kind, stage, region, accountId: account } = target;
  return {
    ...parts,
    ...{ troubles: [...findTroubles(parts, ringing, typed)], pauses },
    target: { kind, stage, region, account, outputs: { ...stack.outputs } },
  };
}

async function readPauses(
  appIds: readonly string[],
  { store, room }: OpenPauses,
  nowMs: number,
): Promise<PauseResult[]> {
  const found: PauseResult[] = [];
  for (const appId of appIds) {
    for (const pause of listPauses(await store.read(appId), nowMs)) {
      const waiting = await countWaiting(room, { appId, pauseId: pause.id });
      found.push(toPauseResult({ appId, target: pause.target }, pause, waiting));
    }
  }
  return found;
}

/** If there is a lot, only the newest part of the span. */
async function readHandled(
  { client }: Target,
  stack: Stack,
  nowMs: number,
  signal: AbortSignal,
): Promise<{ readonly handled: readonly LogLine[]; readonly spanMs: number }> {
  const log = logsOf(stack).find(({ source }) => source === "processEvents");
  if (log === undefined) return { handled: [], spanMs };
  const handled: LogLine[] = [];
  const logs = client(CloudWatchLogsClient, "CLOUDWATCH_LOGS");
  const query = { startMs: nowMs - spanMs, pattern: '{ $.message = "handled an event" }', signal };
  for await (const line of readLog(logs, log, query)) {
    if (isMeant(line, { level: "info", hasMetrics: false })) handled.push(line);
    if (handled.length >= mostLines) {
      return { handled, spanMs: Math.max(1_000, line.atMs - (nowMs - spanMs)) };
    }
  }
  return { handled, spanMs };
}

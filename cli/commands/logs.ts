import { sha256Hex } from "../../lib/base/digest.ts";
import { joinFields } from "../../lib/events/identity.ts";
import { laneNameOf } from "../../lib/queue/lanes/lane-record.ts";
import { auditLogOf } from "../audit.ts";
import { wrongUse } from "../cli-error.ts";
import { choice, defineCommand, flag, moment, text, texts } from "../command.ts";
import type { CliEdges } from "../edges.ts";
import type { Output } from "../output.ts";
import { checkSpan } from "../repair/change-queue.ts";
import {
  isMeant,
  type Line,
  type LogLine,
  logLevels,
  printLogLine,
  toFilterPattern,
} from "../see/log-line.ts";
import { createFollower, logsOf, openLogs, type StackLog } from "../see/read-logs.ts";
import type { Target } from "../target/target.ts";
import { readTriggers } from "../target/trigger-names.ts";
import { toFailure } from "../to-failure.ts";

const defaultAgoMs = 15 * 60_000;
const pollMs = 2_000;
const longestPauseMs = 30_000;

export const command = defineCommand({
  description:
    "Times are UTC. Lambda's own lines name no app: with --app, --trigger or --conversation they are left out. Reading logs costs nothing.",
  examples: `
    $ logs --stage prod --follow
        follow the log
    $ logs --stage prod --level error --since 24h
        show what failed since yesterday
    $ logs --stage prod --app shop --conversation group_support --since 2h
        one conversation
    $ logs --stage prod --function webhook --since 15m --json
        for scripts: one JSON object a line
  `,
  options: {
    follow: flag("continue with new lines, until Ctrl-C"),
    app: text("<id>", "only lines about this app"),
    trigger: text("<name>", "only lines about this trigger, or this event, such as message_sent"),
    conversation: text(
      "<id>",
      "only lines about this conversation of --app: group_<guid>, or <uid>_user_<uid>",
    ),
    level: choice(logLevels, "this level or above", "info"),
    function: texts("<name>", "only this function, or audit: who changed what; may be repeated"),
    since: moment("start time (default: 15m; with --follow, now)"),
    until: moment("end time; not with --follow"),
    metrics: flag("also show metrics"),
  },
  run: async ({ options, emit, ...context }): Promise<Line | undefined> => {
    const { target, out, edges } = context;
    const { app: appId, trigger, conversation, follow, since, until, level, metrics: hasMetrics } = options;
    if (conversation !== undefined && appId === undefined) throw wrongUse("--conversation requires --app.");
    if (follow && until !== undefined) throw wrongUse("--until cannot be used with --follow.");
    const nowMs = edges.now();
    const startMs = since?.(nowMs) ?? (follow ? nowMs : nowMs - defaultAgoMs);
    const endMs = until?.(nowMs);
    checkSpan(startMs, endMs);
    const lane = conversation && appId && laneNameOf(sha256Hex(joinFields([appId, conversation])));
    const filter = { appId, trigger, lane, level, hasMetrics };
    const query = { startMs, endMs, pattern: toFilterPattern(filter), signal: edges.signal };
    const read = await openChosen(target, options.function);
    let day = "";
    const print = ({ atMs, eventId: _, ...line }: LogLine) => {
      const time = new Date(atMs).toISOString();
      if (time.slice(0, 10) !== day) {
        day = time.slice(0, 10);
        out.line(out.style("dim", `— ${day} (UTC) —`));
      }
      emit({ ...line, time } satisfies Line);
    };
    const checkNames = async () => {
      if (trigger === undefined && appId === undefined) return;
      const names = await readTriggers(context);
      if (trigger !== undefined) names.check(trigger);
      if (appId !== undefined) names.checkApp(appId);
    };
    if (follow) {
      await checkNames();
      const readFrom = async (fromMs: number) =>
        (await Array.fromAsync(read({ ...query, startMs: fromMs }))).filter((line) => isMeant(line, filter));
      await goOn(createFollower(readFrom, { startMs, now: edges.now }), print, out, edges);
      return undefined;
    }
    for await (const line of read(query)) if (isMeant(line, filter)) print(line);
    if (day === "") {
      await checkNames();
      out.note(`No line since ${new Date(startMs).toISOString()} matches.`);
    }
    return undefined;
  },
  print: printLogLine,
});

async function openChosen(target: Target, wanted: readonly string[]) {
  const isAudit = wanted.length > 0 && wanted.every((name) => name === "audit");
  // The audit trail outlives the stage.
  const functions = isAudit ? [] : logsOf(await target.stack());
  const all = [...functions, auditLogOf(target)];
  const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  const meant = (name: string): StackLog => {
    const found = all.find(({ source }) => plain(source) === plain(name));
    if (found !== undefined) return found;
    const names = all.map(({ source }) => source).join(", ");
    throw wrongUse(`There is no function ${name}.`, `There are ${names}.`);
  };
  return openLogs(target, wanted.length === 0 ? functions : wanted.map(meant));
}

/** Continues until interrupted; reports a lasting failure once. */
async function goOn(
  next: () => Promise<readonly LogLine[]>,
  print: (line: LogLine) => void,
  out: Output,
  { sleep, signal }: CliEdges,
) {
  let failures = 0;
  while (!signal.aborted) {
    try {
      for (const line of await next()) print(line);
      if (failures > 0) out.note("The logs are readable again.");
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      const failure = toFailure(error);
      if (failure.code !== "AWS_UNREACHABLE") throw error;
      failures += 1;
      if (failures === 1) out.note(`The logs cannot be read: ${failure.message} Trying again.`);
    }
    await sleep(Math.min(pollMs * 2 ** failures, longestPauseMs), signal);
  }
}

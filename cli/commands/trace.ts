import { CloudWatchLogsClient } from "@aws-sdk/client-cloudwatch-logs";
import * as z from "zod/mini";
import { readServedApps } from "../../build/served-apps.ts";
import { joinFields } from "../../lib/events/identity.ts";
import type { OperatorServices } from "../../lib/queue/operator-services.ts";
import { CliError, wrongUse } from "../cli-error.ts";
import { defineCommand, type WorkContext } from "../command.ts";
import { argument, moment, text } from "../options.ts";
import { openOperator } from "../repair/open-operator.ts";
import { readQueueCounts } from "../repair/queue-depth.ts";
import { toEventPattern } from "../see/filter-pattern.ts";
import { judgeMissing, verdicts } from "../see/judge-missing.ts";
import type { LogLine } from "../see/log-line.ts";
import { mergeLogs } from "../see/merge-logs.ts";
import { logsOf, readLog } from "../see/read-logs.ts";
import { isAbout, splitFields, type TracedEvent, type TraceStep, traceLines } from "../see/trace-lines.ts";
import { findEvent, readMessage, replyStep, traceEffects } from "../see/trace-places.ts";

const resultSchema = z.strictObject({
  /** The searched key or message id. */
  event: z.string(),
  since: z.iso.datetime(),
  events: z.array(
    z.strictObject({
      deliveryKey: z.string(),
      appId: z.string(),
      trigger: z.string(),
      verdict: z.enum(verdicts),
      steps: z.array(
        z.strictObject({ time: z.iso.datetime(), place: z.string(), what: z.string(), from: z.string() }),
      ),
    }),
  ),
  missing: z.array(z.string()),
});

type Result = z.infer<typeof resultSchema>;

const defaultAgoMs = 24 * 60 * 60_000;
/** The platform's clock may differ, and its times are whole seconds. */
const marginMs = 5 * 60_000;

export const trace = defineCommand({
  name: "trace",
  summary: "show one event's path: received, queued, handled, its effects, or where it waits",
  description:
    "Reads the logs, the ledger of effects, the parked lanes, dead letters, quarantine and the platform's message. Each line names its source. Lists what could not be found out.",
  examples: [
    ["trace 4711 --stage prod", "trace the events of a message, by the message's id"],
    ["trace 4711 --stage prod --app shop --since 7d", "search one app, further back"],
    [
      "trace 'shop|message_sent|4711' --stage prod",
      "trace one event, by the key that logs and dead letters show",
    ],
  ],
  arguments: { event: argument("a message's id, or an event's delivery key") },
  options: {
    app: text("<id>", "the message's app, if the stage serves several"),
    since: moment("how far back to read the logs (default: since the message was sent, or 24h)"),
  },
  json: resultSchema,
  run: async ({ target, args, options, out, edges }): Promise<Result> => {
    const asked = args.event.trim();
    if (asked === "") throw wrongUse("The event is missing.");
    const missing: string[] = [];
    const isKey = asked.includes("|");
    const [keysApp, , keysMessage] = isKey ? splitFields(asked) : [];
    const messageId = isKey ? keysMessage : asked;
    const apps = (await readServedApps(edges.projectFolder)).get(target.stage) ?? [];
    const appId = keysApp ?? options.app ?? (apps.length === 1 ? apps[0] : undefined);

    out.progress("reading the message from the platform");
    const message = await readMessage(target, appId, messageId, missing);
    const sentAtMs = message?.sentAtMs;
    const nowMs = edges.now();
    const startMs =
      options.since?.(nowMs) ?? (sentAtMs === undefined ? nowMs - defaultAgoMs : sentAtMs - marginMs);

    out.progress("reading the logs");
    const stack = await target.stack();
    const client = target.client(CloudWatchLogsClient, "CLOUDWATCH_LOGS");
    const pattern = toEventPattern(isKey ? { key: asked } : { messageId: asked });
    const query = { startMs, pattern, signal: edges.signal };
    const lines: LogLine[] = [];
    for await (const line of mergeLogs(logsOf(stack).map((log) => readLog(client, log, query)))) {
      if (isAbout(line, asked) && (options.app === undefined || line.fields.appId === options.app))
        lines.push(line);
    }
    const traced = traceLines(lines);
    const expected = isKey
      ? asked
      : appId === undefined
        ? undefined
        : joinFields([appId, "message_sent", asked]);
    const isTold = traced.some(({ deliveryKey }) => deliveryKey === expected);
    const all =
      expected === undefined || isTold || !(isKey || message) ? traced : [...traced, unseen(expected)];
    if (all.length === 0) {
      throw new CliError(
        "notThere",
        "NOT_FOUND",
        `Nothing is known of the event ${asked} in ${target.title}.`,
        [...missing, "Look further back with --since, name the --app, or give the delivery key."].join(" "),
      );
    }

    const operator = await openOperator({ target, edges, out });
    const look = { target, edges, operator, message, expected, startMs, nowMs, missing };
    const events: Result["events"][number][] = [];
    for (const event of all) {
      out.progress(`looks after ${event.deliveryKey}`);
      events.push(await describe(event, look));
    }
    return { event: asked, since: new Date(startMs).toISOString(), events, missing: [...new Set(missing)] };
  },
  print: ({ events, missing }, out) => {
    for (const { deliveryKey, verdict, steps } of events) {
      out.line(
        `${out.style("bold", deliveryKey)}  ${out.style(verdict === "handled" ? "green" : "yellow", verdict)}`,
      );
      // The platform's times are whole seconds.
      const first = steps.find(({ place }) => place !== "platform") ?? steps[0];
      for (const { time, place, what, from } of steps) {
        const sinceMs = Date.parse(time) - Date.parse(first?.time ?? time);
        out.line(
          `  ${time.replace("T", " ").slice(0, 23)}  ${`${sinceMs < 0 ? "" : `+${sinceMs} ms`}`.padStart(10)}  ${place.padEnd(12)} ${what}  ${out.style("dim", `(${from})`)}`,
        );
      }
    }
    for (const text of missing) out.line(`  not known: ${text}`);
  },
  exitCode: ({ events }) =>
    events.every(({ verdict }) => verdict === "handled" || verdict === "under-way") ? "done" : "unwell",
});

interface Look extends Pick<WorkContext, "target" | "edges"> {
  readonly operator: OperatorServices;
  readonly message: Awaited<ReturnType<typeof readMessage>>;
  /** Of the message's own event. */
  readonly expected: string | undefined;
  readonly startMs: number;
  readonly nowMs: number;
  readonly missing: string[];
}

async function describe(event: TracedEvent, look: Look): Promise<Result["events"][number]> {
  const { target, edges, operator, message, expected, startMs, nowMs, missing } = look;
  const { deliveryKey, trigger, appId, isHandled } = event;
  const steps = [...event.steps, ...(await effectSteps(event, look))];
  if (message !== undefined && deliveryKey === expected) steps.push(message.step);
  const laneId = event.laneId ?? message?.laneId;
  const place = isHandled
    ? undefined
    : await findEvent({ deliveryKey, laneId }, { operator, target, signal: edges.signal });
  if (place !== undefined) steps.push(place.step);
  const verdict =
    isHandled || place !== undefined
      ? (place?.verdict ?? "handled")
      : await judgeMissing(event, {
          ...{ sentAtMs: message?.sentAtMs, startMs, nowMs, missing },
          counts: () => readQueueCounts(operator.callAws, operator.queueUrls.events),
        });
  return {
    ...{ deliveryKey, trigger, appId, verdict },
    steps: steps
      .toSorted((one, other) => one.atMs - other.atMs)
      .map(({ atMs, ...step }) => ({ time: new Date(atMs).toISOString(), ...step })),
  };
}

async function effectSteps(
  event: TracedEvent,
  { target, edges, message, nowMs }: Look,
): Promise<readonly TraceStep[]> {
  const atMs = event.steps.at(-1)?.atMs ?? nowMs;
  const steps: TraceStep[] = [];
  for (const { trigger, effect, state, madeId } of await traceEffects(event, target, edges.now)) {
    const what = `${trigger} ${effect}: ${state}${madeId === undefined ? "" : `, made ${madeId}`}`;
    steps.push({ atMs, place: "effect", what, from: "EffectsTable" });
    const reply = madeId === undefined ? undefined : message && (await replyStep(message.app, madeId));
    if (reply !== undefined) steps.push({ ...reply, atMs: Math.max(reply.atMs, atMs) });
  }
  return steps;
}

function unseen(deliveryKey: string): TracedEvent {
  const [appId = "", trigger = ""] = splitFields(deliveryKey);
  return {
    ...{ deliveryKey, appId, trigger, receivedAt: undefined, laneId: undefined },
    ...{ isHandled: false, isBuried: false, effects: [], steps: [] },
  };
}

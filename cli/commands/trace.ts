import { CloudWatchLogsClient } from "@aws-sdk/client-cloudwatch-logs";
import * as z from "zod/mini";
import { readServedApps } from "../../build/served-apps.ts";
import { joinFields } from "../../lib/events/identity.ts";
import type { OperatorServices } from "../../lib/queue/operator-services.ts";
import { CliError, wrongUse } from "../cli-error.ts";
import { defineCommand, type WorkContext } from "../command.ts";
import { count, moment, optionalArgument, text } from "../options.ts";
import { openOperator } from "../repair/open-operator.ts";
import { readQueueCounts } from "../repair/queue-depth.ts";
import { deadLetterKind } from "../repair/set-aside-kind.ts";
import { toEventPattern } from "../see/filter-pattern.ts";
import { judgeMissing, verdicts } from "../see/judge-missing.ts";
import type { LogLine } from "../see/log-line.ts";
import { mergeLogs } from "../see/merge-logs.ts";
import { openApp } from "../see/open-app.ts";
import { logsOf, readLog } from "../see/read-logs.ts";
import { isAbout, splitFields, type TracedEvent, type TraceStep, traceLines } from "../see/trace-lines.ts";
import { findEvent, readMessage, replyStep, traceEffects } from "../see/trace-places.ts";

const resultSchema = z.strictObject({
  /** The searched key, message id or search. */
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

export const command = defineCommand({
  description:
    "Reads the logs, the ledger of effects, the parked lanes, dead letters, quarantine and the platform's message. Each line names its source. Lists what could not be found out.",
  examples: `
    $ trace 4711 --stage prod
        trace the events of a message, by the message's id
    $ trace 4711 --stage prod --app shop --since 7d
        search one app, further back
    $ trace --stage prod --user alice --text 'my order'
        trace the newest messages of a user with this text
    $ trace --stage prod --cause ERR_UID_NOT_FOUND-1f0c2a
        trace the dead letters of a group of equal causes
    $ trace 'shop|message_sent|4711' --stage prod
        trace one event, by the key that logs and dead letters show
  `,
  arguments: { event: optionalArgument("a message's id, or an event's delivery key") },
  options: {
    user: text("<uid>", "the newest messages that this user sent"),
    conversation: text("<id>", "of this conversation: group_<guid>, or <uid>_user_<uid>"),
    text: text("<part>", "with this text"),
    cause: text("<name>", "the newest dead letters of this group, as `dead-letters list` names it"),
    limit: count("how many of them", { most: 50, fallback: 5 }),
    app: text("<id>", "the message's app, if the stage serves several"),
    since: moment("how far back to read the logs (default: since the message was sent, or 24h)"),
  },
  json: resultSchema,
  run: async ({ target, args, options, out, edges }): Promise<Result> => {
    const missing: string[] = [];
    const nowMs = edges.now();
    const apps = (await readServedApps(edges.projectFolder)).get(target.stage) ?? [];
    const onlyApp = options.app ?? (apps.length === 1 ? apps[0] : undefined);
    const operator = await openOperator({ target, edges, out });
    const { asked, name } = await chooseAsked(args.event, options, { onlyApp, operator, target, edges, out });
    const search = { options, target, edges, out, operator, onlyApp, nowMs, missing };
    const found = [];
    for (const one of asked) found.push(await traceAsked(one, search));
    const events = found.flatMap((one) => one.events);
    if (events.length === 0) {
      throw new CliError(
        "notThere",
        "NOT_FOUND",
        `Nothing is known of the event ${name} in ${target.title}.`,
        [...missing, "Look further back with --since, name the --app, or give the delivery key."].join(" "),
      );
    }
    const sinceMs = Math.min(...found.map(({ startMs }) => startMs));
    return { event: name, since: new Date(sinceMs).toISOString(), events, missing: [...new Set(missing)] };
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

type TraceOptions = Readonly<
  Record<"user" | "conversation" | "text" | "cause" | "app", string | undefined>
> & { readonly limit: number; readonly since: ((nowMs: number) => number) | undefined };

interface Search extends Pick<WorkContext, "target" | "edges" | "out"> {
  readonly options: TraceOptions;
  readonly operator: OperatorServices;
  readonly onlyApp: string | undefined;
  readonly nowMs: number;
  readonly missing: string[];
}

/**
 * Message ids or delivery keys: the typed one, or those that a search finds, the newest first.
 * @throws CliError if none is meant or found
 */
async function chooseAsked(
  event: string | undefined,
  options: TraceOptions,
  { onlyApp, operator, target, edges, out }: Omit<Search, "options" | "nowMs" | "missing">,
): Promise<{ readonly asked: readonly string[]; readonly name: string }> {
  const { user, conversation, text: part, cause, limit, app } = options;
  const typed = Object.entries({ user, conversation, text: part, cause }).flatMap(([option, value]) =>
    value === undefined ? [] : [`--${option} ${value}`],
  );
  const name = typed.join(" ");
  if ((event === undefined) === (typed.length === 0) || event?.trim() === "")
    throw wrongUse("Give an event, or search by --user, --conversation, --text or --cause.");
  if (event !== undefined) return { asked: [event.trim()], name: event.trim() };
  out.progress(`looking for ${name}`);
  const asked =
    cause === undefined
      ? await findMessages({ user, conversation, part, limit }, onlyApp, target)
      : (
          await deadLetterKind.list({ cause, user, conversation, text: part, appId: app }, operator, {
            signal: edges.signal,
          })
        ).found
          .slice(-limit)
          .flatMap(({ deliveryKey }) => deliveryKey ?? []);
  if (asked.length > 0) return { asked: asked.toReversed(), name };
  throw new CliError("notThere", "NOT_FOUND", `Nothing in ${target.title} has ${name}.`);
}

/** Ids, the oldest first. */
async function findMessages(
  {
    user,
    conversation,
    part,
    limit,
  }: Readonly<Record<"user" | "conversation" | "part", string | undefined>> & {
    readonly limit: number;
  },
  appId: string | undefined,
  target: WorkContext["target"],
): Promise<readonly string[]> {
  if (appId === undefined) throw wrongUse("The stage serves several apps.", "Add --app <id>.");
  const { messages } = await openApp(target, appId);
  const page = await messages
    .list({
      ...{ affix: "prepend" as const, limit },
      ...(user !== undefined && { sender: user }),
      ...(conversation !== undefined && { conversationId: conversation }),
      ...(part !== undefined && { searchKey: part }),
    })
    .page();
  return page.items.map(({ id }) => id).toSorted((one, other) => Number(one) - Number(other));
}

async function traceAsked(
  asked: string,
  { options, target, edges, out, operator, onlyApp, nowMs, missing }: Search,
): Promise<{ readonly startMs: number; readonly events: Result["events"] }> {
  const isKey = asked.includes("|");
  const [keysApp, , keysMessage] = isKey ? splitFields(asked) : [];
  const messageId = isKey ? keysMessage : asked;
  const appId = keysApp ?? onlyApp;

  out.progress("reading the message from the platform");
  const message = await readMessage(target, appId, messageId, missing);
  const sentAtMs = message?.sentAtMs;
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

  const look = { target, edges, operator, message, expected, startMs, nowMs, missing };
  const events: Result["events"] = [];
  for (const event of all) {
    out.progress(`looks after ${event.deliveryKey}`);
    events.push(await describe(event, look));
  }
  return { startMs, events };
}

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

import { isEnd, type OutcomeFields, summarize } from "../../lib/effects/outcomes.ts";
import { joinFields } from "../../lib/events/identity.ts";
import { readQueuedEvents } from "../../lib/operate/doctor/check-queues.ts";
import { conversationIdOf } from "../../lib/queue/lanes/lane-record.ts";
import { type LogLine, toEventPattern } from "./log-line.ts";
import { logsOf, openLogs } from "./read-logs.ts";
import { isAbout, splitFields, type TracedEvent, traceEvent, traceLines } from "./trace-lines.ts";
import {
  type AskedMessage,
  effectSteps,
  type FoundPlace,
  findEvent,
  readMessage,
  type Tracing,
} from "./trace-places.ts";

const defaultAgoMs = 24 * 60 * 60_000;
/** The platform's clock may differ, and its times are whole seconds. */
const marginMs = 5 * 60_000;
/** The platform's retries and the logs' own delay. */
const settlingMs = 60_000;
/** A new stage's log begins with the cold start after the first receipt. */
const coldStartMs = 30_000;

export async function traceAsked(asked: string, tracing: Tracing) {
  const { target, edges, out, app, onlyApp, since } = tracing;
  const isKey = asked.includes("|");
  const [appId = onlyApp, , messageId = asked] = isKey ? splitFields(asked) : [];

  out.progress("reading the message from the platform");
  const message = await readMessage(appId, messageId, tracing);
  const nowMs = edges.now();
  const startMs =
    since?.(nowMs) ?? (message?.sentAtMs === undefined ? nowMs - defaultAgoMs : message.sentAtMs - marginMs);

  out.progress("reading the logs");
  const read = openLogs(target, logsOf(await target.stack()));
  const readAbout = async (wanted: string, pattern: string) => {
    const lines = await Array.fromAsync(read({ startMs, pattern, signal: edges.signal }));
    const isMeant = (line: LogLine) => app === undefined || line.fields.appId === app;
    return lines.filter((line) => isAbout(line, wanted) && isMeant(line));
  };
  const found = traceLines(
    await readAbout(asked, toEventPattern(isKey ? { key: asked } : { messageId: asked })),
  );
  const traced: TracedEvent[] = [];
  for (const event of found) {
    const { deliveryKey: key } = event;
    // Not every line of an event that made the message names it.
    const isWhole = isKey || splitFields(key).slice(2).includes(asked);
    traced.push(isWhole ? event : traceEvent(key, await readAbout(key, toEventPattern({ key }))));
  }
  const own = isKey ? asked : appId === undefined ? "" : joinFields([appId, "message_sent", asked]);
  const isListed = traced.some(({ deliveryKey }) => deliveryKey === own);
  const isAlone = own !== "" && !isListed;
  const isSure = isKey || message !== undefined;
  // The platform may have deleted the message of a dead letter.
  const { places } = isAlone && !isSure ? await findEvent(own, [], tracing) : { places: [] };
  const all = isAlone && (isSure || places.length > 0) ? [...traced, traceEvent(own, [])] : traced;
  const events = [];
  for (const event of all) {
    out.progress(`looks after ${event.deliveryKey}`);
    const isOwn = event.deliveryKey === own;
    events.push(await describe(event, isOwn, message, startMs, tracing, isOwn ? places : []));
  }
  return { startMs, events };
}

async function describe(
  event: TracedEvent,
  isOfMessage: boolean,
  message: AskedMessage | undefined,
  startMs: number,
  tracing: Tracing,
  known: readonly FoundPlace[],
) {
  const { deliveryKey, trigger, appId, isHandled } = event;
  // Lines about a trigger that waits or was dead-lettered may be gone while another's are there.
  const isSure = isHandled && (await beginOfLines(startMs, tracing)) <= (event.receivedAt ?? 0);
  const laneIds = isSure ? [] : await lanesOf(event, message, tracing);
  const { places, isCut } =
    isSure || known.length > 0
      ? { places: known, isCut: false }
      : await findEvent(deliveryKey, laneIds, tracing);
  const steps = [
    ...event.steps,
    ...(await effectSteps(event, message, tracing)),
    ...(message !== undefined && isOfMessage ? [message.step] : []),
    ...places.map(({ step }) => step),
  ];
  const judge = () =>
    isHandled
      ? judgeHandled(event, laneIds, startMs, tracing)
      : judgeMissing(event, message?.sentAtMs, startMs, tracing);
  const verdict = places[0]?.verdict ?? (isCut ? "unclear" : await judge());
  return {
    deliveryKey,
    trigger,
    appId,
    verdict,
    ...outcomeOf(event, places),
    steps: steps
      .toSorted((one, other) => one.atMs - other.atMs)
      .map(({ atMs, ...step }) => ({ time: new Date(atMs).toISOString(), ...step })),
  };
}

async function lanesOf({ laneIds }: TracedEvent, message: AskedMessage | undefined, { laneNames }: Tracing) {
  const known = message?.laneId === undefined ? laneIds : [...laneIds, message.laneId];
  if (known.length === 0) return [];
  const names = await laneNames();
  const all = known.map(conversationIdOf).flatMap((id) => [id, ...names.map((name) => `${id} ${name}`)]);
  return [...new Set([...known, ...all])];
}

/** For an event that waits, by the table: its lines are of another trigger, or of an earlier try. */
function outcomeOf({ outcome }: TracedEvent, places: readonly FoundPlace[]): OutcomeFields | undefined {
  const isOutdated = (name: OutcomeFields["outcome"]) =>
    places.length > 0 && (name === "waiting" || isEnd(name));
  if (outcome !== undefined && !isOutdated(outcome.outcome)) return outcome;
  return places.length === 0
    ? undefined
    : summarize(places.map((place) => ({ ...place.outcome, trigger: "" })));
}

/** Earlier lines are not read, or gone. */
async function beginOfLines(startMs: number, { logBegin }: Pick<Tracing, "logBegin">) {
  return Math.max(startMs, (await logBegin()) ?? 0);
}

/** @param laneIds lanes where the event does not wait */
export async function judgeHandled(
  { deliveryKey, receivedAt = 0 }: Pick<TracedEvent, "deliveryKey" | "receivedAt">,
  laneIds: readonly string[],
  startMs: number,
  { missing, ...tracing }: Pick<Tracing, "logBegin" | "missing">,
) {
  const beginMs = await beginOfLines(startMs, tracing);
  if (laneIds.length > 0 || beginMs <= receivedAt + coldStartMs) return "handled";
  missing.push(
    `${deliveryKey}: whether one of its triggers still waits: lines are read since ${new Date(beginMs).toISOString()}, after its receipt, and none names its conversation; --since may read further back`,
  );
  return "unclear";
}

/** The events queue cannot be read without receiving its messages. */
export async function judgeMissing(
  { steps, isDeadLettered, deliveryKey }: TracedEvent,
  sentAtMs: number | undefined,
  startMs: number,
  { operator, edges, missing, logBegin }: Tracing,
) {
  const miss = (what: string) => missing.push(`${deliveryKey}: ${what}`);
  if (isDeadLettered) {
    miss("it was dead-lettered, and is no longer there: replayed, dropped, or older than the queue keeps it");
    return "dead";
  }
  if (sentAtMs !== undefined && steps.length === 0) {
    const beginMs = await logBegin();
    if (beginMs !== undefined && beginMs > sentAtMs) {
      miss(
        `what happened before ${new Date(beginMs).toISOString()}: the log of processEvents begins there, after the message was sent`,
      );
      return "unclear";
    }
  }
  const { callAws, queueUrls } = operator;
  const { count, oldestMs = 0 } = await readQueuedEvents(callAws, queueUrls.events, edges.now());
  // An event with lines may be queued again, by a replay.
  const isOlder = steps.length === 0 && sentAtMs !== undefined && sentAtMs < oldestMs - marginMs;
  if (count > 0 && !isOlder) {
    miss(`whether it is among the about ${count} events that wait in the queue or are being handled`);
    return "under-way";
  }
  if (steps.length > 0) {
    miss("what happened after its last line; nothing waits in the queue");
    return "unclear";
  }
  if (sentAtMs === undefined || sentAtMs < startMs) {
    miss(
      `no line since ${new Date(startMs).toISOString()} is about it; lines are kept for logDays of config/stages.yml (default: 30), and LOG_LEVEL above INFO writes no lines of successes`,
    );
    return "unclear";
  }
  if (edges.now() - sentAtMs < settlingMs) return "under-way";
  miss(
    "why it never arrived; see the webhook (doctor) and the receiver's log (logs --function webhook). With LOG_LEVEL above INFO it may have been handled without a line",
  );
  return "never-received";
}

import {
  effectText,
  isEnd,
  laterOutcome,
  type OutcomeFields,
  readOutcome,
  summarize,
  type TriggerOutcome,
} from "../../lib/effects/outcomes.ts";
import { flowsStep } from "../../lib/flows/wake-flows.ts";
import type { LogLine } from "./log-line.ts";

export interface TraceStep {
  readonly atMs: number;
  readonly place: string;
  readonly what: string;
  readonly from: string;
}

export type TracedEvent = ReturnType<typeof traceEvent>;

/** A message id counts as a whole field of a key or of the line. */
export function isAbout({ kind, fields }: LogLine, asked: string): boolean {
  if (kind !== "own") return false;
  const { deliveryKey, messageId, about, replyId } = fields;
  if (deliveryKey === asked || messageId === asked || about === asked || replyId === asked) return true;
  return typeof deliveryKey === "string" && splitFields(deliveryKey).slice(2).includes(asked);
}

/** Reverses the joining of a key's fields (lib/events/identity.ts). */
export function splitFields(key: string): readonly string[] {
  return [...key.matchAll(/((?:[^|\\]|\\.)*)(\||$)/g)]
    .slice(0, -1)
    .map(([, field = ""]) => field.replaceAll(/\\(.)/g, "$1"));
}

export function traceLines(lines: readonly LogLine[]): readonly TracedEvent[] {
  const byKey = Map.groupBy(lines, ({ fields }) => String(fields.deliveryKey ?? ""));
  return [...byKey].flatMap(([key, ofKey]) => (key === "" ? [] : [traceEvent(key, ofKey)]));
}

const handled = "handled an event";
/** Lines about dead letters; the last two are of triggers that did not run, in an event that is handled. */
const deadLettered = [
  "moved an event to the dead-letter queue",
  "an event waited too long for a trigger",
  "an event waited for a trigger that is not turned on any more",
];

export function traceEvent(deliveryKey: string, lines: readonly LogLine[]) {
  const [appId = "", trigger = ""] = splitFields(deliveryKey);
  const done = lines.filter(({ message }) => message === handled);
  const waiting = lines.filter(isBeside);
  const receivedAt = readReceipt(lines, done.at(-1));
  const lanes = [...waiting, ...lines].map(({ fields }) => fields.laneId);
  const effects = new Set(
    done.flatMap(({ fields: { effects } }) => (Array.isArray(effects) ? effects.map(String) : [])),
  );
  const replayed = findReplayed(lines);
  const isHandled = done.length > 0 && waiting.length === 0 && replayed !== undefined;
  const outcome = outcomeOf(lines.filter(({ fields }) => !isOutdated(fields, replayed)));
  const steps = lines.flatMap(toSteps);
  if (receivedAt !== undefined) {
    const from = `log of ${lines[0]?.source}, which has it from the event`;
    const what = "took the delivery and put it into the queue";
    steps.push({ atMs: receivedAt, place: "receiver", what, from });
  }
  return {
    deliveryKey,
    appId,
    trigger,
    receivedAt,
    /** The ids of the lanes where it may wait, as in the table, as far as lines have them. */
    laneIds: [...new Set(lanes.filter((id) => typeof id === "string"))],
    isHandled,
    isDeadLettered: lines.some(isLetter),
    effects: [...effects].map((name) => {
      const effect = afterBlank(name);
      return { trigger: name.slice(0, -effect.length - 1), effect };
    }),
    steps: steps.toSorted((one, other) => one.atMs - other.atMs),
    /** An outcome of some triggers does not count while the event waits for others. */
    outcome: isHandled || (outcome !== undefined && !isEnd(outcome.outcome)) ? outcome : undefined,
  };
}

/** Reads the last line of each trigger and lane. Only DEBUG writes a lane's, which repeats its triggers'. */
function outcomeOf(lines: readonly LogLine[]): OutcomeFields | undefined {
  const last = new Map<string, TriggerOutcome & { readonly lane: unknown }>();
  for (const { message, fields } of lines) {
    const known = readOutcome(fields);
    const trigger = fields.step === undefined ? "" : afterBlank(fields.step);
    const key = trigger || String(fields.triggerLane ?? "");
    const of = { trigger: trigger === flowsStep ? "" : trigger, lane: fields.triggerLane };
    // Flows that need no waking write no line: an event that their lane has handled no longer waits for them.
    const flows = last.get(flowsStep);
    const isOver = message === handled && flows?.lane === of.lane;
    if (isOver && flows !== undefined && !isEnd(flows.outcome)) last.delete(flowsStep);
    const before = last.get(key);
    // The lane of a failed trigger waits for its next try.
    const isRetry = trigger === "" && known?.outcome === "waiting" && before?.outcome === "failed";
    if (known !== undefined && !isRetry) last.set(key, { ...laterOutcome(before, known), ...of });
  }
  const isDetailed = lines.some(({ message }) => message === "ended a trigger");
  const ofLane = last.get("");
  if (isDetailed && ofLane !== undefined && isEnd(ofLane.outcome)) last.delete("");
  return last.size > 0 ? summarize([...last.values()]) : undefined;
}

function readReceipt(lines: readonly LogLine[], done: LogLine | undefined) {
  const sinceMs = done?.fields.sinceReceivedMs;
  if (done !== undefined && typeof sinceMs === "number") return done.atMs - sinceMs;
  return lines.map(({ fields }) => fields.receivedAt).find((at) => typeof at === "number");
}

export const besideText = "put an event beside its lane: ";

/** Finds the event's move into a trigger's own lane, unless it has left. */
function isBeside({ message, fields }: LogLine, index: number, lines: readonly LogLine[]) {
  if (!message.startsWith(besideText)) return false;
  const name = afterBlank(fields.step);
  return !lines
    .slice(index)
    .some(
      ({ message, fields: { triggerLane, part = triggerLane } }) =>
        [handled, ...deadLettered].includes(message) && part === name,
    );
}

function isLetter({ message }: LogLine) {
  return deadLettered.includes(message);
}

/**
 * Returns the queue's ids of the dead letters. A replay has another id, and ends one letter.
 * @returns undefined if a letter was not replayed, or its replay is not handled yet
 */
function findReplayed(lines: readonly LogLine[]): ReadonlySet<unknown> | undefined {
  const replays = new Set<unknown>();
  const letters = lines.flatMap((line, index) => (isLetter(line) ? [{ ...line, index }] : []));
  const nameOf = ({ message, fields: { queueMessageId, part, triggerLane, step } }: LogLine) =>
    JSON.stringify([message, queueMessageId, part, triggerLane, step]);
  for (const [letter] of Map.groupBy(letters, nameOf).values()) {
    const { index = 0, fields = {} } = letter ?? {};
    const replay = lines
      .slice(index)
      .filter(({ message }) => message === handled)
      .map(({ fields: { queueMessageId } }) => queueMessageId)
      .find((id) => id !== fields.queueMessageId && !replays.has(id));
    if (replay === undefined) return undefined;
    replays.add(replay);
  }
  return new Set(letters.map(({ fields }) => fields.queueMessageId));
}

/** What did not end before a dead letter ended in its replay. */
function isOutdated(fields: LogLine["fields"], replayed: ReadonlySet<unknown> | undefined) {
  const known = readOutcome(fields);
  return known !== undefined && !isEnd(known.outcome) && replayed?.has(fields.queueMessageId) === true;
}

export function afterBlank(step: unknown): string {
  const text = String(step);
  return text.slice(text.indexOf(" ") + 1);
}

function toSteps({ atMs, source, message, fields }: LogLine) {
  const from = `log of ${source}`;
  const place = source === "processEvents" ? "consumer" : source;
  if (message !== handled) {
    const shown = shownFields.flatMap((name) => {
      const value = fields[name];
      return typeof value === "string" || typeof value === "number" ? [`${name} ${value}`] : [];
    });
    const description = [message, ...shown].join("; ");
    return [{ ...(outcomeStep(fields) ?? { place, what: description }), atMs, from }];
  }
  const { attempt, tookMs, sinceReceivedMs, why = "" } = fields;
  const ended = { atMs, place, what: `handled it in ${tookMs ?? "?"} ms. ${why}`.trim(), from };
  if (typeof tookMs !== "number" || typeof sinceReceivedMs !== "number") return [ended];
  const what = `handed it out ${sinceReceivedMs - tookMs} ms after receipt (attempt ${attempt})`;
  return [{ atMs: atMs - tookMs, place: "queue", what, from }, ended];
}

function outcomeStep({
  effect,
  how,
  step,
  ...fields
}: LogLine["fields"]): Pick<TraceStep, "place" | "what"> | undefined {
  const name = step === undefined ? "" : afterBlank(step);
  if (typeof effect === "string" && typeof how === "string")
    return { place: "effect", what: `${name} ${effect}: ${effectText(how)}` };
  const known = readOutcome(fields);
  if (known === undefined) return undefined;
  const place = name === flowsStep ? "flow" : "consumer";
  return { place, what: name === "" || name === flowsStep ? known.why : `${name}: ${known.why}` };
}

const shownFields = ["step", "failure", "reason", "tries", "attempt", "effect", "cause", "replyId"];

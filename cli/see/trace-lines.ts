import {
  effectOutcomeText,
  nothingRanText,
  passReasonText,
  wokeText,
} from "../../lib/handle/outcome-texts.ts";
import type { LogLine } from "./log-line.ts";

export interface TraceStep {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** Receiver, queue, consumer, effect, reply, … */
  readonly place: string;
  readonly what: string;
  readonly from: string;
}

export interface TracedEvent {
  readonly deliveryKey: string;
  readonly appId: string;
  readonly trigger: string;
  /** Milliseconds since 1970, by the receiver's clock. */
  readonly receivedAt: number | undefined;
  /** Lane where it waits or arrived, as in the table, if a line has it. */
  readonly laneId: string | undefined;
  /** By all triggers: it waits in no trigger's lane. */
  readonly isHandled: boolean;
  readonly isBuried: boolean;
  /** Finished. */
  readonly effects: readonly { readonly trigger: string; readonly effect: string }[];
  readonly steps: readonly TraceStep[];
}

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

/** In the order of first lines. */
export function traceLines(lines: readonly LogLine[]): readonly TracedEvent[] {
  const byKey = Map.groupBy(lines, ({ fields }) => String(fields.deliveryKey ?? ""));
  return [...byKey].flatMap(([key, ofKey]) => (key === "" ? [] : [traceEvent(key, ofKey)]));
}

const handled = "handled an event";
const buried = "moved an event to the dead-letter queue";

function traceEvent(deliveryKey: string, lines: readonly LogLine[]): TracedEvent {
  const [appId = "", trigger = ""] = splitFields(deliveryKey);
  const done = lines.filter(({ message }) => message === handled);
  const waiting = lines.findLast(isBeside);
  const receivedAt = readReceipt(lines, done.at(-1));
  const laneId = [...(waiting === undefined ? [] : [waiting]), ...lines]
    .map(({ fields }) => fields.laneId)
    .find((id) => typeof id === "string");
  const effects = new Set(done.flatMap(({ fields }) => textsIn(fields.effects)));
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
    laneId,
    isHandled: done.length > 0 && waiting === undefined,
    isBuried: lines.some(({ message }) => message === buried),
    effects: [...effects].map((name) => {
      const effect = afterBlank(name);
      return { trigger: name.slice(0, -effect.length - 1), effect };
    }),
    steps: steps.toSorted((one, other) => one.atMs - other.atMs),
  };
}

function readReceipt(lines: readonly LogLine[], done: LogLine | undefined): number | undefined {
  const sinceMs = done?.fields.sinceReceivedMs;
  if (done !== undefined && typeof sinceMs === "number") return done.atMs - sinceMs;
  return lines.map(({ fields }) => fields.receivedAt).find((at) => typeof at === "number");
}

export const besideText = "put an event beside its lane: ";

/** The event's move into a trigger's own lane, unless it has left. */
function isBeside({ message, fields }: LogLine, index: number, lines: readonly LogLine[]): boolean {
  if (!message.startsWith(besideText)) return false;
  const name = afterBlank(fields.step);
  return !lines
    .slice(index)
    .some((later) => [handled, buried].includes(later.message) && later.fields.triggerLane === name);
}

/** The trigger of a step, such as `message_sent auto-reply`. */
export function afterBlank(step: unknown): string {
  const text = String(step);
  return text.slice(text.indexOf(" ") + 1);
}

function toSteps({ atMs, source, message, fields }: LogLine): readonly TraceStep[] {
  const from = `log of ${source}`;
  const place = source === "processEvents" ? "consumer" : source;
  if (message !== handled) {
    const told = [message, ...toldFacts(fields)].join("; ");
    return [{ ...(outcomeStep(message, fields) ?? { place, what: told }), atMs, from }];
  }
  const { attempt, tookMs, sinceReceivedMs, ranBefore } = fields;
  const [ran, woke] = [textsIn(fields.ran), textsIn(fields.woke)];
  const names =
    [...ran, ...(woke.length > 0 ? [wokeText(woke)] : [])].join(", ") || nothingRanText(ranBefore);
  const ended = { atMs, place, what: `handled it in ${tookMs ?? "?"} ms: ${names}`, from };
  if (typeof tookMs !== "number" || typeof sinceReceivedMs !== "number") return [ended];
  const what = `handed it out ${sinceReceivedMs - tookMs} ms after receipt (attempt ${attempt})`;
  return [{ atMs: atMs - tookMs, place: "queue", what, from }, ended];
}

/** In the words of the console's journeys. */
function outcomeStep(
  message: string,
  { effect, how, step, passedOverBy, reason, flowId }: LogLine["fields"],
): Pick<TraceStep, "place" | "what"> | undefined {
  switch (message) {
    case "an effect is done":
    case "held an effect back":
      return { place: "effect", what: `${afterBlank(step)} ${effect}: ${effectOutcomeText(String(how))}` };
    case "passed an event over": {
      const what = `${passedOverBy} passed the event over: ${passReasonText(String(reason))}`;
      return { place: "consumer", what };
    }
    case "woke a flow":
      return { place: "flow", what: wokeText([String(flowId)]) };
  }
  return undefined;
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

const toldFields = ["step", "failure", "reason", "tries", "attempt", "effect", "cause", "replyId"];

function toldFacts(fields: LogLine["fields"]): readonly string[] {
  return toldFields.flatMap((name) => {
    const value = fields[name];
    return typeof value === "string" || typeof value === "number" ? [`${name} ${value}`] : [];
  });
}

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
  const numbers = (name: string) =>
    lines.flatMap(({ fields }) => (typeof fields[name] === "number" ? [fields[name]] : []));
  const done = lines.findLast(({ message }) => message === handled);
  const { sinceReceivedMs } = done?.fields ?? {};
  const receivedAt =
    done !== undefined && typeof sinceReceivedMs === "number"
      ? done.atMs - sinceReceivedMs
      : numbers("receivedAt").at(0);
  const waiting = waitingBeside(lines).at(-1);
  const laneId = [...(waiting === undefined ? [] : [waiting]), ...lines]
    .map(({ fields }) => fields.laneId)
    .find((id) => typeof id === "string");
  const effects = lines
    .filter(({ message }) => message === handled)
    .flatMap(({ fields }) => (Array.isArray(fields.effects) ? fields.effects.map(String) : []));
  const received: TraceStep[] =
    receivedAt === undefined
      ? []
      : [
          {
            atMs: receivedAt,
            place: "receiver",
            what: "took the delivery and put it into the queue",
            from: `log of ${lines[0]?.source}, which has it from the event`,
          },
        ];
  return {
    ...{ deliveryKey, appId, trigger, receivedAt, laneId },
    isHandled: done !== undefined && waiting === undefined,
    isBuried: lines.some(({ message }) => message === buried),
    effects: [...new Set(effects)].map((name) => {
      const end = name.indexOf(" ");
      return { trigger: name.slice(0, end), effect: name.slice(end + 1) };
    }),
    steps: [...received, ...lines.flatMap(toSteps)].toSorted((one, other) => one.atMs - other.atMs),
  };
}

const besideText = "put an event beside its lane: ";

/** Since the event's move into a trigger's own lane, unless it has left. */
function waitingBeside(lines: readonly LogLine[]): readonly LogLine[] {
  return lines.filter(({ message, fields }, index) => {
    if (!message.startsWith(besideText)) return false;
    const triggerName = String(fields.step).slice(String(fields.step).indexOf(" ") + 1);
    return !lines
      .slice(index)
      .some((later) => [handled, buried].includes(later.message) && later.fields.triggerLane === triggerName);
  });
}

function toSteps({ atMs, source, message, fields }: LogLine): readonly TraceStep[] {
  const from = `log of ${source}`;
  const place = source === "processEvents" ? "consumer" : source;
  const outcome = outcomeStep(message, fields);
  if (outcome !== undefined) return [{ atMs, ...outcome, from }];
  if (message !== handled) return [{ atMs, place, what: [message, ...toldFacts(fields)].join("; "), from }];
  const { attempt, tookMs, sinceReceivedMs } = fields;
  const [ran, woke] = [textsIn(fields.ran), textsIn(fields.woke)];
  const names =
    [...ran, ...(woke.length > 0 ? [wokeText(woke)] : [])].join(", ") || nothingRanText(fields.ranBefore);
  const begun: TraceStep[] =
    typeof tookMs === "number" && typeof sinceReceivedMs === "number"
      ? [
          {
            atMs: atMs - tookMs,
            place: "queue",
            what: `handed it out ${sinceReceivedMs - tookMs} ms after receipt (attempt ${attempt})`,
            from,
          },
        ]
      : [];
  return [...begun, { atMs, place, what: `handled it in ${tookMs ?? "?"} ms: ${names}`, from }];
}

/** In the words of the console's journeys. */
function outcomeStep(
  message: string,
  fields: LogLine["fields"],
): Pick<TraceStep, "place" | "what"> | undefined {
  const { effect, how, step, passedOverBy, reason, flowId } = fields;
  switch (message) {
    case "an effect is done":
    case "held an effect back": {
      const trigger = String(step).slice(String(step).indexOf(" ") + 1);
      return { place: "effect", what: `${trigger} ${effect}: ${effectOutcomeText(String(how))}` };
    }
    case "passed an event over":
      return {
        place: "consumer",
        what: `${passedOverBy} passed the event over: ${passReasonText(String(reason))}`,
      };
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

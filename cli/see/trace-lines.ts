import type { LogLine } from "./log-line.ts";

/** One thing that became of an event. */
export interface TraceStep {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** Where it happened: receiver, queue, consumer, effect, reply, … */
  readonly place: string;
  readonly what: string;
  /** Where that is known from. */
  readonly from: string;
}

/** What the logs tell of one event. */
export interface TracedEvent {
  readonly deliveryKey: string;
  readonly appId: string;
  readonly trigger: string;
  /** Milliseconds since 1970, by the receiver's clock. */
  readonly receivedAt: number | undefined;
  /** Its lane's name on the table, where a line tells it. */
  readonly laneId: string | undefined;
  readonly isHandled: boolean;
  readonly isBuried: boolean;
  /** Trigger and name of each effect that was done. */
  readonly effects: readonly { readonly trigger: string; readonly effect: string }[];
  readonly steps: readonly TraceStep[];
}

/** Tells whether a line is about what was asked for: a key, or a message's id as a whole field of a key or of the line. */
export function isAbout({ kind, fields }: LogLine, asked: string): boolean {
  if (kind !== "own") return false;
  const { deliveryKey, messageId, about, replyId } = fields;
  if (deliveryKey === asked || messageId === asked || about === asked || replyId === asked) return true;
  return typeof deliveryKey === "string" && splitFields(deliveryKey).slice(2).includes(asked);
}

/** Undoes what joins a key's fields (lib/events/identity.ts). */
export function splitFields(key: string): readonly string[] {
  return [...key.matchAll(/((?:[^|\\]|\\.)*)(\||$)/g)]
    .slice(0, -1)
    .map(([, field = ""]) => field.replaceAll(/\\(.)/g, "$1"));
}

/** Puts the lines about events together, by event, in the order of their first lines (pure). */
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
  const laneId = lines.map(({ fields }) => fields.laneId).find((id) => typeof id === "string");
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
    isHandled: done !== undefined,
    isBuried: lines.some(({ message }) => message === buried),
    effects: [...new Set(effects)].map((name) => {
      const end = name.indexOf(" ");
      return { trigger: name.slice(0, end), effect: name.slice(end + 1) };
    }),
    steps: [...received, ...lines.flatMap(toSteps)].toSorted((one, other) => one.atMs - other.atMs),
  };
}

function toSteps({ atMs, source, message, fields }: LogLine): readonly TraceStep[] {
  const from = `log of ${source}`;
  const place = source === "processEvents" ? "consumer" : source;
  if (message !== handled) return [{ atMs, place, what: [message, ...toldFacts(fields)].join("; "), from }];
  const { attempt, tookMs, sinceReceivedMs, ran } = fields;
  const names = Array.isArray(ran) && ran.length > 0 ? ran.join(", ") : "no trigger that wants it";
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

const toldFields = [
  "step",
  "failure",
  "reason",
  "tries",
  "attempt",
  "effect",
  "passedOverBy",
  "cause",
  "replyId",
];

function toldFacts(fields: LogLine["fields"]): readonly string[] {
  return toldFields.flatMap((name) => {
    const value = fields[name];
    return typeof value === "string" || typeof value === "number" ? [`${name} ${value}`] : [];
  });
}

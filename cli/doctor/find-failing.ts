import type { Failing } from "../../lib/operate/doctor/doctor-services.ts";
import { type LogLine, quote } from "../see/log-line.ts";
import { afterBlank, besideText } from "../see/trace-lines.ts";

const mostFailing = 10;
/** An attempt lasts 30 s, and parks its event at the end. */
const parkedWithinMs = 60_000;

export const handled = '$.message = "handled an event"';
export const returned = "gave events back to the queue";
export const stays = "could not go on with a parked lane yet";

export type Read = (startMs: number, pattern: string, endMs?: number) => AsyncIterable<LogLine>;

/** @param attempts failed ones of one app */
export async function findFailingTriggers(attempts: readonly LogLine[], read: Read, nowMs: number) {
  const failures = attempts.filter(
    ({ fields: { failure } }) => failure === "ours" || failure === "permanent",
  );
  const found: Failing[] = [];
  const groups = [...Map.groupBy(failures, ({ fields: { step } }) => String(step))];
  for (const [step, ofStep] of groups.slice(0, mostFailing)) {
    const trigger = afterBlank(step);
    // Steps before all triggers, such as reading the event, have names without a blank.
    const what = `${step === trigger ? "step" : "trigger"} ${trigger}`;
    const byEvent = [...Map.groupBy(ofStep, ({ fields: { deliveryKey } }) => deliveryKey).values()];
    // Other events are dead letters now.
    const latest = byEvent.flatMap((ofEvent) => ofEvent.slice(-1)).findLast(({ level }) => level !== "error");
    const own = ofStep.map(({ fields: { laneId, triggerLane } }) =>
      triggerLane === trigger ? String(laneId) : `${laneId} ${trigger}`,
    );
    const conversations = ofStep.map(({ fields }) => String(fields.laneId));
    if (await hasSucceeded(trigger, ofStep.at(-1), read)) continue;
    if (latest === undefined) found.push({ ...toFailing(what, ofStep), waitsIn: new Set(own) });
    else if (!(await isOver(step, latest, read))) {
      const mayBeParked = nowMs - latest.atMs > parkedWithinMs;
      found.push({
        ...toFailing(what, ofStep),
        ...(mayBeParked && { waitsIn: new Set([...own, ...conversations]) }),
      });
    }
  }
  return found;
}

const worked = ["acted", "started-flow", "already-done", "no-action"];

/** In its own lane, or in the conversation where it failed last. */
async function hasSucceeded(trigger: string, last: LogLine | undefined, read: Read) {
  if (last === undefined) return false;
  const { appId, lane = "unknown" } = last.fields;
  const where = `($.triggerLane = ${quote(trigger)} || $.lane = ${quote(String(lane))})`;
  return has(
    read(last.atMs + 1, `{ ${handled} && ${where} && $.appId = ${quote(String(appId))} }`),
    ({ message, fields }) =>
      message === "handled an event" &&
      (fields.triggerLane === trigger ||
        (fields.lane === lane && ` ${fields.why}`.includes(` ${trigger}: `))) &&
      fields.appId === appId &&
      worked.includes(String(fields.outcome)),
  );
}

/** Looks only for the trigger: once its event is beside the lane, the lane handles it without the trigger. */
async function isOver(step: string, { atMs, fields }: LogLine, read: Read) {
  const trigger = afterBlank(step);
  const { deliveryKey, attempt, triggerLane } = fields;
  const wanted = `(${handled} || $.message = "${besideText}*")`;
  const pattern = `{ ${wanted} && $.deliveryKey = ${quote(String(deliveryKey))} }`;
  const lines = (await Array.fromAsync(read(atMs, pattern))).filter(
    (line) => line.fields.deliveryKey === deliveryKey,
  );
  const isBeside =
    triggerLane === trigger ||
    lines.some((line) => line.message.startsWith(besideText) && line.fields.step === step);
  return lines.some(
    (line) =>
      !line.message.startsWith(besideText) &&
      (line.fields.triggerLane === trigger || (!isBeside && Number(line.fields.attempt) > Number(attempt))),
  );
}

export function findFailingFlows(ends: readonly LogLine[]): readonly Failing[] {
  return [...Map.groupBy(ends, ({ fields }) => String(fields.flow))].flatMap(([flow, ofFlow]) => {
    const lastEnd = ofFlow.findLastIndex(({ level }) => level !== "error");
    const failures = ofFlow.slice(lastEnd + 1);
    return failures.length === 0 ? [] : [toFailing(`flow ${flow}`, failures)];
  });
}

function toFailing(what: string, failures: readonly LogLine[]): Failing {
  const { cause = "see the log" } = failures.at(-1)?.fields ?? {};
  return { what, sinceMs: failures[0]?.atMs ?? 0, count: failures.length, cause: String(cause) };
}

/** Fails if nothing was handled, parked or dead-lettered since an event or parked lane came back. */
export async function findFailingConsumer(
  lines: readonly LogLine[],
  appId: string,
  read: Read,
  { triedAtMs, writesAll }: { readonly triedAtMs: number; readonly writesAll: () => Promise<boolean> },
) {
  const { atMs } = lines.at(-1) ?? { atMs: 0 };
  if (lines.length === 0 || (atMs < triedAtMs && !(await writesAll()))) return [];
  const later = read(atMs + 1, `{ $.appId = ${quote(appId)} }`);
  const isOver = await has(
    later,
    ({ kind, message, fields }) =>
      kind === "own" && fields.appId === appId && !message.startsWith(returned) && message !== stays,
  );
  return isOver ? [] : [toFailing("consumer", lines)];
}

export async function has(lines: AsyncIterable<LogLine>, is: (line: LogLine) => boolean) {
  for await (const line of lines) if (is(line)) return true;
  return false;
}

import type { Failing } from "../../lib/operate/doctor/recent-logs.ts";
import { quote } from "../see/filter-pattern.ts";
import type { LogLine } from "../see/log-line.ts";
import { afterBlank, besideText } from "../see/trace-lines.ts";

/** One request each shows whether its last failure is over. */
const mostFailing = 10;

export const handled = '$.message = "handled an event"';

/** Reads the consumer's log. */
type Read = (startMs: number, pattern: string) => AsyncIterable<LogLine>;

/** @param attempts of one app, failed */
export async function findFailingTriggers(
  attempts: readonly LogLine[],
  read: Read,
): Promise<readonly Failing[]> {
  const failures = attempts.filter(
    ({ fields: { failure } }) => failure === "ours" || failure === "permanent",
  );
  const found: Failing[] = [];
  const groups = [...Map.groupBy(failures, ({ fields: { step } }) => String(step))];
  for (const [step, ofStep] of groups.slice(0, mostFailing)) {
    const trigger = afterBlank(step);
    const byEvent = [...Map.groupBy(ofStep, ({ fields: { deliveryKey } }) => deliveryKey).values()];
    // Others are dead letters now.
    const latest = byEvent.flatMap((ofEvent) => ofEvent.slice(-1)).findLast(({ level }) => level !== "error");
    const last = ofStep.at(-1);
    if (latest === undefined) {
      const waitsIn = last?.fields.triggerLane === trigger ? String(last.fields.laneId) : undefined;
      if (waitsIn !== undefined) found.push({ ...toFailing(`trigger ${trigger}`, ofStep), waitsIn });
    } else if (!(await isOver(step, latest, read))) found.push(toFailing(`trigger ${trigger}`, ofStep));
  }
  return found;
}

/** By the trigger itself: once its event is beside the lane, the lane handles it without the trigger. */
async function isOver(step: string, { atMs, fields }: LogLine, read: Read): Promise<boolean> {
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

/** @param ends of one app's flows */
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

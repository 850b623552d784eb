import * as z from "zod/mini";
import { type NextTime, readSchedule } from "./next-time.ts";
import { writeScheduledEvent } from "./scheduled-event.ts";

export type Schedules = ReturnType<typeof runSchedules>;

interface Entry {
  readonly id: string;
  readonly functionKey: string;
  readonly expression: string;
  readonly description: string | undefined;
  readonly input: unknown;
  readonly next: NextTime;
  dueMs: number | undefined;
}

interface ScheduleOptions {
  now(): number;
  readonly region: string;
  invoke(functionKey: string, payload: string): void;
  readonly isOn: boolean;
  isHeld?(): boolean;
}

const lookMs = 1000;

export function runSchedules(
  declared: readonly { readonly functionKey: string; readonly schedule: unknown }[],
  { now, region, invoke, isOn, isHeld = () => false }: ScheduleOptions,
) {
  const entries: Entry[] = declared.flatMap(({ functionKey, schedule }) =>
    readDeclared(schedule).map((read, index) => {
      const next = readSchedule(read.expression, now());
      return { id: `${functionKey}-${index + 1}`, functionKey, ...read, next, dueMs: next(now()) };
    }),
  );
  const fire = ({ functionKey, input }: Entry) => {
    invoke(functionKey, JSON.stringify(input ?? writeScheduledEvent(functionKey, region, now())));
  };
  const runIfDue = (entry: Entry) => {
    const nowMs = now();
    if (!schedules.isOn || entry.dueMs === undefined || entry.dueMs > nowMs) return;
    entry.dueMs = entry.next(nowMs);
    fire(entry);
  };
  const look = setInterval(() => {
    if (!isHeld()) void schedules.runDue();
  }, lookMs).unref();
  const schedules = {
    isOn,
    list: () =>
      entries.map(({ id, functionKey, expression, description, dueMs, next }) => ({
        id,
        functionKey,
        expression,
        description,
        dueMs: schedules.isOn ? dueMs : next(now()),
      })),
    fire(id: string) {
      const entry = entries.find((candidate) => candidate.id === id);
      if (entry === undefined) throw new Error(`serverless.yml has no schedule ${id}.`);
      fire(entry);
    },
    /** Reports only the last time: a month takes no longer than a day. */
    sources: entries.map((entry) => ({
      nextAtMs: (untilMs: number) => (schedules.isOn ? lastDue(entry, untilMs) : undefined),
      runDue: async () => runIfDue(entry),
    })),
    /** Invokes each due schedule once, however often it was due. */
    async runDue() {
      for (const entry of entries) runIfDue(entry);
    },
    restart() {
      for (const entry of entries) entry.dueMs = entry.next(now());
    },
    close: () => clearInterval(look),
  };
  return schedules;
}

function lastDue({ dueMs, next }: Entry, untilMs: number) {
  if (dueMs === undefined || dueMs > untilMs) return undefined;
  if (!Number.isFinite(untilMs)) return dueMs;
  let last = dueMs;
  for (let later = next(last); later !== undefined && later <= untilMs; later = next(last)) last = later;
  return last;
}

const scheduleSchema = z.union([
  z.string(),
  z.object({
    rate: z.union([z.string(), z.array(z.string())]),
    enabled: z._default(z.boolean(), true),
    description: z.optional(z.string()),
    input: z.optional(z.unknown()),
  }),
]);

function readDeclared(schedule: unknown) {
  const read = scheduleSchema.parse(schedule);
  if (typeof read === "string") return [{ expression: read, description: undefined, input: undefined }];
  const { rate, enabled, description, input } = read;
  return enabled ? [rate].flat().map((expression) => ({ expression, description, input })) : [];
}

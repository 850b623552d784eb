import * as z from "zod/mini";
import { type NextTime, readSchedule } from "./next-time.ts";
import { writeScheduledEvent } from "./scheduled-event.ts";

/** A schedule of serverless.yml that runs. */
export interface RunningSchedule {
  readonly id: string;
  readonly functionKey: string;
  /** As serverless.yml has it, e.g. `rate(15 minutes)`. */
  readonly expression: string;
  readonly description?: string | undefined;
  /** Milliseconds since 1970; undefined when it is never due again. */
  readonly dueMs: number | undefined;
}

/** The schedules of a service, which invoke their functions as time passes. */
export interface Schedules {
  list(): readonly RunningSchedule[];
  /** Whether they run by themselves; `fire` works in any case. */
  isOn: boolean;
  /** Invokes a schedule's function now, as EventBridge would. @throws Error when there is no such schedule */
  fire(id: string): void;
  /**
   * Each schedule for itself, for whoever moves time: of the times at which one falls due until then, only the last counts,
   * so that a month takes no longer than a day.
   */
  readonly sources: readonly {
    nextAtMs(untilMs: number): number | undefined;
    runDue(): Promise<void>;
  }[];
  /** Invokes what is due, each once, however often it fell due. */
  runDue(): Promise<void>;
  /** Counts from now on: what fell due before is left out. */
  startAnew(): void;
  close(): void;
}

interface Entry {
  readonly id: string;
  readonly functionKey: string;
  readonly expression: string;
  readonly description?: string | undefined;
  readonly input: unknown;
  readonly next: NextTime;
  dueMs: number | undefined;
}

const lookMs = 1000;

/**
 * Runs the schedules that a service declares.
 * @param isHeld whether time is just being moved, by somebody who runs what is due
 */
export function runSchedules(
  declared: readonly { readonly functionKey: string; readonly schedule: unknown }[],
  {
    now,
    region,
    invoke,
    isOn,
    isHeld = () => false,
  }: {
    now: () => number;
    region: string;
    invoke(functionKey: string, payload: string): void;
    isOn: boolean;
    isHeld?: () => boolean;
  },
): Schedules {
  const entries: Entry[] = declared.flatMap(({ functionKey, schedule }) =>
    readDeclared(schedule).map(({ expression, description, input }, index) => {
      const next = readSchedule(expression, now());
      return {
        id: `${functionKey}-${index + 1}`,
        ...{ functionKey, expression, description, input, next, dueMs: next(now()) },
      };
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

  const schedules: Schedules = {
    isOn,
    list: () =>
      entries.map(({ next, input: _input, ...shown }) => ({
        ...shown,
        // What fell due while they were off is left out.
        dueMs: schedules.isOn ? shown.dueMs : next(now()),
      })),
    fire(id) {
      const entry = entries.find((candidate) => candidate.id === id);
      if (entry === undefined) throw new Error(`serverless.yml has no schedule ${id}.`);
      fire(entry);
    },
    sources: entries.map((entry) => ({
      nextAtMs: (untilMs) => (schedules.isOn ? lastDue(entry, untilMs) : undefined),
      runDue: async () => runIfDue(entry),
    })),
    async runDue() {
      for (const entry of entries) runIfDue(entry);
    },
    startAnew() {
      for (const entry of entries) entry.dueMs = entry.next(now());
    },
    close: () => clearInterval(look),
  };
  return schedules;
}

/** The last time until then; the next one where `untilMs` is infinite. */
function lastDue({ dueMs, next }: Entry, untilMs: number): number | undefined {
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
  if (!read.enabled) return [];
  const expressions = typeof read.rate === "string" ? [read.rate] : read.rate;
  return expressions.map((expression) => ({
    expression,
    description: read.description,
    input: read.input,
  }));
}

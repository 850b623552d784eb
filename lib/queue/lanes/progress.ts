import * as z from "zod/mini";

/** With its counters at that time (lib/effects/health/breaker.ts). */
const pendingSchema = z.object({ destination: z.string(), ok: z.number(), bad: z.number() });

/** Consecutive tries refused while the rest of the app succeeded (only-this-event.ts). */
const aloneSchema = z.object({
  /** The first failure. */
  since: z.number(),
  tries: z.number(),
});

const failedSchema = z.object({ reason: z.string(), cause: z.string() });

/** z.record takes 2 kB of the consumer. */
const byStep = <Schema extends z.core.$ZodType>(schema: Schema) => z.catchall(z.object({}), schema);

/** A step is one trigger's work on one event of the delivery. */
export const progressSchema = z.object({
  /** Crashes: attempts that never ended. */
  deaths: z.number(),
  /** Since the last attempt that did not wait. */
  waits: z.number(),
  /** Failed by our fault. */
  tries: byStep(z.number()),
  /** Need not run again. */
  finished: z.array(z.string()),
  /** Permanently. */
  failed: byStep(failedSchema),
  pending: byStep(pendingSchema),
  /** Last refused for this event alone. */
  alone: z.optional(byStep(aloneSchema)),
  /** Too many of its app were dead-lettered. */
  heldBack: z.optional(z.boolean()),
  cause: z.optional(z.string()),
});

export type Progress = z.infer<typeof progressSchema>;

/** Of a step such as `message_sent welcome`. */
export function triggerOfStep(step: string): string {
  return step.slice(step.indexOf(" ") + 1);
}

/** A crash counts for every step. */
export const maxTries = 5;

export const noProgress: Progress = {
  deaths: 0,
  waits: 0,
  tries: {},
  finished: [],
  failed: {},
  pending: {},
};

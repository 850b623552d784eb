import * as z from "zod/mini";

/** The destination with its counters at the time of the failure (lib/effects/health/breaker.ts). */
const pendingSchema = z.object({
  destination: z.string(),
  ok: z.number(),
  bad: z.number(),
  /** Set after a rate limit, which is no refusal of the event. */
  isRateLimit: z.optional(z.boolean()),
});

/** Consecutive tries that were refused while the rest of the app succeeded (lib/handle/attempt-event.ts). */
const aloneSchema = z.object({
  /** The time of the first failure. */
  since: z.number(),
  tries: z.number(),
});

const failedSchema = z.object({ reason: z.string(), cause: z.string() });

/** z.record would add 2 kB to the consumer. */
const byStep = <Schema extends z.core.$ZodType>(schema: Schema) => z.catchall(z.object({}), schema);

/**
 * The state of a delivery's steps. A step is the work of one trigger on one event, such as `message_sent
 * welcome`.
 */
export const progressSchema = z.object({
  /** Crashes: attempts without a result. */
  deaths: z.number(),
  /** Attempts that ended in a wait. */
  waits: z.number(),
  /** Failures that count, per step. */
  tries: byStep(z.number()),
  /** Steps that need not run again. */
  finished: z.array(z.string()),
  /** Steps that failed permanently. */
  failed: byStep(failedSchema),
  pending: byStep(pendingSchema),
  /** Other steps that wait. */
  waiting: z.optional(z.array(z.string())),
  /** The step that ran when an attempt ended without a result, known from the second time on. */
  crashed: z.optional(z.string()),
  /** Steps that were last refused for this event alone. */
  alone: z.optional(byStep(aloneSchema)),
  /** Set if it was delayed because too many of the app's events were dead-lettered. */
  heldBack: z.optional(z.boolean()),
  cause: z.optional(z.string()),
});

export type Progress = z.infer<typeof progressSchema>;

/** `welcome` for `message_sent welcome`. */
export function triggerOfStep(step: string): string {
  return step.slice(step.indexOf(" ") + 1);
}

/** A step's reason: its requests were refused while the app's others succeeded. For dead letters: `tries`. */
export const refusedAlone = "refused";

/** Per step. A crash counts for every step. */
export const maxTries = 5;

export const noProgress: Progress = {
  deaths: 0,
  waits: 0,
  tries: {},
  finished: [],
  failed: {},
  pending: {},
};

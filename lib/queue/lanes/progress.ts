import * as z from "zod/mini";

/**
 * A destination that failed a step's request, with its counters at that time (lib/effects/health/breaker.ts).
 */
const pendingSchema = z.object({ destination: z.string(), ok: z.number(), bad: z.number() });

/**
 * Consecutive tries that were refused while the rest of the app succeeded (lib/handle/only-this-event.ts).
 */
const aloneSchema = z.object({
  /** When the first of them failed, in milliseconds since 1970. */
  since: z.number(),
  tries: z.number(),
});

const failedSchema = z.object({ reason: z.string(), cause: z.string() });

/** The state of an event's earlier attempts. A step is one trigger's work on one event of the delivery. */
export const progressSchema = z.object({
  /** Crashes: attempts that began and never ended. */
  deaths: z.number(),
  /** Waiting attempts since the last one that did not wait. */
  waits: z.number(),
  /** Real tries of a step, failed by our fault. */
  tries: z.record(z.string(), z.number()),
  /** Steps that need not run again. */
  finished: z.array(z.string()),
  /** Steps that failed permanently, with the cause. */
  failed: z.record(z.string(), failedSchema),
  /** Failures that may or may not be the event's own. */
  pending: z.record(z.string(), pendingSchema),
  /** Steps whose last tries were refused for this event alone. */
  alone: z.optional(z.record(z.string(), aloneSchema)),
  /** Not dead-lettered because too many of its app were: retried when it may probe whether that is over. */
  heldBack: z.optional(z.boolean()),
  /** Why the last attempt failed. */
  cause: z.optional(z.string()),
});

export type Progress = z.infer<typeof progressSchema>;

/** A step is dead-lettered after this many tries; a crash counts for every step. */
export const maxTries = 5;

export const noProgress: Progress = {
  deaths: 0,
  waits: 0,
  tries: {},
  finished: [],
  failed: {},
  pending: {},
};

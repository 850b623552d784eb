import * as z from "zod/mini";

/** A request's destination that failed a step, with its counters at that moment (lib/effects/health/breaker.ts). */
const pendingSchema = z.object({ destination: z.string(), ok: z.number(), bad: z.number() });

/** Tries in a row that were refused although the rest of the app was well (lib/handle/only-this-event.ts). */
const aloneSchema = z.object({
  /** When the first of them failed, in milliseconds since 1970. */
  since: z.number(),
  tries: z.number(),
});

const failedSchema = z.object({ reason: z.string(), cause: z.string() });

/** What is known of an event's earlier attempts. A step is one trigger's work on one event of the delivery. */
export const progressSchema = z.object({
  /** Attempts that began and never ended, because the process died. */
  deaths: z.number(),
  /** Attempts that waited for something since the last one that did not. */
  waits: z.number(),
  /** Real tries of a step that failed by our own fault. */
  tries: z.record(z.string(), z.number()),
  /** Steps that need not run again. */
  finished: z.array(z.string()),
  /** Steps that failed for good, and why. */
  failed: z.record(z.string(), failedSchema),
  /** Failures of which it is not known yet whether they were the event's own. */
  pending: z.record(z.string(), pendingSchema),
  /** Steps whose last tries were refused for this event alone. */
  alone: z.optional(z.record(z.string(), aloneSchema)),
  /** Would have been buried, had not too many of its app been: it is tried when it may find out whether that is over. */
  heldBack: z.optional(z.boolean()),
  /** Why the last attempt failed. */
  cause: z.optional(z.string()),
});

export type Progress = z.infer<typeof progressSchema>;

/** After so many tries a step is given up; a process that died in one counts for every step. */
export const maxTries = 5;

export const noProgress: Progress = {
  deaths: 0,
  waits: 0,
  tries: {},
  finished: [],
  failed: {},
  pending: {},
};

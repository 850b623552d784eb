import * as z from "zod/mini";

const handedOverSchema = z.strictObject({
  /** All times are unix seconds. */
  since: z.number(),
  until: z.number(),
  listed: z.number(),
  /** Messages that arrived before have no effect. */
  handedOver: z.number(),
  /** Blocked, deleted, or reported by no webhook. */
  passedOver: z.number(),
  /** Too large for the queue. */
  refused: z.number(),
  /** False if time was up: the next run continues there. */
  isComplete: z.boolean(),
});

export type HandedOver = z.infer<typeof handedOverSchema>;

const measuredHourSchema = z.strictObject({
  /** The start, in unix seconds. */
  hour: z.number(),
  listed: z.number(),
  received: z.number(),
  /** The certain number. */
  neverReceived: z.number(),
  /** More than `neverReceived` if the queue delivered again. */
  neverReceivedAtMost: z.number(),
});

export type MeasuredHour = z.infer<typeof measuredHourSchema>;

const measuredAppSchema = z.strictObject({
  hours: z.array(measuredHourSchema),
  /** False if time was up, or waiting events may belong to the omitted hours. */
  isComplete: z.boolean(),
});

export type MeasuredApp = z.infer<typeof measuredAppSchema>;

export const appResultSchema = z.strictObject({
  appId: z.string(),
  handedOver: z.optional(handedOverSchema),
  measured: z.optional(measuredAppSchema),
  error: z.optional(z.string()),
});

export type AppResult = z.infer<typeof appResultSchema>;

export const reconcileResultSchema = z.object({
  rehearsal: z.boolean(),
  isComplete: z.boolean(),
  apps: z.readonly(z.array(appResultSchema)),
});

export type ReconcileResult = z.infer<typeof reconcileResultSchema>;

/** @param run continued what `before` began */
export function addRuns(before: HandedOver, run: HandedOver): HandedOver {
  return {
    ...run,
    since: Math.min(before.since, run.since),
    listed: before.listed + run.listed,
    handedOver: before.handedOver + run.handedOver,
    passedOver: before.passedOver + run.passedOver,
    refused: before.refused + run.refused,
  };
}

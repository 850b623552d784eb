import * as z from "zod/mini";

const watchedSchema = z.union([
  z.strictObject({ queue: z.string(), metric: z.string() }),
  z.strictObject({ counted: z.string(), in: z.optional(z.array(z.string())) }),
  z.strictObject({ api: z.enum(["4xx", "5xx"]), requests: z.number() }),
  z.strictObject({ refused: z.array(z.string()) }),
  z.strictObject({
    /**
     * @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
     * @see https://docs.aws.amazon.com/lambda/latest/dg/durable-monitoring.html
     */
    functions: z.enum(["Errors", "Throttles", "AsyncEventsDropped", "DurableExecutionTimedOut"]),
    in: z.optional(z.array(z.string())),
  }),
]);

export const alarmDefinitionsSchema = z.record(
  z.string(),
  z.strictObject({
    means: z.string(),
    costs: z.string(),
    type: z.string(),
    of: watchedSchema,
    above: z.number(),
    minutes: z.number(),
    times: z._default(z.number(), 1),
    /** An alarm notifies when it begins: a second one notifies of what is added while this one lasts. */
    lasts: z._default(z.boolean(), false),
    /**
     * Default: missing data counts as within the limit.
     * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
     */
    missing: z._default(z.enum(["notBreaching", "ignore"]), "notBreaching"),
  }),
);

export type AlarmDefinitions = z.infer<typeof alarmDefinitionsSchema>;
export type AlarmDefinition = AlarmDefinitions[string];

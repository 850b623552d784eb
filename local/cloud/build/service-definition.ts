import * as z from "zod/mini";
import { isRecord } from "../../../lib/base/json.ts";
import { stageSettingsSchema } from "../gateway/throttle.ts";

const environmentSchema = z.optional(z.record(z.string(), z.unknown()));

const sqsEventSchema = z.object({
  arn: z.unknown(),
  enabled: z.optional(z.boolean()),
  batchSize: z.optional(z.number()),
  maximumConcurrency: z.optional(z.number()),
  functionResponseType: z.optional(z.string()),
  filterPatterns: z.optional(z.array(z.unknown())),
});

const httpEventSchema = z.union([z.string(), z.object({ method: z.string(), path: z.string() })]);

export const eventSchema = z.object({
  httpApi: z.optional(httpEventSchema),
  sqs: z.optional(z.union([z.string(), sqsEventSchema])),
  schedule: z.optional(z.unknown()),
});

const functionSchema = z.object({
  name: z.string(),
  handler: z.string(),
  timeout: z.optional(z.number()),
  memorySize: z.optional(z.number()),
  maximumRetryAttempts: z.optional(z.number()),
  environment: environmentSchema,
  events: z.optional(z.array(z.unknown())),
  url: z.optional(z.union([z.boolean(), z.looseObject({})])),
  durableConfig: z.optional(
    z.object({ executionTimeout: z.number(), retentionPeriodInDays: z.optional(z.number()) }),
  ),
});

const resourceSchema = z.object({
  Type: z.string(),
  Properties: z.optional(z.record(z.string(), z.unknown())),
});

export const serviceSchema = z.object({
  service: z.string(),
  provider: z.object({
    region: z.string(),
    stage: z.string(),
    timeout: z.optional(z.number()),
    memorySize: z.optional(z.number()),
    environment: environmentSchema,
    logs: z.optional(
      z.object({ lambda: z.optional(z.object({ logFormat: z.optional(z.enum(["Text", "JSON"])) })) }),
    ),
  }),
  functions: z.record(z.string(), functionSchema),
  resources: z.optional(
    z.object({
      Resources: z.optional(z.record(z.string(), resourceSchema)),
      Outputs: z.optional(z.record(z.string(), z.object({ Value: z.unknown() }))),
      extensions: z.optional(
        z.object({ HttpApiStage: z.optional(z.object({ Properties: stageSettingsSchema })) }),
      ),
      Metadata: z.optional(z.record(z.string(), z.unknown())),
    }),
  ),
});

export type ServiceDefinition = z.infer<typeof serviceSchema>;
export type ResourceDefinition = z.infer<typeof resourceSchema>;
export type SqsEvent = z.infer<typeof sqsEventSchema>;

/** The settings of events, by source, that the local stack applies. */
const appliedSettings: Readonly<Record<string, readonly string[]>> = {
  httpApi: ["method", "path"],
  sqs: Object.keys(sqsEventSchema.shape),
  schedule: ["rate", "enabled", "description", "input"],
};

/** Names the events, and their settings, that have no effect locally. */
export function listIgnored({ functions }: ServiceDefinition): readonly string[] {
  const ignored = Object.entries(functions).flatMap(([key, { events = [] }]) =>
    events
      .flatMap((event) => Object.entries(isRecord(event) ? event : { [String(event)]: undefined }))
      .flatMap(([source, settings]) => {
        const applied = appliedSettings[source];
        if (applied === undefined) return [`${source} of ${key}`];
        const names = isRecord(settings) ? Object.keys(settings) : [];
        return names.filter((name) => !applied.includes(name)).map((name) => `${source}.${name} of ${key}`);
      }),
  );
  return [...new Set(ignored)];
}

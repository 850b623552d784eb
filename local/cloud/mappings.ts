import * as z from "zod/mini";
import { AwsError } from "./aws-error.ts";
import { parseInput } from "./aws-operation.ts";
import { createBus } from "./bus.ts";
import type { EventSourceMapping } from "./cloud-report.ts";

export interface MappingState extends EventSourceMapping {
  readonly isEnabled: boolean;
}

const changeSchema = z.object({
  Enabled: z.optional(z.boolean()),
  BatchSize: z.optional(z.int().check(z.minimum(1), z.maximum(10_000))),
  FunctionResponseTypes: z.optional(z.array(z.literal("ReportBatchItemFailures"))),
  ScalingConfig: z.optional(
    z.object({ MaximumConcurrency: z.optional(z.int().check(z.minimum(2), z.maximum(1_000))) }),
  ),
});

export function propertiesOf(mapping: EventSourceMapping) {
  const { batchSize: BatchSize, maximumConcurrency: MaximumConcurrency, reportsItemFailures } = mapping;
  return {
    BatchSize,
    ...(reportsItemFailures && { FunctionResponseTypes: ["ReportBatchItemFailures"] }),
    ...(MaximumConcurrency !== undefined && { ScalingConfig: { MaximumConcurrency } }),
  };
}

/** Event source mappings by UUID. Changes take effect immediately. */
export class Mappings {
  readonly #states: Map<string, MappingState>;
  readonly #changes = createBus<MappingState>();
  readonly onChange = this.#changes.subscribe;

  constructor(deployed: readonly EventSourceMapping[]) {
    this.#states = new Map(deployed.map((one) => [one.uuid, { ...one, isEnabled: true }]));
  }

  get all(): readonly MappingState[] {
    return [...this.#states.values()];
  }

  /** @see https://docs.aws.amazon.com/lambda/latest/api/API_GetEventSourceMapping.html */
  describe(uuid: string): object {
    const found = this.#get(uuid);
    const State = found.isEnabled ? "Enabled" : "Disabled";
    const properties = { FunctionResponseTypes: [], ...propertiesOf(found) };
    return { UUID: uuid, EventSourceArn: found.queueArn, State, ...properties };
  }

  /** @see https://docs.aws.amazon.com/lambda/latest/api/API_UpdateEventSourceMapping.html */
  update(uuid: string, input: unknown): object {
    const before = this.#get(uuid);
    const change = parseInput("InvalidParameterValueException", changeSchema, input);
    const { Enabled, ScalingConfig, BatchSize = before.batchSize, FunctionResponseTypes } = change;
    const changed = {
      ...before,
      isEnabled: Enabled ?? before.isEnabled,
      batchSize: BatchSize,
      ...(FunctionResponseTypes && { reportsItemFailures: FunctionResponseTypes.length > 0 }),
      // An empty object removes the limit.
      ...(ScalingConfig !== undefined && { maximumConcurrency: ScalingConfig.MaximumConcurrency }),
    };
    this.#states.set(uuid, changed);
    this.#changes.publish(changed);
    return this.describe(uuid);
  }

  #get(uuid: string): MappingState {
    const found = this.#states.get(uuid);
    if (found !== undefined) return found;
    throw new AwsError(
      "ResourceNotFoundException",
      "The resource you requested does not exist. (Service: Lambda)",
      404,
    );
  }
}

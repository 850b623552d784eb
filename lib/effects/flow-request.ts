import * as z from "zod/mini";

export const flowRequestSchema = z.object({
  flow: z.string(),
  appId: z.string(),
  region: z.optional(z.string()),
  /** Absent stands for undefined, which JSON does not have. */
  input: z.optional(z.unknown()),
  waitsFor: z.array(z.string()),
  since: z.number(),
  causedBy: z.optional(z.string()),
  /** Events about that message may have been received before the flow starts. */
  causedByMessage: z.optional(z.string()),
  /** The first execution's id, if this one continues it. */
  identity: z.optional(z.string()),
  /** Keys of events that earlier executions received. */
  known: z.optional(z.array(z.string())),
  knownAt: z.optional(z.array(z.number())),
  /** When the last event was received that an earlier execution returned, plus its own waits since. */
  heardAt: z.optional(z.number()),
  /** The first failed execution, whose effects count, and its start. */
  restart: z.optional(z.object({ of: z.string(), since: z.number() })),
});

export type FlowRequest = z.infer<typeof flowRequestSchema>;

/**
 * Limits the input because each replay and checkpoint (256 KB) contains it. An asynchronous invocation would
 * take 1 MB.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const maxFlowInputBytes = 100_000;

export interface FlowStarter {
  /**
   * Starts a flow. Repeatable: one flow per `ofEffect`, with the first input.
   * @throws AwsCallError
   */
  start(request: FlowRequest, ofEffect: string): Promise<{ id: string }>;
}

export interface StartableFlow<in Input = never> {
  readonly name: string;
  readonly waitsFor: readonly string[];
  /** Returns what does not match, without the value. */
  readonly misfitOf: (input: unknown) => string | undefined;
  /** Exists for type inference only. */
  readonly takes?: (input: Input) => void;
}

import type { DurableExecutionInvocationInput } from "@aws/durable-execution-sdk-js";
import type { Log, LogFields } from "../base/log.ts";
import type { DurableClient } from "./durable-client.ts";

/**
 * What one execution may hold and write; neither can be increased. Another one has its own.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const mostOperations = 3_000;
export const mostWrittenBytes = 100_000_000;

const nearShare = 0.8;

interface Written {
  readonly ids: Set<string>;
  bytes: number;
}

/** Warns at four fifths of an execution's limits, once per invocation. */
export function watchFlowLimits(client: DurableClient, log: Log) {
  const running = new Map<string, Written>();
  const note = (
    arn: string,
    operations: readonly unknown[],
    textsOf: (one: unknown) => readonly unknown[],
  ) => {
    const written = running.get(arn);
    for (const one of written === undefined ? [] : operations) {
      written?.ids.add(String(Object(one).Id));
      for (const text of textsOf(one))
        if (written && typeof text === "string") written.bytes += Buffer.byteLength(text);
    }
  };
  const stored = (one: unknown) => {
    const { StepDetails, ContextDetails } = Object(one);
    return [Object(StepDetails).Result, Object(ContextDetails).Result];
  };
  return {
    client: {
      ...client,
      checkpoint: async (input) => {
        note(input.DurableExecutionArn ?? "", input.Updates ?? [], (update) => [Object(update).Payload]);
        return client.checkpoint(input);
      },
      getExecutionState: async (query) => {
        const state = await client.getExecutionState(query);
        note(query.DurableExecutionArn ?? "", state.Operations ?? [], stored);
        return state;
      },
    } satisfies DurableClient,
    begin: ({ DurableExecutionArn: arn, InitialExecutionState }: DurableExecutionInvocationInput) => {
      running.set(arn, { ids: new Set(), bytes: 0 });
      note(arn, InitialExecutionState.Operations, stored);
    },
    end: (arn: string, names: LogFields) => {
      const { ids, bytes } = running.get(arn) ?? { ids: new Set(), bytes: 0 };
      running.delete(arn);
      if (ids.size < mostOperations * nearShare && bytes < mostWrittenBytes * nearShare) return;
      log.warn("a flow nears the limits of one execution: let it continue by flow.continueAs", {
        ...names,
        ...{ operations: ids.size, mostOperations, writtenBytes: bytes, mostWrittenBytes },
      });
    },
  };
}

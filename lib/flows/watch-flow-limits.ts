import {
  DurableExecutionClientError,
  DurableExecutionClientErrorScope,
  type DurableExecutionInvocationInput,
  isDurableExecutionClientError,
} from "@aws/durable-execution-sdk-js";
import type { Log, LogFields } from "../base/log.ts";
import type { DurableClient } from "./durable-client.ts";

/**
 * What one execution may hold and write. See
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const mostOperations = 3_000;
export const mostWrittenBytes = 100_000_000;

const nearShare = 0.8;

interface Written {
  readonly names: LogFields;
  readonly ids: Set<string>;
  bytes: number;
  isWarned: boolean;
}

/** Warns at four fifths of an execution's limits, once per invocation, and names the one that ends it. */
export function watchFlowLimits(client: DurableClient, log: Log) {
  const running = new Map<string, Written>();
  const note = (
    arn: string | undefined,
    operations: readonly unknown[] = [],
    textsOf: (one: unknown) => readonly unknown[] = storedTexts,
  ) => {
    const written = running.get(arn ?? "");
    if (written === undefined) return;
    for (const one of operations) {
      written.ids.add(String(Object(one).Id));
      for (const text of textsOf(one)) if (typeof text === "string") written.bytes += Buffer.byteLength(text);
    }
    warn(written, log);
  };
  return {
    client: {
      ...client,
      checkpoint: async (input) => {
        note(input.DurableExecutionArn, input.Updates, (update) => [Object(update).Payload]);
        try {
          return await client.checkpoint(input);
        } catch (error) {
          throw limitReached(running.get(input.DurableExecutionArn ?? ""), error) ?? error;
        }
      },
      getExecutionState: async (query) => {
        const state = await client.getExecutionState(query);
        note(query.DurableExecutionArn, state.Operations);
        return state;
      },
    } satisfies DurableClient,
    begin: (
      { DurableExecutionArn: arn, InitialExecutionState }: DurableExecutionInvocationInput,
      names: LogFields,
    ) => {
      running.set(arn, { names, ids: new Set(), bytes: 0, isWarned: false });
      note(arn, InitialExecutionState.Operations);
    },
    end: (arn: string) => void running.delete(arn),
  };
}

function storedTexts(one: unknown): readonly unknown[] {
  const { StepDetails, ContextDetails } = Object(one);
  return [Object(StepDetails).Result, Object(ContextDetails).Result];
}

/** The limit may be reached within the same invocation. */
function warn(written: Written, log: Log): void {
  const { ids, bytes, names, isWarned } = written;
  const isNear = ids.size >= mostOperations * nearShare || bytes >= mostWrittenBytes * nearShare;
  if (isWarned || !isNear) return;
  written.isWarned = true;
  log.warn("a flow nears the limits of one execution: let it continue by flow.continueAs", {
    ...names,
    ...{ operations: ids.size, mostOperations, writtenBytes: bytes, mostWrittenBytes },
  });
}

/** Lambda's answer does not say it. */
function limitReached(written: Written | undefined, error: unknown): Error | undefined {
  const isRefused =
    isDurableExecutionClientError(error) && error.scope === DurableExecutionClientErrorScope.EXECUTION;
  if (!isRefused || written === undefined) return undefined;
  const isFull = written.ids.size > mostOperations;
  if (!isFull && written.bytes <= mostWrittenBytes) return undefined;
  const limit = isFull ? `${mostOperations} operations` : `${mostWrittenBytes / 1e6} MB written`;
  return new DurableExecutionClientError(
    `The flow reached ${limit}, the limit of one execution. Let it go on before that by flow.continueAs.`,
    { scope: error.scope, cause: error },
  );
}

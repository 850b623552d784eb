import {
  DurableExecutionClientError,
  DurableExecutionClientErrorScope,
  type DurableExecutionInvocationInput,
  isDurableExecutionClientError,
} from "@aws/durable-execution-sdk-js";
import type { Log, LogFields } from "../base/log.ts";
import { timestamp } from "./durable-api.ts";
import type { DurableClient } from "./durable-client.ts";

/** Limits of one execution. See https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const mostOperations = 3_000;
const mostWrittenBytes = 100_000_000;

const nearShare = 0.8;

export interface Written {
  readonly operations: number;
  readonly bytes: number;
}

interface Running {
  readonly names: LogFields;
  readonly seen: Map<string, { readonly startMs: number; bytes: number }>;
  /** Totals from the latest closed context's result: Lambda does not return such a context's operations. */
  stated: Written & { readonly endMs: number };
  isWarned: boolean;
}

/**
 * Warns once per invocation at 80% of an execution's limits. Results of contexts contain totals, as
 * `"written":{"operations":1,"bytes":2}`.
 */
export function watchFlowLimits(
  client: DurableClient,
  log: Log,
  { InitialExecutionState }: DurableExecutionInvocationInput,
  names: LogFields,
) {
  const stated = { operations: 0, bytes: 0, endMs: 0 };
  const current: Running = { names, seen: new Map(), stated, isWarned: false };
  const note = (
    operations: readonly unknown[] = [],
    textsOf: (one: unknown) => readonly unknown[] = storedTexts,
  ) => {
    for (const one of operations) {
      const { Id, StartTimestamp } = Object(one);
      const known = current.seen.get(Id) ?? { startMs: toMs(StartTimestamp), bytes: 0 };
      current.seen.set(Id, known);
      for (const text of textsOf(one)) if (typeof text === "string") known.bytes += Buffer.byteLength(text);
      noteStated(current, one);
    }
    warn(current, log);
  };
  note(InitialExecutionState.Operations);
  return {
    client: {
      ...client,
      checkpoint: async (input) => {
        note(input.Updates, (update) => [Object(update).Payload]);
        try {
          return await client.checkpoint(input);
        } catch (error) {
          throw toLimitError(current, error) ?? error;
        }
      },
      getExecutionState: async (query) => {
        const state = await client.getExecutionState(query);
        note(state.Operations);
        return state;
      },
    } satisfies DurableClient,
    written: () => writtenIn(current),
  };
}

function noteStated(current: Running, operation: unknown) {
  const { EndTimestamp, ContextDetails } = Object(operation);
  const text: unknown = Object(ContextDetails).Result;
  if (EndTimestamp === undefined || typeof text !== "string") return;
  // Skips a flow's own results, whose quotes are escaped.
  for (const [, operations, bytes] of text.matchAll(/"written":\{"operations":(\d+),"bytes":(\d+)\}/g)) {
    if (Number(operations) <= current.stated.operations) continue;
    current.stated = { operations: Number(operations), bytes: Number(bytes), endMs: toMs(EndTimestamp) };
  }
}

function writtenIn({ seen, stated }: Running): Written {
  const all = [...seen.values()];
  const later = all.filter(({ startMs }) => startMs >= stated.endMs);
  const sum = (sum: number, { bytes }: { bytes: number }) => sum + bytes;
  return {
    operations: Math.max(all.length, stated.operations + later.length),
    bytes: Math.max(all.reduce(sum, 0), later.reduce(sum, stated.bytes)),
  };
}

/** Returns infinity for updates of this invocation: they have no time. */
export function toMs(time: unknown): number {
  const date = time instanceof Date ? time : timestamp.safeParse(time).data;
  return date?.getTime() ?? Number.POSITIVE_INFINITY;
}

function storedTexts(one: unknown): readonly unknown[] {
  const { StepDetails, ContextDetails } = Object(one);
  return [Object(StepDetails).Result, Object(ContextDetails).Result];
}

function warn(current: Running, log: Log) {
  const { operations, bytes } = writtenIn(current);
  const isNear = operations >= mostOperations * nearShare || bytes >= mostWrittenBytes * nearShare;
  if (current.isWarned || !isNear) return;
  current.isWarned = true;
  log.warn("a flow is near the limits of one execution: call flow.continueAs earlier", {
    ...current.names,
    operations,
    mostOperations,
    writtenBytes: bytes,
    mostWrittenBytes,
  });
}

/** Lambda's error does not name the limit. */
function toLimitError(current: Running, error: unknown): Error | undefined {
  const isRefused =
    isDurableExecutionClientError(error) && error.scope === DurableExecutionClientErrorScope.EXECUTION;
  if (!isRefused) return undefined;
  const { operations, bytes } = writtenIn(current);
  const isFull = operations > mostOperations;
  if (!isFull && bytes <= mostWrittenBytes) return undefined;
  const limit = isFull ? `${mostOperations} operations` : `${mostWrittenBytes / 1e6} MB written`;
  return new DurableExecutionClientError(
    `The flow reached ${limit}, the limit of one execution. Call flow.continueAs earlier.`,
    { scope: error.scope, cause: error },
  );
}

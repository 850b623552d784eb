import { AwsCallError, type AwsCaller } from "../../lib/aws/aws-call.ts";
import { mayPass } from "../../lib/aws/aws-trouble.ts";
import { withOperatorTimeouts } from "../../lib/queue/operator-services.ts";
import type { WorkContext } from "../command.ts";

export function pacedCalls({ target, edges: { sleep, signal }, out }: WorkContext): AwsCaller {
  const callUnlessStopped: AwsCaller = async (call) => {
    signal.throwIfAborted();
    return await target.callAws(call);
  };
  return createPacedCaller(withOperatorTimeouts(callUnlessStopped), {
    sleep: (ms) => sleep(ms, signal),
    onBusy: (waitMs) => out.progress(`AWS is busy or does not answer: trying again in ${waitMs / 1_000} s`),
  });
}

interface PacedCallerEdges {
  readonly sleep: (ms: number) => Promise<void>;
  readonly onBusy?: (waitMs: number) => void;
}

/**
 * A sixth of a partition's 3,000 read units a second, which live functions need: a page reads one partition.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
 */
const unitsPerSecond = 500;

/**
 * Read units of a page: 1 MB in units of 4 KB, or half of them with eventual consistency.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
const pageUnits = { consistent: 256, eventual: 128 };

/** A table that grows gets further partitions within minutes. 90 s in all. */
const waitsMs = [1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000, 15_000, 15_000];

/**
 * Makes the calls of an operator's long search: waits between the pages of a table, and repeats for 90 s
 * what AWS throttles or does not answer.
 */
export function createPacedCaller(
  callAws: AwsCaller,
  { sleep, onBusy = () => {} }: PacedCallerEdges,
): AwsCaller {
  return async (call) => {
    const { ExclusiveStartKey: startKey, ConsistentRead: isConsistent } = call.input;
    if (startKey !== undefined) {
      const units = isConsistent === true ? pageUnits.consistent : pageUnits.eventual;
      await sleep((units / unitsPerSecond) * 1_000);
    }
    for (const waitMs of waitsMs) {
      try {
        return await callAws(call);
      } catch (error) {
        if (!(error instanceof AwsCallError) || !mayPass(error)) throw error;
        if (call.isRepeatable === false && error.maybeExecuted) throw error;
      }
      onBusy(waitMs);
      await sleep(waitMs);
    }
    return await callAws(call);
  };
}

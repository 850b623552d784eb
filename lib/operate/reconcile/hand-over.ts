import { AwsCallError } from "../../aws/aws-call.ts";
import { OwnError } from "../../base/own-error.ts";
import type { QueueMessage } from "../../queue/enqueue.ts";
import { bytesPerRequest, type EnqueueMany, messagesPerRequest } from "../../queue/enqueue-many.ts";

export interface HandOverServices {
  readonly enqueueMany: EnqueueMany;
  readonly sleep: (ms: number) => Promise<void>;
  readonly now: () => number;
}

const tries = 5;
const pauseMs = 1_000;

/** The queue accepted nothing after several tries, or time was up. */
export class HandOverBusyError extends OwnError {
  override readonly name = "HandOverBusyError";

  constructor(left: number) {
    super(`The events queue did not take ${left} messages yet. They are handed over by the next run.`);
  }
}

/**
 * One message per lane and request: a later one never overtakes one that was not accepted. Returns how many
 * the queue will never accept. May be repeated.
 * @throws HandOverBusyError, AwsCallError if not all were accepted
 */
export async function handOver(
  messages: readonly QueueMessage[],
  deadlineMs: number,
  { enqueueMany, sleep, now }: HandOverServices,
): Promise<{ readonly refused: number }> {
  const lanes = [...Map.groupBy(messages, (message) => message.MessageGroupId).values()];
  let refused = 0;
  let failures = 0;
  while (lanes.length > 0) {
    if (now() >= deadlineMs) throw new HandOverBusyError(countOf(lanes));
    const share = takeShare(lanes);
    const heads = share.flatMap((lane) => lane.slice(0, 1));
    const outcomes = await enqueueMany(heads, deadlineMs).catch((error: unknown) => {
      if (!(error instanceof AwsCallError) || failures + 1 >= tries) throw error;
      return [];
    });
    const settled = share.filter((_, index) => (outcomes[index] ?? "later") !== "later");
    refused += outcomes.filter((outcome) => outcome === "never").length;
    for (const lane of settled) lane.shift();
    // Behind the others: a lane with many messages must not delay them.
    lanes.splice(0, share.length);
    lanes.push(...share.filter((lane) => lane.length > 0));
    failures = settled.length > 0 ? 0 : failures + 1;
    if (failures >= tries) throw new HandOverBusyError(countOf(lanes));
    if (failures > 0) await sleep(pauseMs);
  }
  return { refused };
}

/** Those whose first messages fit into one request. */
function takeShare(lanes: readonly QueueMessage[][]): readonly QueueMessage[][] {
  const share: QueueMessage[][] = [];
  let bytes = 0;
  for (const lane of lanes.slice(0, messagesPerRequest)) {
    bytes += Buffer.byteLength(lane[0]?.MessageBody ?? "");
    if (share.length > 0 && bytes > bytesPerRequest) break;
    share.push(lane);
  }
  return share;
}

function countOf(lanes: readonly QueueMessage[][]): number {
  return lanes.reduce((sum, lane) => sum + lane.length, 0);
}

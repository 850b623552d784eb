import type { StackHappening } from "../stack/stack-events.ts";

/**
 * How long SQS reserves a deleted queue's name (60 s), with a margin.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_CreateQueue.html
 */
export const queueNameRestMs = 65_000;

/** Returns how long to wait until the names of recently deleted queues can be used again. */
export function waitForQueueNamesMs(happenings: readonly StackHappening[], nowMs: number): number {
  const deletedAt = happenings
    .filter(({ type, status }) => type === "AWS::SQS::Queue" && status === "DELETE_COMPLETE")
    .map(({ atMs }) => atMs);
  return Math.max(0, ...deletedAt.map((atMs) => atMs + queueNameRestMs - nowMs));
}

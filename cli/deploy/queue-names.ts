import type { StackHappening } from "../stack/stack-events.ts";

/**
 * How long a queue's name cannot be used again after the queue was deleted, and a little.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_CreateQueue.html
 */
export const queueNameRestMs = 65_000;

/** Says how long to wait until queues can have the names again of those that were deleted just now. */
export function waitForQueueNamesMs(happenings: readonly StackHappening[], nowMs: number): number {
  const deletedAt = happenings
    .filter(({ type, status }) => type === "AWS::SQS::Queue" && status === "DELETE_COMPLETE")
    .map(({ atMs }) => atMs);
  return Math.max(0, ...deletedAt.map((atMs) => atMs + queueNameRestMs - nowMs));
}

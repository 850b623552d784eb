import type { AwsCaller } from "../aws/aws-call.ts";
import type { Problem } from "../events/problems.ts";
import type { Delivery } from "./enqueue.ts";
import { toMessageBody, toQueuedBody } from "./queued-event.ts";
import { sendMessage } from "./send-message.ts";

/** Not JSON, not an event of the platform, or with invalid fields. */
export type QuarantineReason = "not-json" | "no-envelope" | "not-understood";

/**
 * Stores an unreadable delivery as it was received. Repeating stores it twice.
 * @throws AwsCallError, MessageTooLargeError if too large even when compressed
 */
export type Quarantine = (
  delivery: Delivery,
  reason: QuarantineReason,
  problems?: readonly Problem[],
) => Promise<void>;

export function createQuarantine(callAws: AwsCaller, quarantineQueueUrl: string): Quarantine {
  return async ({ appId, bytes, text, receivedAt, deadlineMs }, reason, problems = []) => {
    const message = { v: 1, appId, reason, problems, receivedAt, ...toQueuedBody(bytes, text) };
    await sendMessage(callAws, quarantineQueueUrl, { MessageBody: toMessageBody(message) }, deadlineMs);
  };
}

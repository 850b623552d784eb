import type { AwsCaller } from "../aws/aws-call.ts";
import type { Problem } from "../events/problems.ts";
import type { Delivery } from "./enqueue.ts";
import { toMessageBody } from "./message-text.ts";
import { toQueuedBody } from "./queued-event.ts";

/** Why a delivery cannot be read: its body is no JSON, no call of the platform, or one whose fields make no sense. */
export type QuarantineReason = "not-json" | "no-envelope" | "not-understood";

/**
 * Stores a delivery that cannot be read, as received, with what is wrong with it. Repeating it stores it twice.
 * @throws AwsCallError when the queue did not take it
 * @throws MessageTooLargeError when no queue ever will: not even compressed does the delivery fit into a message
 */
export type Quarantine = (
  delivery: Delivery,
  reason: QuarantineReason,
  problems?: readonly Problem[],
) => Promise<void>;

export function createQuarantine(callAws: AwsCaller, quarantineQueueUrl: string): Quarantine {
  return async ({ appId, bytes, text, receivedAt, deadlineMs }, reason, problems = []) => {
    const message = { v: 1, appId, reason, problems, receivedAt, ...toQueuedBody(bytes, text) };
    await callAws({
      service: "sqs",
      target: "AmazonSQS.SendMessage",
      input: { QueueUrl: quarantineQueueUrl, MessageBody: toMessageBody(message) },
      deadlineMs,
    });
  };
}

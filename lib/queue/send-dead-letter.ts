import type { AwsCaller } from "../aws/aws-call.ts";
import { sha256Hex } from "../base/digest.ts";
import { toMessageText } from "./message-text.ts";

/** A message to dead-letter, with everything that a replay needs. */
export interface DeadLetterContent {
  readonly messageId: string;
  /**
   * Distinguishes dead letters of one message: each trigger's own lane dead-letters its steps, and each
   * trigger may pass the message over.
   */
  readonly part?: string | undefined;
  readonly messageBody: string;
  /** The message's queue, and its message group there. */
  readonly source: "events" | "calls";
  readonly group: string;
  readonly appId: string;
  readonly trigger: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  readonly reason: string;
  readonly cause: string;
  /** Real tries, the maximum over all steps. */
  readonly tries: number;
  /** Steps that need not run again. */
  readonly finished: readonly string[];
}

/** All ten attributes that a message may have. */
export const deadLetterAttributes = {
  cause: "Cause",
  reason: "Reason",
  source: "Source",
  group: "Group",
  appId: "AppId",
  trigger: "Trigger",
  receivedAt: "ReceivedAt",
  deadLetteredAt: "BuriedAt",
  tries: "Tries",
  finished: "Finished",
} as const;

/** An attribute may be longer, but a cause is shown to people. */
const maxCauseCharacters = 1000;

/**
 * The reason of events that a trigger skipped because they waited too long. A replay skips them unless it
 * ignores their age.
 */
export const passedOverReason = "passed-over";

export type SendDeadLetter = (message: DeadLetterContent) => Promise<void>;

/**
 * Returns a function that puts a message into the dead-letter queue, with its state as attributes. May be
 * repeated: the queue drops duplicates for five minutes.
 * @throws AwsCallError if the queue did not accept it
 */
export function createSendDeadLetter(
  callAws: AwsCaller,
  deadLetterQueueUrl: string,
  now: () => number,
): SendDeadLetter {
  return async ({ messageId, part, messageBody, group, finished, ...message }) => {
    const letterId = part === undefined ? messageId : sha256Hex(`${messageId} ${part}`);
    const text = (value: string | number) => ({
      DataType: "String",
      StringValue: toMessageText(String(value)),
    });
    await callAws({
      service: "sqs",
      target: "AmazonSQS.SendMessage",
      input: {
        QueueUrl: deadLetterQueueUrl,
        MessageBody: messageBody,
        // A message group of its own: of one group the queue delivers ten messages, and no others until those
        // are deleted. With its lane's group, only the first ten dead letters of a conversation would be
        // visible.
        MessageGroupId: letterId,
        MessageDeduplicationId: letterId,
        MessageAttributes: {
          [deadLetterAttributes.cause]: text(message.cause.slice(0, maxCauseCharacters) || "unknown"),
          [deadLetterAttributes.reason]: text(message.reason),
          [deadLetterAttributes.source]: text(message.source),
          [deadLetterAttributes.group]: text(group),
          [deadLetterAttributes.appId]: text(message.appId || "unknown"),
          [deadLetterAttributes.trigger]: text(message.trigger || "unknown"),
          [deadLetterAttributes.receivedAt]: text(message.receivedAt),
          [deadLetterAttributes.deadLetteredAt]: text(now()),
          [deadLetterAttributes.tries]: text(message.tries),
          ...(finished.length > 0 && { [deadLetterAttributes.finished]: text(finished.join("\n")) }),
        },
      },
    });
  };
}

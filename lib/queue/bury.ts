import type { AwsCaller } from "../aws/aws-call.ts";
import { sha256Hex } from "../base/digest.ts";
import { toMessageText } from "./message-text.ts";

/** A message of a lane that is given up, with all that is needed to bring it back. */
export interface BuriedMessage {
  readonly messageId: string;
  /**
   * Which of its letters, where it may have several: each trigger's own lane dead-letters steps of one message, and each
   * trigger may pass it over.
   */
  readonly part?: string | undefined;
  readonly messageBody: string;
  /** The queue it came from, and its message group there. */
  readonly source: "events" | "calls";
  readonly group: string;
  readonly appId: string;
  readonly trigger: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  readonly reason: string;
  /** Why the last attempt failed. */
  readonly cause: string;
  /** Real tries, of the step that had most of them. */
  readonly tries: number;
  /** Steps that need not run again. */
  readonly finished: readonly string[];
}

/** The names of a buried message's attributes: all ten that a message may have. */
export const buriedAttributes = {
  cause: "Cause",
  reason: "Reason",
  source: "Source",
  group: "Group",
  appId: "AppId",
  trigger: "Trigger",
  receivedAt: "ReceivedAt",
  buriedAt: "BuriedAt",
  tries: "Tries",
  finished: "Finished",
} as const;

/** A message attribute may be long, but a cause is for reading. */
const maxCauseCharacters = 1000;

/**
 * The reason of events that a trigger left alone because they had become too old while they waited. A replay leaves them
 * where they are unless it ignores their age.
 */
export const passedOverReason = "passed-over";

export type Bury = (message: BuriedMessage) => Promise<void>;

/**
 * Makes a function that puts a message into the dead-letter queue, with what is known of it beside it as attributes.
 * May be repeated: the queue drops what it got in the last five minutes.
 * @throws AwsCallError when the queue did not take it
 */
export function createBury(callAws: AwsCaller, deadLetterQueueUrl: string, now: () => number): Bury {
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
        // A group of its own: of a group the queue hands out ten messages, and no other before those are deleted. With its
        // lane's group, what was buried after a conversation's first ten could not even be looked at.
        MessageGroupId: letterId,
        MessageDeduplicationId: letterId,
        MessageAttributes: {
          [buriedAttributes.cause]: text(message.cause.slice(0, maxCauseCharacters) || "unknown"),
          [buriedAttributes.reason]: text(message.reason),
          [buriedAttributes.source]: text(message.source),
          [buriedAttributes.group]: text(group),
          [buriedAttributes.appId]: text(message.appId || "unknown"),
          [buriedAttributes.trigger]: text(message.trigger || "unknown"),
          [buriedAttributes.receivedAt]: text(message.receivedAt),
          [buriedAttributes.buriedAt]: text(now()),
          [buriedAttributes.tries]: text(message.tries),
          ...(finished.length > 0 && { [buriedAttributes.finished]: text(finished.join("\n")) }),
        },
      },
    });
  };
}

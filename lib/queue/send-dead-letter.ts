import type { AwsCaller } from "../aws/aws-call.ts";
import { sha256Hex } from "../base/digest.ts";
import { toMessageText } from "./queued-event.ts";
import { sendMessage } from "./send-message.ts";

export interface DeadLetterContent {
  readonly messageId: string;
  /** Distinguishes several dead letters of one message: each trigger lane dead-letters its own steps. */
  readonly part?: string | undefined;
  readonly messageBody: string;
  readonly source: "events" | "calls";
  readonly group: string;
  readonly appId: string;
  readonly trigger: string;
  readonly receivedAt: number;
  readonly reason: string;
  readonly cause: string;
  /** The maximum over all steps. */
  readonly tries: number;
  readonly finished: readonly string[];
}

/** SQS allows ten per message. */
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

const maxCauseCharacters = 1000;

/**
 * A trigger skipped the event because it had waited too long. A replay skips it too, unless it ignores the
 * age.
 */
export const passedOverReason = "passed-over";
/** The event waited in the lane of a trigger that is now off. */
export const triggerOffReason = "trigger-off";

export type SendDeadLetter = (message: DeadLetterContent) => Promise<void>;

/**
 * Repeatable: the queue drops duplicates for five minutes.
 * @throws AwsCallError
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
    await sendMessage(callAws, deadLetterQueueUrl, {
      MessageBody: messageBody,
      // SQS delivers only ten messages of a group until they are deleted: with the lane's group, others
      // would be invisible.
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
    });
  };
}

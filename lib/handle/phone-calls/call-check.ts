import * as z from "zod/mini";
import type { AwsCaller } from "../../aws/aws-call.ts";
import { sha256Hex } from "../../base/digest.ts";
import { joinFields } from "../../events/identity.ts";
import { toMessageBody } from "../../queue/message-text.ts";

const callCheckSchema = z.object({
  v: z.literal(1),
  check: z.literal("call_summary"),
  appId: z.string(),
  region: z.optional(z.string()),
  sessionId: z.string(),
  /** Key of the event that asked for the check. */
  key: z.string(),
  /** When that event was received, in milliseconds since 1970. */
  receivedAt: z.number(),
  /** When the end or leave was that the event reports, in milliseconds since 1970. */
  at: z.optional(z.number()),
});

/** A reminder to look whether a session is over and to sum it up: a message of the calls queue. */
export type CallCheck = Omit<z.infer<typeof callCheckSchema>, "v" | "check">;

/** Reads a queue message's JSON as a check, or gives undefined for every other message. */
export function readCallCheck(message: unknown): CallCheck | undefined {
  const result = callCheckSchema.safeParse(message);
  return result.success ? result.data : undefined;
}

/**
 * Stores a check in the calls queue, whose delay gives late events time to arrive. May be repeated: the queue drops
 * what it got in the last five minutes.
 * @throws AwsCallError when the queue did not take it
 */
export type ScheduleCheck = (check: CallCheck) => Promise<void>;

export function createScheduleCheck(callAws: AwsCaller, callsQueueUrl: string): ScheduleCheck {
  return async (check) => {
    await callAws({
      service: "sqs",
      target: "AmazonSQS.SendMessage",
      input: {
        QueueUrl: callsQueueUrl,
        MessageBody: toMessageBody({ v: 1, check: "call_summary", ...check }),
        MessageGroupId: sha256Hex(joinFields([check.appId, check.sessionId])),
        MessageDeduplicationId: sha256Hex(joinFields([check.key, String(check.receivedAt)])),
      },
    });
  };
}

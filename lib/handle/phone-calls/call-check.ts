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
  /** Key of the event that requested the check. */
  key: z.string(),
  /** When that event was received, in milliseconds since 1970. */
  receivedAt: z.number(),
  /** The end or leave that the event reports, in milliseconds since 1970. */
  at: z.optional(z.number()),
});

/** A message of the calls queue: a reminder to check whether a session is over and to summarize it. */
export type CallCheck = Omit<z.infer<typeof callCheckSchema>, "v" | "check">;

/** Parses a queue message's JSON as a check; undefined for other messages. */
export function readCallCheck(message: unknown): CallCheck | undefined {
  const result = callCheckSchema.safeParse(message);
  return result.success ? result.data : undefined;
}

/**
 * Stores a check in the calls queue, whose delay leaves time for late events. May be repeated: the queue
 * drops duplicates for five minutes.
 * @throws AwsCallError if the queue did not accept it
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

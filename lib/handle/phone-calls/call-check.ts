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
  key: z.string(),
  receivedAt: z.number(),
  at: z.optional(z.number()),
});

export type CallCheck = Omit<z.infer<typeof callCheckSchema>, "v" | "check">;

export function readCallCheck(message: unknown): CallCheck | undefined {
  const result = callCheckSchema.safeParse(message);
  return result.success ? result.data : undefined;
}

/** Schedules a check. Repeatable: the queue drops duplicates for five minutes. @throws AwsCallError */
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

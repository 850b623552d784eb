import * as z from "zod/mini";
import { anyId, maybe, maybeFlag, maybeNumber, maybeText } from "../answers.ts";
import type { Family } from "../operation.ts";
import { affix, int, looseObject, optional, strictObject, unixMilliseconds, word, yesNo } from "../schema.ts";

/**
 * What was notified, to whom, and if not, why. See docs/internals/platform/notifications.md#logs.
 * @example
 * for await (const { channel, receiver, reason } of chat.notificationLogs.list()) {
 *   if (reason) console.log(`${receiver} was not notified by ${channel}: ${reason}`);
 * }
 */
export const notificationLogs = {
  /**
   * Lists delivery logs; `from` and `to` in unix milliseconds. The cursor is `messageId` in the answer and
   * `logId` in the request (UNVERIFIED: docs/internals/platform/notifications.md#logs has both names, no page
   * says that they are the same).
   */
  list: {
    id: "notifications-logs",
    request: "GET /notifications/v1/logs",
    input: () =>
      strictObject(
        optional({
          messageId: int,
          reactionId: int,
          from: unixMilliseconds,
          to: unixMilliseconds,
          messageCategory: z.literal("message"),
          messageType: word,
          trigger: word,
          sender: word,
          reactionSender: word,
          receiver: word,
          receiverType: z.enum(["user", "group"]),
          reactionReceiver: word,
          member: word,
          channel: z.enum(["push", "email", "sms"]),
          provider: z.enum(["fcm", "apns", "sendgrid", "twilio", "custom"]),
          notificationTriggered: yesNo,
          reason: word,
          success: yesNo,
          affix,
          logId: word,
        }),
      ),
    paged: "cursor",
    cursor: { affix: "affix", messageId: "logId" },
    answer: () =>
      looseObject({
        _id: maybe(anyId),
        messageId: maybe(anyId),
        trigger: maybeText,
        channel: maybeText,
        provider: maybeText,
        sender: maybeText,
        receiver: maybeText,
        receiverType: maybeText,
        member: maybeText,
        notificationTriggered: maybeFlag,
        /** The reason, if it was not triggered. */
        reason: maybeText,
        /** Whether it succeeded, if it was triggered. */
        success: maybeFlag,
        messageSentAtMS: maybeNumber,
      }),
  },
} as const satisfies Family;

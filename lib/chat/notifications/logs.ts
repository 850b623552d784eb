import * as z from "zod/mini";
import { byWords } from "../../base/words.ts";
import { anyId, maybe, maybeFlag, maybeNumber, maybeText } from "../answers.ts";
import { affix, int, opt, opts, unixMilliseconds, word, yesNo } from "../fields.ts";
import type { Family } from "../operation.ts";

/**
 * What was notified, to whom, and if not, why. See docs/internals/platform/notifications.md#logs.
 * @example
 * for await (const { channel, receiver, reason } of chat.notificationLogs.list()) {
 *   if (reason) console.log(`${receiver} was not notified by ${channel}: ${reason}`);
 * }
 */
export const notificationLogs = {
  /**
   * Lists delivery logs; `from` and `to` in unix milliseconds. The cursor of the next page is `messageId` in
   * the answer and `logId` in the request (UNVERIFIED: docs/internals/platform/notifications.md#logs has both names,
   * but no page says that they are the same). May be repeated.
   */
  list: {
    id: "notifications-logs",
    request: "GET /notifications/v1/logs",
    input: () =>
      z.strictObject({
        ...opts("messageId reactionId", int),
        ...opts("from to", unixMilliseconds),
        messageCategory: opt(z.literal("message")),
        ...opts("messageType trigger sender reactionSender receiver reactionReceiver member", word),
        ...opts("reason logId", word),
        receiverType: opt(z.enum(["user", "group"])),
        channel: opt(z.enum(["push", "email", "sms"])),
        provider: opt(z.enum(["fcm", "apns", "sendgrid", "twilio", "custom"])),
        ...opts("notificationTriggered success", yesNo),
        affix: opt(affix()),
      }),
    paged: "cursor",
    cursor: { affix: "affix", messageId: "logId" },
    answer: () =>
      z.looseObject({
        _id: maybe(anyId()),
        messageId: maybe(anyId()),
        ...byWords("trigger channel provider sender receiver receiverType member", maybeText),
        notificationTriggered: maybeFlag(),
        /** The reason, if it was not triggered. */
        reason: maybeText(),
        /** Whether it succeeded, if it was triggered. */
        success: maybeFlag(),
        messageSentAtMS: maybeNumber(),
      }),
  },
} as const satisfies Family;

import * as z from "zod/mini";
import { recordOf } from "../../base/record-of.ts";
import { maybe, maybeNumber, maybeObject, maybeText } from "../answers.ts";
import type { Family } from "../operation.ts";
import { looseObject, strictObject, unixMilliseconds } from "../schema.ts";

/**
 * Usage of the app. See docs/internals/platform/import-and-metrics.md#metrics.
 * @example
 * const dayMs = 24 * 60 * 60 * 1_000;
 * const { metrics } = await chat.metrics.usage({ fromDate: Date.now() - 30 * dayMs, toDate: Date.now() });
 * console.log(metrics?.active_users);
 */
export const metrics = {
  /** Reads usage between two times in unix milliseconds (the example's unit). */
  usage: {
    id: "usage-metrics",
    request: "GET /stats",
    input: () => strictObject({ fromDate: unixMilliseconds, toDate: unixMilliseconds }),
    answer: () =>
      looseObject({
        /** audio_minutes, video_minutes, recorded_minutes, active_users, concurrent_users. */
        metrics: maybeObject,
        time_range: maybeObject,
      }),
  },
  /** Counts the last hour's messages and receipts, per five minutes; times in unix milliseconds. */
  messages: {
    id: "message-receipt-metrics",
    request: "GET /stats/messages",
    answer: () =>
      looseObject({
        startTime: maybeNumber,
        endTime: maybeNumber,
        appId: maybeText,
        dataPoints: maybe(
          z.array(
            looseObject({
              ...recordOf(
                ["messagesSent", "readReceipts", "deliveryReceipts", "startTime", "endTime"],
                maybeNumber,
              ),
            }),
          ),
        ),
      }),
  },
} as const satisfies Family;

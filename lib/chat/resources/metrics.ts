import * as z from "zod/mini";
import { maybe, number, object, text } from "../answers.ts";
import { milliseconds } from "../fields.ts";
import type { Family } from "../operation.ts";

/** Usage of the app. Platform facts: chat-api §4 and §5, metrics. */
export const metrics = {
  /** Reads usage between two moments in unix milliseconds (the unit is that of the example). May be repeated. */
  usage: {
    id: "usage-metrics",
    request: "GET /stats",
    input: () => z.strictObject({ fromDate: milliseconds(), toDate: milliseconds() }),
    answer: () =>
      z.looseObject({
        /** audio_minutes, video_minutes, recorded_minutes, active_users, concurrent_users. */
        metrics: object(),
        time_range: object(),
      }),
  },
  /** Reads how many messages and receipts the last hour had, per five minutes; times in unix milliseconds. May be repeated. */
  messages: {
    id: "message-receipt-metrics",
    request: "GET /stats/messages",
    answer: () =>
      z.looseObject({
        startTime: number(),
        endTime: number(),
        appId: text(),
        dataPoints: maybe(
          z.array(
            z.looseObject({
              messagesSent: number(),
              readReceipts: number(),
              deliveryReceipts: number(),
              startTime: number(),
              endTime: number(),
            }),
          ),
        ),
      }),
  },
} as const satisfies Family;

import { ensureField } from "../errors/platform-error.ts";
import { type AppRequest, appFamily } from "../http/route.ts";
import { nowSeconds } from "../services/services.ts";
import { listCalls } from "../store/calls.ts";
import { countOnlineUsers, countReceipts, countSenders, countSent } from "../store/metrics.ts";

export const metricRoutes = appFamily({
  "usage-metrics"(request) {
    const from = readDate(request, "fromDate");
    const to = readDate(request, "toDate");
    ensureField(from <= to, "toDate", "The toDate must not be before the fromDate.");
    const at = nowSeconds(request);
    const calls = listCalls(request).filter(
      ({ startedAt }) => startedAt !== undefined && startedAt * 1_000 >= from && startedAt * 1_000 <= to,
    );
    const minutes = (which: typeof calls) =>
      Math.round(
        which.reduce((total, { startedAt = at, endedAt = at }) => total + (endedAt - startedAt) / 60, 0),
      );
    return {
      metrics: {
        audio_minutes: minutes(calls.filter(({ type }) => type === "audio")),
        video_minutes: minutes(calls.filter(({ type }) => type === "video")),
        recorded_minutes: minutes(calls.filter(({ recordings }) => recordings.length > 0)),
        active_users: countSenders(request, Math.ceil(from / 1_000), Math.floor(to / 1_000)),
        concurrent_users: countOnlineUsers(request),
      },
      time_range: { fromDate: from, toDate: to },
    };
  },
  "message-receipt-metrics"(request) {
    const end = Math.floor(nowSeconds(request) / bucketSeconds) * bucketSeconds;
    const start = end - bucketSeconds * buckets;
    const dataPoints = Array.from({ length: buckets }, (_, index) => {
      const from = start + index * bucketSeconds;
      const until = from + bucketSeconds;
      return {
        messagesSent: countSent(request, from, until),
        readReceipts: countReceipts(request, "read", { from, until }),
        deliveryReceipts: countReceipts(request, "delivered", { from, until }),
        startTime: String(from * 1_000),
        endTime: String(until * 1_000),
      };
    });
    return {
      startTime: String(start * 1_000),
      endTime: String(end * 1_000),
      dataPoints,
      appId: request.appId,
    };
  },
});

function readDate(request: AppRequest, name: string) {
  const value = request.query.integer(name) ?? 0;
  // 10 digits are seconds until the year 2286.
  return value < 10_000_000_000 ? value * 1_000 : value;
}

// The example spans an hour in five-minute steps.
const bucketSeconds = 300;
const buckets = 12;

import { expect, it } from "vitest";
import { judgeHandled, judgeMissing } from "../../../../cli/see/trace-event.ts";
import { traceEvent } from "../../../../cli/see/trace-lines.ts";
import type { Tracing } from "../../../../cli/see/trace-places.ts";
import type { AwsCaller } from "../../../../lib/aws/aws-call.ts";

const nowMs = Date.UTC(2026, 2, 2, 8);
const sentAtMs = nowMs - 6 * 3_600_000;

it.each([
  ["younger", 60, "never-received"],
  ["as old", 6 * 3_600, "under-way"],
])("judges a message without a line while the queue's oldest event is %s", async (_case, age, verdict) => {
  const counts = { ApproximateNumberOfMessages: "3", ApproximateNumberOfMessagesNotVisible: "1" };
  const callAws: AwsCaller = async ({ service }) =>
    service === "sqs"
      ? { Attributes: { ...counts, ApproximateNumberOfMessagesDelayed: "0" } }
      : { MetricDataResults: [{ Id: "m0", Timestamps: [nowMs / 1000 - 60], Values: [age] }] };
  const tracing = {
    operator: { callAws, queueUrls: { events: "https://sqs.example/events.fifo" } },
    edges: { now: () => nowMs },
    logBegin: async () => undefined,
    missing: [],
  } as unknown as Tracing;
  const event = traceEvent("app-1|message_sent|1", []);

  expect(await judgeMissing(event, sentAtMs, sentAtMs - 300_000, tracing)).toBe(verdict);
});

it.each([
  ["begin before its receipt", -1, [], "handled"],
  ["begin with the consumer", 2_000, [], "handled"],
  ["begin later, with lanes that were read", 60_000, ["events g"], "handled"],
  ["begin later, without a lane", 60_000, [], "unclear"],
])("judges an event that is logged as handled, whose lines %s", async (_case, laterMs, laneIds, verdict) => {
  const receivedAt = nowMs;
  const missing: string[] = [];
  const tracing = { logBegin: async () => receivedAt + laterMs, missing };

  expect(await judgeHandled({ deliveryKey: "app-1|user_a|1", receivedAt }, laneIds, 0, tracing)).toBe(
    verdict,
  );
  expect(missing).toHaveLength(verdict === "unclear" ? 1 : 0);
});

import { expect, it } from "vitest";
import { judgeMissing } from "../../../../cli/see/trace-event.ts";
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
  const stack = { name: "stack", resources: new Map() };
  const tracing = {
    operator: { callAws, queueUrls: { events: "https://sqs.example/events.fifo" } },
    edges: { now: () => nowMs, signal: new AbortController().signal },
    target: { stack: async () => stack, client: () => ({}) },
    missing: [],
  } as unknown as Tracing;
  const event = traceEvent("app-1|message_sent|1", []);

  expect(await judgeMissing(event, sentAtMs, sentAtMs - 300_000, tracing)).toBe(verdict);
});

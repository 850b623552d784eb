import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AwsCallError, createAwsCaller } from "../../lib/aws/aws-call.ts";
import { createCountMetric } from "../../lib/base/count-metric.ts";
import type { LocalServer } from "../../local/cloud/local-server.ts";
import { createMetricStore, type MetricStore } from "../../local/cloud/metrics/metric-store.ts";
import { startMetricsEndpoint } from "../../local/cloud/metrics/metrics-endpoint.ts";

const nowMs = Date.UTC(2026, 10, 21, 12, 30);
const hour = Date.UTC(2026, 10, 21, 11) / 1000;

describe("the local GetMetricData of CloudWatch", () => {
  let store: MetricStore;
  let endpoint: LocalServer;
  let oldest: number | undefined;

  beforeEach(async () => {
    oldest = undefined;
    store = createMetricStore(() => nowMs);
    endpoint = await startMetricsEndpoint({
      store,
      oldestMessageAtMs: (name) => (name === "events.fifo" ? oldest : undefined),
      now: () => nowMs,
    });
  });
  afterEach(() => endpoint.close());

  it("adds up what functions wrote to their logs, by period, newest first", async () => {
    count(3, hour);
    count(4, hour + 3_599);
    count(5, hour + 3_600);
    count(9, hour - 1);

    expect(await read()).toEqual({ Timestamps: [hour + 3_600, hour], Values: [5, 7] });
  });

  it("distinguishes metrics by their dimensions", async () => {
    count(3, hour, "another");

    expect(await read()).toEqual({ Timestamps: [], Values: [] });
  });

  it.each([
    ["stands behind a prefix", (line: string) => `2026-11-21T11:00:00Z\tid\tINFO\t${line}`],
    ["is nested in another object", (line: string) => JSON.stringify({ level: "INFO", message: line })],
    ["is cut off", (line: string) => line.slice(0, -1)],
    ["is more than two weeks old", (line: string) => line.replace(String(hour * 1000), "1700000000000")],
    ["has an empty dimension", (line: string) => line.replace('"appId":"shop"', '"appId":""')],
  ])("does not count a line as a metric if it %s", async (_case, change) => {
    createCountMetric(
      (line) => store.readLine(change(line)),
      () => nowMs,
    )("Seen", { appId: "shop" }, {}, { atMs: hour * 1000 });

    expect(await read()).toEqual({ Timestamps: [], Values: [] });
  });

  it("returns the age of a queue's oldest message", async () => {
    const Metric = {
      Namespace: "AWS/SQS",
      MetricName: "ApproximateAgeOfOldestMessage",
      Dimensions: [{ Name: "QueueName", Value: "events.fifo" }],
    };
    oldest = nowMs - 90_000;

    expect(await read({ Metric, Period: 60, Stat: "Maximum" })).toEqual({
      Timestamps: [nowMs / 1000],
      Values: [90],
    });
  });

  it("refuses unknown operations and incomplete requests", async () => {
    const refusal = await call("PutMetricData", {}).catch((error: AwsCallError) => error.code);
    const incomplete = await call("GetMetricData", { StartTime: 1, EndTime: 2 }).catch(
      (error: AwsCallError) => error.code,
    );

    expect([refusal, incomplete]).toEqual(["UnknownOperationException", "ValidationError"]);
  });

  function count(value: number, atSeconds: number, appId = "shop") {
    createCountMetric(store.readLine, () => nowMs)("Seen", { appId }, {}, { value, atMs: atSeconds * 1000 });
  }

  async function read(MetricStat: object = seen) {
    const input = { StartTime: hour, EndTime: hour + 7_200, MetricDataQueries: [{ Id: "m", MetricStat }] };
    const { MetricDataResults } = (await call("GetMetricData", input)) as {
      MetricDataResults: { Timestamps: number[]; Values: number[] }[];
    };
    const [{ Timestamps, Values } = { Timestamps: undefined, Values: undefined }] = MetricDataResults;
    return { Timestamps, Values };
  }

  function call(operation: string, input: Readonly<Record<string, unknown>>) {
    const callAws = createAwsCaller({
      AWS_ACCESS_KEY_ID: "local",
      AWS_SECRET_ACCESS_KEY: "local",
      AWS_ENDPOINT_URL_CLOUDWATCH: endpoint.url,
    });
    return callAws({ service: "monitoring", target: `GraniteServiceVersion20100801.${operation}`, input });
  }
});

const seen = {
  Metric: {
    Namespace: "CometChatFunctions",
    MetricName: "Seen",
    Dimensions: [{ Name: "appId", Value: "shop" }],
  },
  Period: 3_600,
  Stat: "Sum",
};

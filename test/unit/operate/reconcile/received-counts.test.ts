import { describe, expect, it } from "vitest";
import type { AwsCaller } from "../../../../lib/aws/aws-call.ts";
import { createReceivedMeter } from "../../../../lib/operate/reconcile/list-messages.ts";
import { nowSeconds } from "./reconcile-world.ts";

const hour = 1_795_262_400;

describe("createReceivedMeter", () => {
  it("requests the sums of whole hours, and adds up the pages of the answer", async () => {
    const { asked, meter } = answering([
      { MetricDataResults: [{ Id: "m0", Timestamps: [hour + 3_600], Values: [7] }], NextToken: "more" },
      {
        MetricDataResults: [
          { Id: "m0", Timestamps: [hour], Values: [5] },
          { Id: "m1", Timestamps: [hour], Values: [1] },
        ],
      },
    ]);

    const counts = await meter.countsOf("shop", [hour, hour + 3_600, hour + 7_200]);

    expect([...counts]).toEqual([
      [hour, { received: 5, again: 1 }],
      [hour + 3_600, { received: 7, again: 0 }],
      [hour + 7_200, { received: 0, again: 0 }],
    ]);
    expect(asked).toMatchObject([
      {
        service: "monitoring",
        target: "GraniteServiceVersion20100801.GetMetricData",
        input: {
          StartTime: hour,
          EndTime: hour + 10_800,
          MetricDataQueries: [
            {
              Id: "m0",
              MetricStat: {
                Metric: {
                  Namespace: "CometChatFunctions",
                  MetricName: "MessageReceived",
                  Dimensions: [
                    { Name: "deployment", Value: "functions/prod" },
                    { Name: "appId", Value: "shop" },
                  ],
                },
                Period: 3_600,
                Stat: "Sum",
              },
            },
            { Id: "m1", MetricStat: { Metric: { MetricName: "MessageReceivedAgain" } } },
          ],
        },
      },
      { input: { NextToken: "more" } },
    ]);
  });

  it("uses the latest value of the oldest message's age", async () => {
    const { asked, meter } = answering([
      {
        MetricDataResults: [
          { Id: "m0", Timestamps: [nowSeconds - 300, nowSeconds - 180], Values: [999, 40] },
        ],
      },
    ]);

    expect(await meter.waitingSince(nowSeconds)).toBe(nowSeconds - 220);
    expect(asked).toMatchObject([
      {
        input: {
          EndTime: nowSeconds,
          MetricDataQueries: [
            {
              MetricStat: {
                Metric: { Namespace: "AWS/SQS", Dimensions: [{ Name: "QueueName", Value: "events.fifo" }] },
              },
            },
          ],
        },
      },
    ]);
  });

  it("treats a queue without an age as empty", async () => {
    const { meter } = answering([{ MetricDataResults: [] }]);

    expect(await meter.waitingSince(nowSeconds)).toBe(nowSeconds);
  });
});

function answering(answers: object[]) {
  const asked: unknown[] = [];
  const callAws: AwsCaller = async (call) => {
    asked.push(call);
    return answers.shift();
  };
  const queueUrl = "https://sqs.us-east-1.amazonaws.com/1/events.fifo";
  const meter = createReceivedMeter(callAws, "functions/prod", queueUrl);
  return { asked, meter };
}

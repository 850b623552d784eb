import type { SQSRecord } from "aws-lambda";
import { describe, expect, it } from "vitest";
import { createCountMetric } from "../../../lib/base/count-metric.ts";
import { countReceived } from "../../../lib/handle/count-received.ts";
import { toQueuedBody } from "../../../lib/queue/queued-event.ts";
import { messageOf, nowSeconds } from "../operate/reconcile/reconcile-world.ts";
import { sqsRecordOf } from "../queue/lanes/sqs-record.ts";

const minute = Math.floor(nowSeconds / 60) * 60;

describe("countReceived", () => {
  it("writes one line for a batch's messages of one app and minute, with the minute as its time", async () => {
    const lines = await linesOf([
      await recordOf(1),
      await recordOf(2),
      await recordOf(3, { sentAt: minute + 59 }),
    ]);

    expect(lines).toEqual([
      {
        _aws: {
          Timestamp: minute * 1000,
          CloudWatchMetrics: [
            {
              Namespace: "CometChatFunctions",
              Dimensions: [["deployment", "appId"]],
              Metrics: [{ Name: "MessageReceived", Unit: "Count" }],
            },
          ],
        },
        deployment: "functions/prod",
        appId: "shop",
        MessageReceived: 3,
      },
    ]);
  });

  it("counts apps and minutes separately", async () => {
    const lines = await linesOf([
      await recordOf(1),
      await recordOf(2, { sentAt: minute - 1 }),
      await recordOf(3, {}, { appId: "club" }),
    ]);

    expect(lines.map(({ appId, MessageReceived, _aws }) => [appId, MessageReceived, _aws.Timestamp])).toEqual(
      [
        ["shop", 1, minute * 1000],
        ["shop", 1, (minute - 60) * 1000],
        ["club", 1, minute * 1000],
      ],
    );
  });

  it("counts messages that the queue delivers again separately", async () => {
    const again = { ...(await recordOf(1)) };
    again.attributes = { ...again.attributes, ApproximateReceiveCount: "2" };

    const lines = await linesOf([again, await recordOf(2)]);

    expect(lines).toMatchObject([{ MessageReceivedAgain: 1 }, { MessageReceived: 1 }]);
  });

  it.each([
    ["a large message that was compressed", { text: "x".repeat(1_000_000) }],
    [
      "a message pending moderation, which the list shows once it is approved",
      { moderation: { status: "pending" } },
    ],
  ])("counts %s", async (_case, data) => {
    expect(await linesOf([await recordOf(1, { data })])).toMatchObject([{ MessageReceived: 1 }]);
  });

  it.each([
    ["a message from reconciling", {}, {}, { webhook: "reconcile-function" }],
    ["another trigger", {}, { trigger: "message_edited" }, {}],
    ["another family", {}, { family: "legacy" }, {}],
    ["an action message", { category: "action" }, {}, {}],
    ["a blocked message", { data: { moderation: { status: "disapproved" } } }, {}, {}],
    ["a message without a time", { sentAt: "soon" }, {}, {}],
    ["a time that CloudWatch refuses", { sentAt: nowSeconds - 14 * 86_400 }, {}, {}],
    ["a time in milliseconds", { sentAt: nowSeconds * 1000 }, {}, {}],
  ])("does not count %s", async (_case, fields, queued, body) => {
    expect(await linesOf([await recordOf(1, fields, queued, body)])).toEqual([]);
  });

  it("does not count a replayed message, or a message that is not an event", async () => {
    const replayed = {
      ...(await recordOf(1)),
      messageAttributes: { ReplayedAt: { stringValue: "1", dataType: "String" } },
    };

    const lines = await linesOf([
      replayed,
      sqsRecordOf(2, { body: '"trigger":"message_sent"' }),
      sqsRecordOf(3, { body: '{"trigger":"message_sent","v":2}' }),
    ]);

    expect(lines).toEqual([]);
  });
});

async function recordOf(
  id: number,
  fields: object = {},
  queued: object = {},
  body: object = {},
): Promise<SQSRecord> {
  const message = messageOf(id, nowSeconds, fields);
  const delivery = {
    trigger: "message_sent",
    data: { message },
    appId: "shop",
    region: "us",
    webhook: "w1",
    ...body,
  };
  const event = {
    v: 1,
    appId: "shop",
    family: "webhook",
    trigger: "message_sent",
    key: `k${id}`,
    receivedAt: nowSeconds * 1000,
    ...(await toQueuedBody(Buffer.from(JSON.stringify(delivery)))),
    ...queued,
  };
  return sqsRecordOf(id, { body: JSON.stringify(event) });
}

async function linesOf(records: readonly SQSRecord[]) {
  const lines: string[] = [];
  countReceived(
    records,
    "functions/prod",
    createCountMetric(
      (line) => lines.push(line),
      () => 0,
    ),
    nowSeconds * 1000,
  );
  return lines.map((line) => JSON.parse(line));
}

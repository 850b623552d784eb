import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkSubscribers } from "../../../cli/doctor/check-subscribers.ts";

const topic = "arn:aws:sns:eu-central-1:1:prod-alarms";
let counts = { SubscriptionsConfirmed: 0, SubscriptionsPending: 0 };
const asked: string[] = [];
const server = createServer(async (request, response) => {
  asked.push(await text(request), String(request.headers.authorization));
  const entries = Object.entries(counts).map(
    ([key, value]) => `<entry><key>${key}</key><value>${value}</value></entry>`,
  );
  response.end(
    `<GetTopicAttributesResponse><Attributes>${entries.join("\n")}</Attributes></GetTopicAttributesResponse>`,
  );
});
let url = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
});
afterAll(() => void server.close());

const check = (resources = new Map([["AlarmTopic", { type: "AWS::SNS::Topic", physicalId: topic }]])) =>
  checkSubscribers(
    {
      region: "eu-central-1",
      processEnvironment: async () => ({
        variables: { AWS_ENDPOINT_URL: url, AWS_ACCESS_KEY_ID: "AKIA", AWS_SECRET_ACCESS_KEY: "of-nobody" },
        endsAt: undefined,
      }),
    },
    { resources },
    Date.now,
  );

it.each([
  [0, 0, "unknown", "Nobody is notified of alarms."],
  [1, 1, "wrong", "1 of 2 addresses have not confirmed that they are to be notified of alarms."],
  [2, 0, "ok", "2 subscribers are notified of alarms."],
])("tells whom alarms reach: %i confirmed, %i pending", async (confirmed, pending, status, says) => {
  counts = { SubscriptionsConfirmed: confirmed, SubscriptionsPending: pending };

  expect(await check()).toMatchObject([{ status, says }]);
  expect(asked.splice(0)).toEqual([
    expect.stringContaining(`TopicArn=${encodeURIComponent(topic)}`),
    expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=AKIA\/\d{8}\/eu-central-1\/sns\//),
  ]);
});

it("says nothing of a stack without a topic", async () => {
  expect(await check(new Map())).toEqual([]);
});

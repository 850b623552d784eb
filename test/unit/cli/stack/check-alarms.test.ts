import { expect, it } from "vitest";
import { checkAlarms } from "../../../../cli/doctor/check-aws.ts";
import { remediesFor } from "../../../../lib/operate/doctor/remedies.ts";

it("finds an alarm on the page after another stage's alarms", async () => {
  const other = { MetricAlarms: [{ AlarmName: "shop-prod-eu-queue" }], NextToken: "2" };
  const own = { MetricAlarms: [{ AlarmName: "shop-prod-queue" }] };
  const callAws = async ({ input }: { input: object }) =>
    "NextToken" in input && input.NextToken ? own : other;
  const resources = new Map([["Alarm", { type: "AWS::CloudWatch::Alarm", physicalId: "shop-prod-queue" }]]);

  const found = await checkAlarms(callAws, { name: "shop-prod", resources }, remediesFor("--stage prod"));

  expect(found).toMatchObject([{ status: "wrong", says: "The alarm shop-prod-queue is in alarm." }]);
});

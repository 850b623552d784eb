import { paginateListSubscriptionsByTopic, SNSClient } from "@aws-sdk/client-sns";
import { topicId } from "../../build/alarms/alarm-resources.ts";
import { countOf } from "../../lib/base/count-of.ts";
import { type Found, ok, unknown, wrong } from "../../lib/operate/doctor/finding.ts";
import type { Remedies } from "../../lib/operate/doctor/remedies.ts";
import type { Stack } from "../target/stack.ts";
import type { Target } from "../target/target.ts";

/**
 * Whether an alarm reaches a subscriber: Amazon SNS sends nothing to an address before it confirms.
 * @see https://docs.aws.amazon.com/sns/latest/api/API_ListSubscriptionsByTopic.html
 * @throws the client's errors
 */
export async function checkSubscribers(
  { client: makeClient }: Target,
  { resources }: Stack,
  { deploy }: Remedies,
): Promise<readonly Found[]> {
  const TopicArn = resources.get(topicId)?.physicalId;
  if (TopicArn === undefined) return []; // the local stack
  const client = makeClient(SNSClient, "SNS");
  const pending: string[] = [];
  let confirmed = 0;
  for await (const { Subscriptions = [] } of paginateListSubscriptionsByTopic({ client }, { TopicArn })) {
    for (const { SubscriptionArn, Endpoint = "" } of Subscriptions) {
      if (SubscriptionArn === "PendingConfirmation") pending.push(Endpoint);
      else if (SubscriptionArn !== "Deleted") confirmed += 1;
    }
  }
  const unconfirmed = pending.map((address) =>
    wrong(
      `${address} has not confirmed that it wants to be notified of alarms.`,
      `Open the link that Amazon SNS sent to ${address}. After three days it is invalid: remove the address from config/alarms.yml, deploy, add it, and deploy again`,
    ),
  );
  if (confirmed === 0 && pending.length === 0) return [nobodyNotified(deploy)];
  return confirmed === 0
    ? unconfirmed
    : [ok(`Alarms notify ${countOf(confirmed, "subscriber")}.`), ...unconfirmed];
}

export function nobodyNotified(deploy: string): Found {
  return unknown(
    "No alarm notifies anyone: the topic of alarms has no subscriber.",
    `Add an address to \`notify\` in config/alarms.yml, then: ${deploy}`,
  );
}

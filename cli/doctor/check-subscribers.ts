import { createAwsSigner } from "../../lib/aws/sign-aws-request.ts";
import { type Found, ok, unknown, wrong } from "../../lib/operate/doctor/finding.ts";
import type { Stack } from "../target/stack.ts";
import type { Target } from "../target/target.ts";

/**
 * Whether anyone is notified of alarms. Returns nothing without a topic. UNVERIFIED on AWS.
 * @see https://docs.aws.amazon.com/sns/latest/api/API_GetTopicAttributes.html
 */
export async function checkSubscribers(
  { region, processEnvironment }: Pick<Target, "region" | "processEnvironment">,
  { resources }: Pick<Stack, "resources">,
  now: () => number,
): Promise<readonly Found[]> {
  const topicArn = resources.get("AlarmTopic")?.physicalId;
  if (topicArn === undefined) return [];
  const { variables } = await processEnvironment();
  const {
    AWS_ACCESS_KEY_ID: accessKeyId = "",
    AWS_SECRET_ACCESS_KEY: secretAccessKey = "",
    AWS_SESSION_TOKEN: sessionToken,
  } = variables;
  const base =
    variables.AWS_ENDPOINT_URL_SNS ?? variables.AWS_ENDPOINT_URL ?? `https://sns.${region}.amazonaws.com`;
  const body = new URLSearchParams({
    ...{ Action: "GetTopicAttributes", Version: "2010-03-31", TopicArn: topicArn },
  }).toString();
  const { host, ...signed } = createAwsSigner(
    { region, accessKeyId, secretAccessKey, sessionToken },
    now,
  )({
    service: "sns",
    headers: { host: new URL(base).host, "content-type": "application/x-www-form-urlencoded" },
    body,
  });
  const answer = await fetch(base, {
    method: "POST",
    headers: signed,
    body,
    signal: AbortSignal.timeout(10_000),
  });
  const text = await answer.text();
  const count = (name: string) =>
    Number(new RegExp(`<key>${name}</key>\\s*<value>(\\d+)</value>`).exec(text)?.[1]);
  const [confirmed, pending] = [count("SubscriptionsConfirmed"), count("SubscriptionsPending")];
  if (!answer.ok || Number.isNaN(confirmed + pending))
    return [unknown(`AWS gave no usable answer (sns: ${answer.status}).`)];
  if (pending > 0) {
    return [
      wrong(
        `${pending} of ${pending + confirmed} addresses have not confirmed that they are to be notified of alarms.`,
        "Open the link in the message of Amazon SNS (AWS Notification - Subscription Confirmation)",
      ),
    ];
  }
  return [
    confirmed === 0
      ? unknown("Nobody is notified of alarms.", "Name addresses in config/alarms.yml, and deploy")
      : ok(`${confirmed} ${confirmed === 1 ? "subscriber is" : "subscribers are"} notified of alarms.`),
  ];
}

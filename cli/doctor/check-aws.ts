import {
  type CloudFormationClient,
  DescribeStackDriftDetectionStatusCommand,
  DetectStackDriftCommand,
  paginateDescribeStackResourceDrifts,
} from "@aws-sdk/client-cloudformation";
import { paginateListSubscriptionsByTopic, SNSClient } from "@aws-sdk/client-sns";
import * as z from "zod/mini";
import { topicId } from "../../build/alarms/alarm-resources.ts";
import type { AwsCaller } from "../../lib/aws/aws-call.ts";
import { callLambda } from "../../lib/aws/call-lambda.ts";
import { countOf } from "../../lib/base/count-of.ts";
import { listSome } from "../../lib/base/names.ts";
import type { Remedies } from "../../lib/operate/doctor/remedies.ts";
import { type Found, ok, unknown, wrong } from "../../lib/operate/doctor/run-checks.ts";
import type { CliEdges } from "../edges.ts";
import type { Status } from "../see/status.ts";
import { readChangedInLambda } from "../stack/changed-in-lambda.ts";
import type { Stack, StackResources, Target } from "../target/target.ts";

/**
 * New accounts have ten. The consumer leaves the rest to the receiver: docs/operate.md#limits.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_GetAccountSettings.html
 */
export async function checkLimits(
  { callAws, settings }: Pick<Target, "callAws" | "settings">,
  { deploy }: Remedies,
): Promise<Found> {
  const path = "/2016-08-19/account-settings";
  const answer = await callLambda(callAws, "GetAccountSettings", { method: "GET", path });
  const { AccountLimit } = accountSchema.parse(answer);
  const { ConcurrentExecutions: most, UnreservedConcurrentExecutions: free = most } = AccountLimit;
  const { consumerConcurrency = 2 } = settings;
  const ofConsumer = consumerQueues * consumerConcurrency;
  const left = free === most ? "" : `, ${free} of them not reserved`;
  const says = `The account may run ${most} functions at once${left}, and the consumer takes up to ${ofConsumer} (consumerConcurrency).`;
  const wanted = most < usualLimit ? "1,000" : "more";
  const ask = `ask AWS for ${wanted} (Service Quotas, AWS Lambda, Concurrent executions)`;
  if (ofConsumer >= free) {
    return wrong(
      `${says} Under load the receiver is throttled, and deliveries are lost. Lower consumerConcurrency in config/stages.yml and deploy, or ${ask}.`,
      deploy,
    );
  }
  const shared = `Flows, logins, custom functions and other stages in the account and region share the rest with the receiver: ${ask} before you use them in production.`;
  return ok(most < usualLimit ? `${says} ${shared}` : says);
}

const usualLimit = 1_000;

/** Events, parked lanes and calls. */
const consumerQueues = 3;

const accountSchema = z.object({
  AccountLimit: z.object({
    ConcurrentExecutions: z.number(),
    UnreservedConcurrentExecutions: z.optional(z.number()),
  }),
});

/** @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DescribeAlarms.html */
export async function checkAlarms(
  callAws: AwsCaller,
  { name, resources }: StackResources,
  { status }: Remedies,
) {
  // Another stage's name may have the same prefix.
  const own = new Set([...resources.values()].map(({ physicalId }) => physicalId));
  const ringing: z.infer<typeof alarmSchema>[] = [];
  let next: string | undefined;
  do {
    const answer = await callAws({
      service: "monitoring",
      target: "GraniteServiceVersion20100801.DescribeAlarms",
      input: { AlarmNamePrefix: `${name}-`, StateValue: "ALARM", MaxRecords: 100, NextToken: next },
    });
    const { MetricAlarms = [], NextToken } = alarmsSchema.parse(answer);
    ringing.push(...MetricAlarms.filter(({ AlarmName }) => own.has(AlarmName)));
    next = NextToken || undefined;
  } while (next !== undefined);
  if (ringing.length === 0) return [ok("No alarm is in alarm.")];
  return ringing.map(({ AlarmName, AlarmDescription = "" }) => {
    const [typed] = /npx cometchat-functions [^\n`]+/.exec(AlarmDescription) ?? [];
    return wrong(`The alarm ${AlarmName} is in alarm.`, typed ?? status);
  });
}

const alarmSchema = z.object({ AlarmName: z.string(), AlarmDescription: z.optional(z.string()) });

const alarmsSchema = z.object({
  MetricAlarms: z.optional(z.array(alarmSchema)),
  NextToken: z.optional(z.string()),
});

export function judgeFunctions(functions: Status["functions"], { logsOf }: Remedies): readonly Found[] {
  const found = functions.flatMap(({ function: name, failsNow, lastFailedAt, errors }) => {
    if (failsNow) {
      const says = `${name} ends with an error or without an answer: ${countOf(errors, "time")} in the last hour.`;
      return [wrong(says, logsOf(name))];
    }
    if (lastFailedAt === undefined) return [];
    const says = `${name} ended with an error or without an answer at ${lastFailedAt.slice(0, 16)}Z, and did not run since.`;
    return [unknown(says, logsOf(name))];
  });
  return found.length > 0 ? found : [ok("The latest runs of all functions ended with an answer.")];
}

/**
 * Amazon SNS sends nothing to an address before it confirms.
 * @see https://docs.aws.amazon.com/sns/latest/api/API_ListSubscriptionsByTopic.html
 */
export async function checkSubscribers(
  { client: makeClient }: Target,
  { resources }: Stack,
  { deploy }: Remedies,
) {
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

export async function checkResources(
  target: Pick<Target, "kind" | "callAws" | "cloudFormation">,
  stack: StackResources,
  edges: Pick<CliEdges, "sleep" | "signal">,
  remedies: Pick<Remedies, "repair">,
) {
  const [changed, drift] = await Promise.all([
    checkLambda(target, stack, remedies),
    target.kind === "local" ? undefined : detectDrift(target.cloudFormation, stack, edges),
  ]);
  const { drifted = [], failure } = drift ?? {};
  const found = [
    ...changed,
    ...drifted.map(({ logicalId, paths }) =>
      wrong(
        paths.length === 0
          ? `${logicalId} was deleted outside of deployments.`
          : `${logicalId} was changed outside of deployments: ${listSome(paths, 5)}.`,
        remedies.repair,
      ),
    ),
  ];
  if (failure !== undefined)
    found.push({
      ...unknown(
        `CloudFormation could not compare everything: ${failure.replace(/\.$/, "")}.`,
        "If a right is missing, infrastructure/policies/operator.json has it. Otherwise run doctor again",
      ),
      because: /not authorized|AccessDenied/i.test(failure) ? "no right" : "no answer",
    });
  return found.length > 0
    ? found
    : [ok("Functions, their roles, queues' mappings and alarms are as deployed.")];
}

export async function checkLambda(
  { callAws, cloudFormation }: Pick<Target, "callAws" | "cloudFormation">,
  stack: StackResources,
  { repair }: Pick<Remedies, "repair">,
) {
  const changed = await readChangedInLambda(cloudFormation, callAws, stack);
  return changed.map(({ logicalId, differences }) =>
    wrong(`${logicalId} ${differences.join(", ")}: it was changed outside of deployments.`, repair),
  );
}

export const watchedTypes = ["AWS::Lambda::Function", "AWS::IAM::Role", "AWS::CloudWatch::Alarm"];
export const keptTypes = [
  "AWS::SQS::Queue",
  "AWS::DynamoDB::Table",
  "AWS::Logs::LogGroup",
  "AWS::Logs::MetricFilter",
  "AWS::Events::Rule",
];
/** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DetectStackDrift.html */
const mostNamed = 200;
const everyMs = 2_000;

/**
 * Takes minutes; changes only the recorded drift. UNVERIFIED on AWS.
 * @returns names only, because a variable's value may be a secret; no paths if the resource was deleted; the
 * reason if CloudFormation could not read a resource
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-stack-drift.html
 */
async function detectDrift(
  client: CloudFormationClient,
  { name: StackName, resources }: StackResources,
  { sleep, signal }: Pick<CliEdges, "sleep" | "signal">,
) {
  const idsOf = (types: readonly string[]) =>
    [...resources].flatMap(([id, { type }]) => (types.includes(type) ? [id] : []));
  const kept = idsOf(keptTypes);
  const watched = [...idsOf(watchedTypes), ...kept];
  const LogicalResourceIds = watched.length <= mostNamed ? watched : undefined;
  const detection = await client.send(new DetectStackDriftCommand({ StackName, LogicalResourceIds }));
  const { StackDriftDetectionId } = detection;
  let failure: string | undefined;
  for (;;) {
    const { DetectionStatus, DetectionStatusReason = "no reason given" } = await client.send(
      new DescribeStackDriftDetectionStatusCommand({ StackDriftDetectionId }),
    );
    if (DetectionStatus === "DETECTION_FAILED") failure = DetectionStatusReason;
    if (DetectionStatus !== "DETECTION_IN_PROGRESS") break;
    signal.throwIfAborted();
    await sleep(everyMs);
  }
  const drifted: { readonly logicalId: string; readonly paths: readonly string[] }[] = [];
  const pages = paginateDescribeStackResourceDrifts(
    { client },
    { StackName, StackResourceDriftStatusFilters: ["MODIFIED", "DELETED"] },
  );
  for await (const { StackResourceDrifts = [] } of pages) {
    for (const { LogicalResourceId: logicalId = "", PropertyDifferences = [] } of StackResourceDrifts) {
      // May be of an earlier detection, perhaps of a resource that left the stack.
      if (!watched.includes(logicalId)) continue;
      const all = PropertyDifferences.map(({ PropertyPath = "" }) => PropertyPath);
      const isRule = resources.get(logicalId)?.type === "AWS::Events::Rule";
      // A disabled rule starts nothing.
      const paths = kept.includes(logicalId) ? all.filter((path) => isRule && path === "/State") : all;
      if (all.length === 0 || paths.length > 0) drifted.push({ logicalId, paths });
    }
  }
  return { drifted, failure };
}

import * as z from "zod/mini";
import type { AwsCaller } from "../../lib/aws/aws-call.ts";
import { countOf } from "../../lib/base/count-of.ts";
import { type Found, ok, unknown, wrong } from "../../lib/operate/doctor/finding.ts";
import type { Remedies } from "../../lib/operate/doctor/remedies.ts";
import type { Status } from "../see/status.ts";
import type { StackResources } from "../target/stack.ts";

/**
 * New accounts have ten.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_GetAccountSettings.html
 */
export async function checkLimits(callAws: AwsCaller): Promise<Found> {
  const answer = await callAws({
    service: "lambda",
    target: "Lambda.GetAccountSettings",
    input: {},
    rest: { method: "GET", path: "/2016-08-19/account-settings" },
  });
  const { AccountLimit } = accountSchema.parse(answer);
  const { ConcurrentExecutions: most, UnreservedConcurrentExecutions: free = most } = AccountLimit;
  const left = free === most ? "" : `, ${free} of them not reserved`;
  const hint =
    most > fewExecutions
      ? ""
      : " Under load deliveries may be throttled: ask AWS for more (Service Quotas, AWS Lambda, Concurrent executions).";
  return ok(`The account may run ${most} functions at once${left}.${hint}`);
}

/** The most that a new account has: docs/operate.md#limits. */
const fewExecutions = 50;

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
): Promise<readonly Found[]> {
  const answer = await callAws({
    service: "monitoring",
    target: "GraniteServiceVersion20100801.DescribeAlarms",
    input: { AlarmNamePrefix: `${name}-`, StateValue: "ALARM", MaxRecords: 100 },
  });
  const { MetricAlarms = [] } = alarmsSchema.parse(answer);
  // Another stage's name may have the same prefix.
  const own = new Set([...resources.values()].map(({ physicalId }) => physicalId));
  const ringing = MetricAlarms.filter(({ AlarmName }) => own.has(AlarmName));
  if (ringing.length === 0) return [ok("No alarm is in alarm.")];
  return ringing.map(({ AlarmName, AlarmDescription = "" }) => {
    const [typed] = /npx cometchat-functions [^\n`]+/.exec(AlarmDescription) ?? [];
    return wrong(`The alarm ${AlarmName} is in alarm.`, typed ?? status);
  });
}

const alarmsSchema = z.object({
  MetricAlarms: z.optional(
    z.array(z.object({ AlarmName: z.string(), AlarmDescription: z.optional(z.string()) })),
  ),
});

/** Functions whose latest runs ended without an answer: an error, the time or the memory was up. */
export function judgeFunctions(functions: Status["functions"], { logsOf }: Remedies): readonly Found[] {
  const found = functions.flatMap(({ function: name, failsNow, lastFailedAt, errors }) => {
    if (failsNow) {
      const says = `${name} ends without an answer: ${countOf(errors, "time")} in the last hour.`;
      return [wrong(says, logsOf(name))];
    }
    if (lastFailedAt === undefined) return [];
    const says = `${name} ended without an answer at ${lastFailedAt.slice(0, 16)}Z, and did not run since.`;
    return [unknown(says, logsOf(name))];
  });
  return found.length > 0 ? found : [ok("The latest runs of all functions ended with an answer.")];
}

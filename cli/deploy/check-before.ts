import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { GetRoleCommand, IAMClient, paginateSimulatePrincipalPolicy } from "@aws-sdk/client-iam";
import * as z from "zod/mini";
import { addressesOutput } from "../../build/addresses.ts";
import { alarmSettingsSchema } from "../../build/alarms/alarm-settings.ts";
import { packageFolder, packagePlaceOf } from "../../build/folders.ts";
import { readBy } from "../../build/parse-by.ts";
import { AwsCallError } from "../../lib/aws/aws-call.ts";
import { createDurableApi } from "../../lib/flows/durable-api.ts";
import { listExecutions } from "../../lib/flows/list-executions.ts";
import { type Found, whyUnknown } from "../../lib/operate/doctor/run-checks.ts";
import { noRights, refused } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import { checkLimits, checkSubscribers, nobodyNotified } from "../doctor/check-aws.ts";
import { remediesOf } from "../doctor/doctor-of-target.ts";
import { parseTemplate, type ResourceChange, wouldLose } from "../stack/changes.ts";
import { type StackState, type Target, unlessNotDeployed } from "../target/target.ts";
import { flowEventsOf } from "./deployments.ts";

/**
 * Detects what would stop a deployment halfway. Notes the limit, alarms' receivers, and what cannot be
 * checked.
 * @throws CliError if a right is missing, or the region has no durable functions; a rehearsal returns it
 */
export async function checkBefore(context: WorkContext, isRehearsal: boolean) {
  const { target, out } = context;
  out.progress("checking rights, region and limits");
  const refusals = await Promise.all([whyNoRights(context), whyNotRegion(context)]);
  const [refusal, ...others] = refusals.filter((one) => one !== undefined);
  if (refusal !== undefined && !isRehearsal) throw refusal;
  for (const { message, hint } of others) out.note(`${message} ${hint}`);
  const limits = await checkLimits(target, remediesOf(target)).catch(whyUnknown);
  out.note(limits.status === "unknown" ? `The account's limit was not checked: ${limits.says}` : limits.says);
  await noteSubscribers(context);
  return refusal;
}

async function whyNoRights({ target, out, edges }: WorkContext) {
  const place = packagePlaceOf(edges.projectFolder) + policyFile;
  const policy = await readDeployerPolicy(target);
  const missing = await findMissingRights(target, policy).catch(whyUnknown);
  if ("says" in missing) {
    const why = missing.because === "no right" ? `${target.identity} may not ask IAM.` : missing.says;
    out.note(`Rights were not checked: ${why} ${place} has all that are needed.`);
    return undefined;
  }
  if (missing.length === 0) return undefined;
  return noRights(
    "RIGHTS_MISSING",
    `IAM denies ${target.identity} what a deployment needs: ${missing.join(", ")}. Nothing was changed.`,
    `Attach ${place} (docs/deploy.md#rights), or deploy without this check: --skip-checks.`,
  );
}

async function whyNotRegion({ target, out }: WorkContext) {
  const { stage, region, settings } = target;
  if (settings.flows === "off") return undefined;
  const isThere = await hasDurableFunctions(target);
  if (isThere === undefined) out.note(`It is unknown whether ${region} has durable functions, for flows.`);
  if (isThere !== false) return undefined;
  return refused(
    "NO_DURABLE_FUNCTIONS",
    `Lambda has no durable functions in ${region}, and flows need them. Nothing was changed.`,
    `Choose another region, add \`flows: off\` to ${stage} in config/stages.yml, or deploy without this check: --skip-checks.`,
  );
}

export async function noteSubscribers({ target, out, edges }: WorkContext): Promise<void> {
  const remedies = remediesOf(target);
  const stack = await unlessNotDeployed(target.rereadStack());
  const found: readonly Found[] =
    stack === undefined
      ? await checkSettings(edges.projectFolder, target.stage, remedies.deploy)
      : await checkSubscribers(target, stack, remedies).catch(() => []);
  for (const one of found) {
    if ("remedy" in one && one.remedy !== undefined) out.note(`${one.says} ${one.remedy}`);
  }
}

async function checkSettings(projectFolder: string, stage: string, deploy: string) {
  const { notify } = await readBy(alarmSettingsSchema, projectFolder, "alarms.yml", stage);
  return notify.length === 0 ? [nobodyNotified(deploy)] : [];
}

const policySchema = z.object({
  Statement: z.array(
    z.object({
      Action: z.array(z.string()),
      Resource: z.array(z.string()),
      Condition: z.optional(z.unknown()),
    }),
  ),
});

const policyFile = "infrastructure/policies/deployer.json";

async function readDeployerPolicy(target: Target) {
  const text = await readFile(join(packageFolder, policyFile), "utf8");
  const partition = target.identity.split(":")[1] ?? "aws";
  return policySchema.parse(JSON.parse(fillPolicy(text, { ...target, partition })));
}

/** @see docs/deploy.md#rights */
export function fillPolicy(
  text: string,
  {
    partition,
    accountId,
    region,
    service,
    stage,
  }: Pick<Target, "accountId" | "region" | "service" | "stage"> & { readonly partition: string },
): string {
  return text
    .replaceAll("arn:aws:", `arn:${partition}:`)
    .replaceAll("<account>", accountId)
    .replaceAll("<region>", region)
    .replaceAll("<beginning>", beginningOf(`${service}-${stage}`))
    .replaceAll("<service>", service)
    .replaceAll("<stage>", stage);
}

/**
 * Returns the prefix of the names that CloudFormation makes for buckets, roles and rules. Undocumented: it
 * keeps 24 characters of a long stack's name.
 * @see https://github.com/serverless/serverless/issues/2791
 */
function beginningOf(stackName: string) {
  return stackName.length > 24 ? stackName.slice(0, 24) : `${stackName}-`;
}

/**
 * Omits statements with conditions. IAM does not simulate resources' and an organization's policies.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_SimulatePrincipalPolicy.html
 * @throws the client's errors, if the caller may not simulate
 */
export async function findMissingRights(
  { client: makeClient, identity }: Pick<Target, "client" | "identity">,
  { Statement }: z.infer<typeof policySchema>,
) {
  if (identity.endsWith(":root")) return [];
  const client = makeClient(IAMClient, "IAM");
  const PolicySourceArn = await findPrincipal(client, identity);
  const statements = Statement.filter(({ Condition }) => Condition === undefined);
  const missing = await Promise.all(
    statements.map(async ({ Action: ActionNames, Resource }) => {
      const allowed = new Set<string>();
      const ResourceArns = Resource.map((one) => (one === "*" ? one : one.replaceAll("*", "check")));
      const input = { PolicySourceArn, ActionNames, ResourceArns };
      for await (const { EvaluationResults = [] } of paginateSimulatePrincipalPolicy({ client }, input)) {
        for (const { EvalActionName = "", EvalDecision, MissingContextValues = [] } of EvaluationResults) {
          // IAM denies an action for resources of a kind that it does not support.
          if (EvalDecision === "allowed" || MissingContextValues.length > 0) allowed.add(EvalActionName);
        }
      }
      return ActionNames.filter((action) => !allowed.has(action));
    }),
  );
  return [...new Set(missing.flat())].toSorted();
}

/** Adds the path, which a role's session does not name. */
async function findPrincipal(client: IAMClient, identity: string) {
  const [, role] = /:assumed-role\/([^/]+)\//.exec(identity) ?? [];
  if (role === undefined) return identity;
  return (await client.send(new GetRoleCommand({ RoleName: role }))).Role?.Arn ?? identity;
}

type FlowsPlace = Pick<Target, "stackName" | "callAws">;

const flowsNameOf = ({ stackName }: FlowsPlace) => `${stackName}-flows`;

async function countRunning(target: FlowsPlace) {
  const running = { Statuses: "RUNNING" } as const;
  const call = createDurableApi(target.callAws);
  let count = 0;
  for await (const _ of listExecutions(call, flowsNameOf(target), running, mostCounted)) {
    count += 1;
    if (count === mostCounted) break;
  }
  return count;
}

const mostCounted = 100;

/**
 * Undefined if unknown. AWS documents neither the regions nor this answer: Lambda gives it to other unknown
 * operations. https://repost.aws/knowledge-center/api-gateway-lambda-template-invoke-error
 */
async function hasDurableFunctions(target: Target) {
  try {
    const parts = ["functions", flowsNameOf(target), "durable-executions"];
    const address = { method: "GET", parts, query: { MaxItems: 1 } } as const;
    await createDurableApi(target.callAws)("ListDurableExecutionsByFunction", address);
    return true;
  } catch (error) {
    if (!(error instanceof AwsCallError)) throw error;
    if (error.code.startsWith("ResourceNotFound")) return true;
    const isUnknown = error.said?.includes("Unable to determine service/operation name") === true;
    return isUnknown || error.code.startsWith("UnknownOperation") ? false : undefined;
  }
}

export async function refuseEndingFlows(target: Target, changes: readonly ResourceChange[]): Promise<void> {
  const isDeleted = changes.some(
    ({ logicalId, action }) =>
      logicalId === "FlowsLambdaFunction" && (action === "remove" || action === "replace"),
  );
  if (!isDeleted) return;
  const count = await countRunning(target);
  if (count === 0) return;
  throw refused(
    "FLOWS_RUN",
    `This would delete the function of flows, and ${asFarAsCounted(count)} of them run. Nothing was changed.`,
    "Wait for their end, or cancel them; to end them with the function, add --allow-loss. See them: npx cometchat-functions flows",
  );
}

function asFarAsCounted(count: number) {
  return count === mostCounted ? `${mostCounted} or more` : String(count);
}

/** Counts all flows: one of an earlier package may wait for what another lists by now. */
export async function refuseDeafFlows(target: FlowsPlace, running: string, template: string): Promise<void> {
  const [before, after] = [running, template].map(flowEventsOf);
  if (before === undefined || after === undefined) return;
  const lost = new Set(Object.values(before).flat()).difference(new Set(Object.values(after).flat()));
  const count = lost.size === 0 ? 0 : await countRunning(target);
  if (count === 0) return;
  throw refused(
    "FLOWS_WAIT",
    `Running flows (${asFarAsCounted(count)}) may wait for events that no flow of this package lists in waitsFor: ${[...lost].join(", ")}. No event would wake them. Nothing was changed.`,
    "Wait until they end, cancel them, or deploy a package with these events in waitsFor of any flow; to continue anyway, add --allow-loss. See them: npx cometchat-functions flows",
  );
}

/** Has the current address first; "" stands for plain paths. */
export type AddressList = readonly string[];

/** @returns undefined if nothing is deployed */
export function deployedAddresses(state: StackState | undefined): AddressList | undefined {
  if (state?.outputs.HttpApiUrl === undefined) return undefined;
  return toList(state.outputs[addressesOutput]);
}

export function refuseAddressLost(
  state: StackState | undefined,
  template: string,
  way: "deploy" | "rollback",
): void {
  const current = deployedAddresses(state)?.[0];
  const { Outputs = {} } = parseTemplate(template);
  if (current === undefined) return;
  if (toList(Outputs[addressesOutput]?.Value).includes(current)) return;
  throw wouldLose(
    `The deployed address ${JSON.stringify(current)} is not one that this package serves: webhooks that use it would be answered 404.`,
    way === "rollback"
      ? "Check out the version of that package with today's `addresses` in config/stages.yml, and deploy that."
      : "Take `addresses` of config/stages.yml from your colleagues, or let `npx cometchat-functions setup` restore it. To replace the address: npx cometchat-functions setup --new-address",
  );
}

function toList(joined: unknown = "") {
  return String(joined).split(",");
}

import {
  type CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
} from "@aws-sdk/client-cloudformation";
import type { Stage } from "../../build/stages.ts";
import type { AwsCaller } from "../../lib/aws/aws-call.ts";
import { readManagementCredentials } from "../../lib/aws/secrets/management-credentials.ts";
import { readSecretValue } from "../../lib/aws/secrets/read-secret-value.ts";
import { createManagementClient } from "../../lib/chat/management/management-client.ts";
import { CliError, notThere, wrongUse } from "../cli-error.ts";
import type { AwsCredentials, MakeClient } from "./identity.ts";

export interface TargetFacts {
  readonly kind: "local" | "stage";
  readonly stage: string;
  readonly region: string;
  /** Further options: `--region eu-west-1`, `--world 4711`. */
  readonly chosen: readonly string[];
  /** Milliseconds from the machine's time to the target's: a local stack has its own clock. */
  readonly aheadMs: number;
  readonly unusedVariables: readonly string[];
  /** config/stages.yml as the command began. */
  readonly settings: Stage;
  readonly consoleUrl?: string | undefined;
}

export interface Target extends TargetFacts {
  readonly accountId: string;
  readonly identity: string;
  readonly title: string;
  readonly service: string;
  /** `<service>-<stage>`. */
  readonly stackName: string;
  /** Renewed before they end. */
  readonly credentials: () => Promise<AwsCredentials>;
  readonly callAws: AwsCaller;
  readonly client: MakeClient;
  readonly cloudFormation: CloudFormationClient;
  readonly processEnvironment: () => Promise<ProcessEnvironment>;
  /**
   * Called right before a change: AWS confirms the account of the credentials.
   * @throws CliError if it is another than at the start, or they end within `minimumMs` and are not renewed
   */
  readonly proveIdentity: (minimumMs: number) => Promise<void>;
  /** Reads once. @throws CliError "not there" */
  stack(): Promise<Stack>;
  rereadStack(): Promise<Stack>;
}

export interface ProcessEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  readonly endsAt: Date | undefined;
}

export function refuseLocal({ kind }: Target, why: string): void {
  if (kind === "local") throw wrongUse(why, "Name a deployed stage: --stage <name>.");
}

export function removeCommand({ stage, settings }: TargetFacts, deletesTables = false): string {
  const production = settings.production ? " --production" : "";
  const tables = deletesTables ? " --delete-tables" : "";
  return `npx cometchat-functions remove --stage ${stage}${production}${tables}`;
}

export type Stack = Awaited<ReturnType<typeof readStack>>;

export type StackResources = Pick<Stack, "name" | "resources">;

/** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStackResources.html */
export async function readStack(target: {
  readonly stackName: string;
  readonly title: string;
  readonly stage: string;
  readonly cloudFormation: CloudFormationClient;
}) {
  const { stackName: StackName, title, stage, cloudFormation: client } = target;
  const state = await readStackState(client, StackName);
  if (state === undefined) {
    throw notThere(
      "NOT_DEPLOYED",
      `Nothing is deployed as ${StackName} in ${title}.`,
      `Deployed elsewhere? Name its --region. Otherwise set it up: npx cometchat-functions setup --stage ${stage}`,
    );
  }
  /** By logical id. A physical id is a queue's address, or the name of a table, function or log group. */
  const resources = new Map<string, { readonly type: string; readonly physicalId: string }>();
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName })) {
    for (const one of StackResourceSummaries) {
      const { LogicalResourceId, PhysicalResourceId: physicalId, ResourceType: type = "" } = one;
      // A half-removed stack also lists its deleted resources.
      const isGone = /^DELETE_(COMPLETE|SKIPPED)$/.test(one.ResourceStatus ?? "");
      if (LogicalResourceId === undefined || physicalId === undefined || isGone) continue;
      resources.set(LogicalResourceId, { type, physicalId });
    }
  }
  const found = (value: string | undefined, what: string) => {
    if (value !== undefined) return value;
    throw notThere(
      "STACK_INCOMPLETE",
      `The stack ${StackName} of ${title} has no ${what}.`,
      "An older version may be deployed, or the last deploy failed. Deploy again: `npx cometchat-functions deploy`.",
    );
  };
  return {
    ...state,
    resources,
    physicalId: (logicalId: string) => found(resources.get(logicalId)?.physicalId, `resource ${logicalId}`),
    output: (name: string) => found(state.outputs[name], `output ${name}`),
  };
}

export async function unlessNotDeployed<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  return await reading.catch((error: unknown) => {
    if (error instanceof CliError && error.code === "NOT_DEPLOYED") return undefined;
    throw error;
  });
}

/** Returns the key in serverless.yml of a function whose name begins with the stack's. */
export function shortNameOf(stackName: string, name: string): string {
  return name.startsWith(`${stackName}-`) ? name.slice(stackName.length + 1) : name;
}

export type StackState = NonNullable<Awaited<ReturnType<typeof readStackState>>>;

/**
 * @returns undefined if the stack does not exist
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html
 */
export async function readStackState(client: CloudFormationClient, nameOrId: string) {
  try {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName: nameOrId }));
    const outputs = stack?.Outputs ?? [];
    return (
      stack && {
        id: stack.StackId ?? nameOrId,
        name: stack.StackName ?? nameOrId,
        status: stack.StackStatus ?? "UNKNOWN",
        reason: stack.StackStatusReason,
        isProtected: stack.EnableTerminationProtection ?? false,
        changedAt: stack.LastUpdatedTime ?? stack.CreationTime,
        outputs: Object.fromEntries(
          outputs.map(({ OutputKey = "", OutputValue = "" }) => [OutputKey, OutputValue]),
        ),
      }
    );
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Reads the text: CloudFormation has no error code for it. */
function isMissing(error: unknown) {
  return error instanceof Error && error.name === "ValidationError" && /does not exist/.test(error.message);
}

type Standing =
  | "ready"
  | "busy"
  /** The first deployment failed: holds nothing, can only be deleted. */
  | "stillborn"
  /** A change and its rollback failed: continue the rollback. */
  | "stuck"
  | "half-removed";

const standings: Readonly<Record<string, Standing>> = {
  REVIEW_IN_PROGRESS: "stillborn",
  ROLLBACK_COMPLETE: "stillborn",
  ROLLBACK_FAILED: "stillborn",
  CREATE_FAILED: "stillborn",
  UPDATE_ROLLBACK_FAILED: "stuck",
  DELETE_FAILED: "half-removed",
  UPDATE_FAILED: "stuck",
};

/** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/view-stack-events.html */
export function standingOf(status: string): Standing {
  return standings[status] ?? (status.endsWith("_IN_PROGRESS") ? "busy" : "ready");
}

export async function openDeployedManagement({ callAws, stack }: Target, engine?: "legacy") {
  const { output } = await stack();
  const credentials = await readManagementCredentials(`${output("SecretPrefix")}/management`, (secretId) =>
    readSecretValue(callAws, secretId, "AWSCURRENT"),
  );
  return credentials && createManagementClient({ credentials, engine, baseUrl: output("ChatManagementUrl") });
}

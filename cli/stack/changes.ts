import { type Change, type CloudFormationClient, GetTemplateCommand } from "@aws-sdk/client-cloudformation";
import * as z from "zod/mini";
import { parseJson } from "../../lib/base/json.ts";
import { type CliError, refused } from "../cli-error.ts";
import type { Output } from "../output.ts";

export interface ResourceChange {
  action: "add" | "modify" | "replace" | "remove" | "import";
  logicalId: string;
  type: string;
  /** Whether it leaves the stack and continues to exist. */
  isKept: boolean;
}

/**
 * "Conditional" counts as a replacement: CloudFormation does not know yet.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ResourceChange.html
 */
export function toResourceChanges(changes: readonly Change[]): ResourceChange[] {
  return changes.map(({ ResourceChange: change = {} }) => {
    const { Action = "", LogicalResourceId: logicalId = "", ResourceType: type = "", PolicyAction } = change;
    const isReplaced = change.Replacement === "True" || change.Replacement === "Conditional";
    const action = actions[Action] ?? (isReplaced ? "replace" : "modify");
    return { action, logicalId, type, isKept: PolicyAction?.endsWith("Retain") === true };
  });
}

const actions: Readonly<Record<string, ResourceChange["action"]>> = {
  Add: "add",
  Remove: "remove",
  Import: "import",
};

const words = {
  add: "adds",
  import: "adopts",
  modify: "changes",
  replace: "replaces",
  remove: "removes",
} as const;

export function printChanges(changes: readonly ResourceChange[], out: Output, title: string): void {
  if (changes.length === 0) out.note(`Nothing of ${title} would change.`);
  for (const [action, word] of Object.entries(words)) {
    const found = changes.filter((change) => change.action === action);
    if (found.length === 0) continue;
    out.note(`${word} ${found.length}: ${countByType(found)}`);
    if (action === "add" || action === "modify") continue;
    for (const { logicalId, type, isKept } of found) {
      out.note(
        `  ${logicalId} (${type})${isKept && action === "remove" ? ", which continues to exist" : ""}`,
      );
    }
  }
}

/** Turns `AWS::SQS::Queue` twice into `2 SQS Queue`. */
function countByType(changes: readonly ResourceChange[]) {
  return Object.entries(Object.groupBy(changes, ({ type }) => type))
    .map(([type, found = []]) => ({ count: found.length, name: type.split("::").slice(1).join(" ") }))
    .toSorted((one, other) => other.count - one.count)
    .map(({ count, name }) => `${count} ${name}`)
    .join(", ");
}

const losses: Readonly<Record<string, string>> = {
  "AWS::DynamoDB::Table": "what the functions remember in it",
  "AWS::SQS::Queue": "the events that wait in it",
  "AWS::SecretsManager::Secret": "the key in it",
  "AWS::Events::EventBus": "the rules that other teams have on it",
  "AWS::ApiGatewayV2::Api": "its address, which the platform's webhooks deliver to",
  "AWS::S3::Bucket": "the earlier packages in it",
};

export function refuseLosses(changes: readonly ResourceChange[]): void {
  const lost = changes.flatMap(({ action, logicalId, type, isKept }) => {
    const destroys = action === "replace" || (action === "remove" && !isKept);
    const loss = losses[type];
    return destroys && loss !== undefined ? [`${logicalId} (${loss})`] : [];
  });
  if (lost.length === 0) return;
  throw wouldLose(`This would destroy ${lost.join(", ")}.`, "To continue anyway, add --allow-loss.");
}

/** CloudFormation changes roles last: functions may use a queue's new key only later. */
export function refuseKeyLost(stage: string, running: string, template: string): void {
  const [former, key] = [keyOfQueues(running), keyOfQueues(template)];
  if (former !== undefined && !template.includes(former)) {
    throw keyLost(stage, "Waiting messages, secrets and running flows are", former);
  }
  if (key === undefined || !hasQueues(running) || running.includes(key)) return;
  throw wouldLose(
    `Queues would be encrypted with ${key} before the functions may use it: deliveries would be refused for about a minute.`,
    `First deploy a package whose config/stages.yml has, under ${stage}: formerKmsKeys: [${key}]; then this one. Or add --allow-loss.`,
  );
}

export function keyLost(stage: string, what: string, key: string): CliError {
  return wouldLose(
    `${what} encrypted with ${key}, which this package's functions may not use.`,
    `Deploy a package whose config/stages.yml has, under ${stage}: formerKmsKeys: [${key}]; or add --allow-loss. For an earlier version, add it to a checkout of that.`,
  );
}

/** False after a failed first deployment, too. */
export function hasQueues(template: string): boolean {
  return template.includes('"AWS::SQS::Queue"');
}

function keyOfQueues(template: string) {
  const keys = Object.values(parseTemplate(template).Resources).map(
    ({ Properties }) => Properties?.KmsMasterKeyId,
  );
  return keys.find((key) => typeof key === "string");
}

export function wouldLose(message: string, hint: string): CliError {
  return refused("WOULD_LOSE", `${message} Nothing was changed.`, hint);
}

const templateSchema = z.object({
  Metadata: z.optional(z.unknown()),
  Outputs: z.optional(z.record(z.string(), z.object({ Value: z.unknown() }))),
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      DeletionPolicy: z.optional(z.string()),
      Properties: z.optional(z.record(z.string(), z.unknown())),
    }),
  ),
});

/** May be repeated. Returns what `toAscii` would. */
export async function readTemplate(client: CloudFormationClient, StackName: string): Promise<string> {
  return (await client.send(new GetTemplateCommand({ StackName }))).TemplateBody ?? "";
}

/**
 * Makes a template comparable with what GetTemplate returns: a question mark for each other character.
 * @see https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/814
 */
export function toAscii(template: string): string {
  return template.replace(/\P{ASCII}/gu, "?");
}

/** Returns no resources if it is not a template. */
export function parseTemplate(text: string) {
  return templateSchema.safeParse(parseJson(text)).data ?? { Resources: {} };
}

import type { Change } from "@aws-sdk/client-cloudformation";
import * as z from "zod/mini";

export const changeSchema = z.strictObject({
  action: z.enum(["add", "modify", "replace", "remove", "import"]),
  logicalId: z.string(),
  type: z.string(),
  /** Leaves the stack and continues to exist. */
  isKept: z.boolean(),
});

export type ResourceChange = z.infer<typeof changeSchema>;

/**
 * "Conditional" counts as a replacement: CloudFormation does not know yet.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ResourceChange.html
 */
export function toResourceChanges(changes: readonly Change[]): ResourceChange[] {
  return changes.flatMap(({ ResourceChange: change }) => {
    if (change === undefined) return [];
    const { Action, LogicalResourceId: logicalId = "", ResourceType: type = "", Replacement } = change;
    const isReplaced = Replacement === "True" || Replacement === "Conditional";
    const action = actions[Action ?? ""] ?? (isReplaced ? "replace" : "modify");
    const isKept = change.PolicyAction === "Retain" || change.PolicyAction === "ReplaceAndRetain";
    return [{ action, logicalId, type, isKept }];
  });
}

const actions: Readonly<Record<string, ResourceChange["action"]>> = {
  Add: "add",
  Remove: "remove",
  Import: "import",
};

/** Lost if such a resource is deleted or replaced. */
const losses: Readonly<Record<string, string>> = {
  "AWS::DynamoDB::Table": "what the functions remember in it",
  "AWS::SQS::Queue": "the events that wait in it",
  "AWS::SecretsManager::Secret": "the key in it",
  "AWS::Events::EventBus": "the rules that other teams have on it",
  "AWS::ApiGatewayV2::Api": "its address, which the platform's webhooks deliver to",
  "AWS::S3::Bucket": "the earlier packages in it",
};

export function lossesOf(
  changes: readonly ResourceChange[],
): readonly { readonly change: ResourceChange; readonly loss: string }[] {
  return changes.flatMap((change) => {
    const loss = losses[change.type];
    const destroys = change.action === "replace" || (change.action === "remove" && !change.isKept);
    return destroys && loss !== undefined ? [{ change, loss }] : [];
  });
}

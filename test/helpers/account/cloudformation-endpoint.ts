import type { ServerResponse } from "node:http";
import { AwsError } from "../../../local/cloud/aws-error.ts";
import { answerQuery, refuseQuery, type XmlValue } from "../../../local/cloud/query-protocol.ts";
import type { BucketStore } from "./bucket-store.ts";
import { listOf } from "./other-endpoints.ts";
import type { StackModel } from "./stack-model.ts";
import type { ChangeSet, StackRecord, StackResource } from "./stack-record.ts";

/**
 * Answers a request as CloudFormation's query API does.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_Operations.html
 */
export function answerCloudFormation(
  model: StackModel,
  buckets: BucketStore,
  form: URLSearchParams,
  response: ServerResponse,
): void {
  const action = form.get("Action") ?? "";
  try {
    answerQuery(response, action, toXmlValue(perform(action, model, buckets, form)));
    if (action === "DescribeStacks") model.noteRead();
  } catch (error) {
    refuseQuery(response, error);
  }
}

function toXmlValue(value: unknown): XmlValue {
  if (value === undefined || value === null) return undefined;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(toXmlValue);
  if (typeof value !== "object") return String(value);
  return Object.fromEntries(Object.entries(value).map(([name, content]) => [name, toXmlValue(content)]));
}

/** The number of events on the newest page. */
const eventsPerPage = 100;

function perform(action: string, model: StackModel, buckets: BucketStore, form: URLSearchParams): object {
  const stackName = form.get("StackName") ?? "";
  const changeSetName = form.get("ChangeSetName") ?? "";
  switch (action) {
    case "DescribeStacks":
      return {
        Stacks:
          stackName === ""
            ? model.stacks.flatMap((one) => (one.status === "DELETE_COMPLETE" ? [] : [describe(model, one)]))
            : [describe(model, model.get(stackName))],
      };
    case "ListStacks":
      return { StackSummaries: listStacks(model, listOf(form, "StackStatusFilter")) };
    case "ListStackResources":
      return { StackResourceSummaries: [...model.get(stackName).resources.values()].map(resourceOf) };
    case "DescribeStackResources":
      return { StackResources: [...model.get(stackName).resources.values()].map(resourceOf) };
    case "DescribeStackResource": {
      const logicalId = form.get("LogicalResourceId") ?? "";
      const resource = model.get(stackName).resources.get(logicalId);
      if (!resource)
        throw new AwsError("ValidationError", `Resource ${logicalId} does not exist for stack ${stackName}`);
      return { StackResourceDetail: resourceOf(resource) };
    }
    case "DescribeStackEvents": {
      const from = Number(form.get("NextToken") ?? 0);
      const { id, name, events } = model.get(stackName);
      const page = events.slice(from, from + eventsPerPage);
      return {
        StackEvents: page.map((event) => ({
          EventId: event.id,
          StackId: id,
          StackName: name,
          LogicalResourceId: event.logicalId,
          PhysicalResourceId: event.physicalId,
          ResourceType: event.type,
          ResourceStatus: event.status,
          ResourceStatusReason: event.reason,
          Timestamp: event.at,
        })),
        NextToken: from + eventsPerPage < events.length ? String(from + eventsPerPage) : undefined,
      };
    }
    case "GetTemplate":
      // https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/814
      return { TemplateBody: model.get(stackName).body.replace(/\P{ASCII}/gu, "?") };
    case "DetectStackDrift":
      return { StackDriftDetectionId: "detection" };
    case "DescribeStackDriftDetectionStatus":
      // https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStackDriftDetectionStatus.html
      return model.unreadable === undefined
        ? { DetectionStatus: "DETECTION_COMPLETE", StackDriftStatus: "DRIFTED" }
        : { DetectionStatus: "DETECTION_FAILED", DetectionStatusReason: model.unreadable };
    case "DescribeStackResourceDrifts":
      return {
        StackResourceDrifts: [...model.drift].map(([LogicalResourceId, paths]) => ({
          LogicalResourceId,
          StackResourceDriftStatus: "MODIFIED",
          PropertyDifferences: paths.map((PropertyPath) => ({
            PropertyPath,
            ExpectedValue: "a",
            ActualValue: "b",
            DifferenceType: "NOT_EQUAL",
          })),
        })),
      };
    case "GetTemplateSummary":
      return { Metadata: JSON.stringify(JSON.parse(model.get(stackName).body).Metadata ?? {}) };
    case "ValidateTemplate":
      JSON.parse(templateOf(form, buckets));
      return { Parameters: [] };
    case "CreateChangeSet": {
      const { stack, changeSet } = model.createChangeSet({
        stackName,
        name: changeSetName,
        type: form.get("ChangeSetType") ?? "UPDATE",
        body:
          form.get("UsePreviousTemplate") === "true" ? model.get(stackName).body : templateOf(form, buckets),
        revertsDrift: form.get("DeploymentMode") === "REVERT_DRIFT",
        importExisting: form.get("ImportExistingResources") === "true",
        tags: form.has("Tags.member.1.Key") ? listOf(form, "Tags").join(" ") : undefined,
      });
      return { Id: changeSet.id, StackId: stack.id };
    }
    case "DescribeChangeSet": {
      const stack = model.get(stackName);
      return describeChangeSet(stack, model.changeSet(stack, changeSetName));
    }
    case "DeleteChangeSet":
      model.find(stackName)?.changeSets.delete(changeSetName);
      return {};
    case "ExecuteChangeSet":
      model.execute(stackName, changeSetName);
      return {};
    case "DeleteStack":
      model.delete(stackName, listOf(form, "RetainResources"));
      return {};
    case "ContinueUpdateRollback":
      model.continueRollback(stackName);
      return {};
    case "UpdateTerminationProtection": {
      const stack = model.get(stackName);
      stack.isProtected = form.get("EnableTerminationProtection") === "true";
      return { StackId: stack.id };
    }
    default:
      throw new AwsError("InvalidAction", `The action ${action} is not valid for this endpoint.`);
  }
}

function templateOf(form: URLSearchParams, buckets: BucketStore) {
  const body = form.get("TemplateBody");
  // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
  if (body !== null && body.length > 51_200) {
    throw new AwsError(
      "ValidationError",
      "1 validation error detected: Value at 'templateBody' failed to satisfy constraint: Member must have length less than or equal to 51200",
    );
  }
  if (body !== null) return body;
  const text = buckets.textAt(form.get("TemplateURL") ?? "http://none/");
  if (text === undefined) throw new AwsError("ValidationError", "S3 error: Access Denied");
  return text;
}

function describe(model: StackModel, stack: StackRecord) {
  return {
    ...summarise(stack),
    EnableTerminationProtection: stack.isProtected,
    Outputs: Object.entries(model.outputsOf(stack)).map(([OutputKey, OutputValue]) => ({
      OutputKey,
      OutputValue,
    })),
  };
}

function summarise({ id, name, status, reason, createdAt, updatedAt, deletedAt }: StackRecord) {
  return {
    StackId: id,
    StackName: name,
    CreationTime: createdAt,
    LastUpdatedTime: updatedAt,
    DeletionTime: deletedAt,
    StackStatus: status,
    StackStatusReason: reason,
  };
}

function resourceOf({ logicalId, physicalId, type, status, reason }: StackResource) {
  return {
    LogicalResourceId: logicalId,
    PhysicalResourceId: physicalId,
    ResourceType: type,
    ResourceStatus: status,
    ResourceStatusReason: reason,
    LastUpdatedTimestamp: new Date(0),
    Timestamp: new Date(0),
  };
}

function describeChangeSet(stack: StackRecord, { id, name, status, reason, changes }: ChangeSet) {
  return {
    ChangeSetId: id,
    ChangeSetName: name,
    StackId: stack.id,
    StackName: stack.name,
    Status: status,
    StatusReason: reason,
    ExecutionStatus: status === "CREATE_COMPLETE" ? "AVAILABLE" : "UNAVAILABLE",
    Changes: changes.map((change) => ({
      Type: "Resource",
      ResourceChange: {
        Action: change.action,
        LogicalResourceId: change.logicalId,
        PhysicalResourceId: change.physicalId,
        ResourceType: change.type,
        Replacement: change.replacement,
        PolicyAction: change.policyAction,
      },
    })),
  };
}

function listStacks({ stacks }: StackModel, statuses: readonly string[]) {
  return stacks.filter(({ status }) => statuses.length === 0 || statuses.includes(status)).map(summarise);
}

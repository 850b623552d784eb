import { AwsError, unknownOperation } from "../aws-error.ts";
import type { LocalServer } from "../local-server.ts";
import { startQueryServer, type XmlValue } from "../query-protocol.ts";
import type { StackReport } from "./stack-report.ts";

const pageLength = 100;

/**
 * Read-only: DescribeStacks, ListStackResources, GetTemplateSummary, and GetTemplate with only event source
 * mappings' properties.
 * @param stack resolves later: it contains everything's addresses
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_Operations.html
 */
export function startCloudformationEndpoint(stack: Promise<StackReport>): Promise<LocalServer> {
  return startQueryServer(async (action, query) => {
    const report = await stack;
    const wanted = query.get("StackName") ?? report.name;
    if (wanted === report.name || wanted === report.arn) return perform(action, query, report);
    throw new AwsError("ValidationError", `Stack with id ${wanted} does not exist`);
  });
}

function perform(action: string, query: URLSearchParams, stack: StackReport): XmlValue {
  switch (action) {
    case "DescribeStacks":
      return { Stacks: [describe(stack)] };
    case "ListStackResources": {
      const from = Number(query.get("NextToken") ?? 0);
      const page = stack.resources.slice(from, from + pageLength);
      const next = from + pageLength;
      return {
        StackResourceSummaries: page.map(({ logicalId, type, physicalId }) => ({
          LogicalResourceId: logicalId,
          PhysicalResourceId: physicalId,
          ResourceType: type,
          ResourceStatus: "CREATE_COMPLETE",
          LastUpdatedTimestamp: stack.createdAt.toISOString(),
        })),
        NextToken: next < stack.resources.length ? String(next) : undefined,
      };
    }
    case "GetTemplate": {
      const resources = stack.resources.map(({ logicalId, type, properties }) => [
        logicalId,
        { Type: type, Properties: properties },
      ]);
      return { TemplateBody: JSON.stringify({ Resources: Object.fromEntries(resources) }) };
    }
    case "GetTemplateSummary":
      return {
        Metadata: stack.metadata === undefined ? undefined : JSON.stringify(stack.metadata),
        ResourceTypes: [...new Set(stack.resources.map(({ type }) => type))],
      };
    default:
      throw unknownOperation(action, "InvalidAction");
  }
}

function describe({ name, arn, createdAt, updatedAt, outputs }: StackReport): XmlValue {
  return {
    StackId: arn,
    StackName: name,
    StackStatus: "CREATE_COMPLETE",
    CreationTime: createdAt.toISOString(),
    LastUpdatedTime: updatedAt?.()?.toISOString(),
    Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
  };
}

import type { ServiceDefinition } from "../build/service-definition.ts";
import type { CloudReport } from "../cloud-report.ts";
import { localAccountId } from "../local-aws.ts";
import { propertiesOf } from "../mappings.ts";

export interface StackReport {
  readonly name: string;
  readonly arn: string;
  readonly createdAt: Date;
  readonly updatedAt?: () => Date | undefined;
  readonly outputs: Readonly<Record<string, string>>;
  readonly metadata: unknown;
  readonly resources: readonly ReportedResource[];
}

export interface ReportedResource {
  readonly logicalId: string;
  readonly type: string;
  readonly physicalId: string;
  readonly properties?: object;
}

/** Describes the stack with serverless's logical ids. */
export function reportStack(
  { service, provider, functions, resources: template }: ServiceDefinition,
  { region, resources, outputs, mappings }: CloudReport,
  createdAt: Date,
): StackReport {
  const name = `${service}-${provider.stage}`;
  const declared = Object.entries(resources).map(([logicalId, { type, name: own, arn, url }]) => ({
    logicalId,
    type: types[type],
    physicalId: type === "queue" ? (url ?? arn) : type === "secret" ? arn : own,
  }));
  const ofFunctions = Object.entries(functions).flatMap(([key, { name: own }]) => [
    { logicalId: `${logicalName(key)}LambdaFunction`, type: "AWS::Lambda::Function", physicalId: own },
    {
      logicalId: `${logicalName(key)}LogGroup`,
      type: "AWS::Logs::LogGroup",
      physicalId: `/aws/lambda/${own}`,
    },
  ]);
  const ofMappings = mappings.map((mapping) => ({
    logicalId: mapping.logicalId,
    type: "AWS::Lambda::EventSourceMapping",
    physicalId: mapping.uuid,
    properties: { Enabled: true, ...propertiesOf(mapping) },
  }));
  return {
    name,
    arn: `arn:aws:cloudformation:${region}:${localAccountId}:stack/${name}/local`,
    createdAt,
    outputs,
    metadata: template?.Metadata,
    resources: [...declared, ...ofFunctions, ...ofMappings],
  };
}

const types = {
  queue: "AWS::SQS::Queue",
  table: "AWS::DynamoDB::Table",
  secret: "AWS::SecretsManager::Secret",
} as const;

/** Same as serverless's `getNormalizedFunctionName`. */
export function logicalName(functionKey: string): string {
  const normal = functionKey.replaceAll("-", "Dash").replaceAll("_", "Underscore");
  return normal.charAt(0).toUpperCase() + normal.slice(1);
}

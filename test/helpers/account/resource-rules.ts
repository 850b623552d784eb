import type { TemplateResource } from "./stack-record.ts";

/** The property that holds a resource's own name, by type; a name is taken once in an account and region. */
const nameProperties: Readonly<Record<string, string>> = {
  "AWS::SQS::Queue": "QueueName",
  "AWS::DynamoDB::Table": "TableName",
  "AWS::Lambda::Function": "FunctionName",
  "AWS::Logs::LogGroup": "LogGroupName",
  "AWS::Events::EventBus": "Name",
  "AWS::SecretsManager::Secret": "Name",
  "AWS::IAM::Role": "RoleName",
  "AWS::CloudWatch::Alarm": "AlarmName",
  "AWS::CloudWatch::Dashboard": "DashboardName",
  "AWS::SNS::Topic": "TopicName",
};

/** Properties that cannot be changed in place, besides the name. */
const replacing: Readonly<Record<string, readonly string[]>> = {
  "AWS::SQS::Queue": ["FifoQueue"],
  "AWS::DynamoDB::Table": ["KeySchema"],
};

/** Returns a resource's name, if its template sets one. */
export function takesTheName({
  Type,
  Properties,
}: TemplateResource): { key: string; name: string } | undefined {
  const property = nameProperties[Type];
  const name = property === undefined ? undefined : Properties?.[property];
  return typeof name === "string" ? { key: `${Type} ${name}`, name } : undefined;
}

/** Returns whether a change replaces the resource. */
export function replacementOf(before: TemplateResource, after: TemplateResource): "True" | "False" {
  const properties = [...(replacing[after.Type] ?? []), nameProperties[after.Type] ?? ""];
  const differs = properties.some(
    (name) => JSON.stringify(before.Properties?.[name]) !== JSON.stringify(after.Properties?.[name]),
  );
  return differs || before.Type !== after.Type ? "True" : "False";
}

import { isRecord } from "../lib/base/json.ts";

/**
 * The name property of each resource type, and AWS's limit of characters.
 * @see
 *   https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-template-resource-type-ref.html
 */
const limits: Readonly<Record<string, { readonly property: string; readonly most: number }>> = {
  // https://docs.aws.amazon.com/lambda/latest/api/API_CreateFunction.html#lambda-CreateFunction-request-FunctionName
  "AWS::Lambda::Function": { property: "FunctionName", most: 64 },
  // https://docs.aws.amazon.com/lambda/latest/api/API_CreateAlias.html
  "AWS::Lambda::Alias": { property: "Name", most: 128 },
  // https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateRole.html
  "AWS::IAM::Role": { property: "RoleName", most: 64 },
  // With `.fifo`. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_CreateQueue.html
  "AWS::SQS::Queue": { property: "QueueName", most: 80 },
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html
  "AWS::DynamoDB::Table": { property: "TableName", most: 255 },
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
  "AWS::S3::Bucket": { property: "BucketName", most: 63 },
  // https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_CreateEventBus.html
  "AWS::Events::EventBus": { property: "Name", most: 256 },
  // https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutRule.html
  "AWS::Events::Rule": { property: "Name", most: 64 },
  // https://docs.aws.amazon.com/scheduler/latest/APIReference/API_CreateSchedule.html
  "AWS::Scheduler::Schedule": { property: "Name", most: 64 },
  // https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_CreateSecret.html
  "AWS::SecretsManager::Secret": { property: "Name", most: 512 },
  // https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_CreateLogGroup.html
  "AWS::Logs::LogGroup": { property: "LogGroupName", most: 512 },
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html
  "AWS::CloudWatch::Alarm": { property: "AlarmName", most: 255 },
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutDashboard.html
  "AWS::CloudWatch::Dashboard": { property: "DashboardName", most: 255 },
  // https://docs.aws.amazon.com/sns/latest/api/API_CreateTopic.html
  "AWS::SNS::Topic": { property: "TopicName", most: 256 },
};

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_CreateStack.html */
const mostOfStack = 128;

/**
 * Lists names of a stack that are too long for AWS, one line each. Omits names known only at deployment:
 * those composed from other resources, and those that AWS generates, which it cuts.
 */
export function tooLongNames(
  stackName: string,
  resources: Readonly<Record<string, unknown>>,
): readonly string[] {
  const names = [
    { what: "the stack", name: stackName, most: mostOfStack },
    ...Object.entries(resources).flatMap(([id, resource]) => {
      const { Type, Properties } = isRecord(resource) ? resource : {};
      const limit = Object.hasOwn(limits, String(Type)) ? limits[String(Type)] : undefined;
      const name = limit && isRecord(Properties) ? Properties[limit.property] : undefined;
      return limit && typeof name === "string" ? [{ what: `${id} (${Type})`, name, most: limit.most }] : [];
    }),
  ];
  return names
    .filter(({ name, most }) => name.length > most)
    .map(
      ({ what, name, most }) =>
        `The name of ${what} has ${name.length} characters, and AWS takes ${most}: ${name}. ` +
        "Choose a shorter stage, or a shorter `service` in serverless.yml.",
    );
}

import { isRecord } from "../lib/base/json.ts";

/**
 * AWS's limits of characters. Other types take longer names than a stack may have.
 * @see
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-template-resource-type-ref.html
 */
const limits = new Map<string, readonly [property: string, most: number]>([
  // https://docs.aws.amazon.com/lambda/latest/api/API_CreateFunction.html#lambda-CreateFunction-request-FunctionName
  ["AWS::Lambda::Function", ["FunctionName", 64]],
  // https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateRole.html
  ["AWS::IAM::Role", ["RoleName", 64]],
  // Includes `.fifo`.
  // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_CreateQueue.html
  ["AWS::SQS::Queue", ["QueueName", 80]],
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
  ["AWS::S3::Bucket", ["BucketName", 63]],
  // https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutRule.html
  ["AWS::Events::Rule", ["Name", 64]],
  // https://docs.aws.amazon.com/scheduler/latest/APIReference/API_CreateSchedule.html
  ["AWS::Scheduler::Schedule", ["Name", 64]],
]);

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_CreateStack.html */
const mostOfStack = 128;

/** Omits names known only at deployment. */
export function tooLongNames(
  stackName: string,
  resources: Readonly<Record<string, unknown>>,
): readonly string[] {
  const names = [
    { what: "the stack", name: stackName, most: mostOfStack },
    ...Object.entries(resources).flatMap(([id, resource]) => {
      const { Type, Properties } = isRecord(resource) ? resource : {};
      const [property = "", most = 0] = limits.get(String(Type)) ?? [];
      const name = isRecord(Properties) ? Properties[property] : undefined;
      return typeof name === "string" ? [{ what: `${id} (${Type})`, name, most }] : [];
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

/** Services whose actions have another prefix than their signature. */
const prefixes: Readonly<Record<string, string>> = { monitoring: "cloudwatch" };

/** Operations that IAM judges by another action. */
const judgedAs: Readonly<Record<string, string>> = {
  "sqs:ChangeMessageVisibilityBatch": "sqs:ChangeMessageVisibility",
  "sqs:DeleteMessageBatch": "sqs:DeleteMessage",
  "sqs:SendMessageBatch": "sqs:SendMessage",
};

const ofLambda: readonly (readonly [RegExp, string])[] = [
  [/^GET .*\/account-settings$/, "GetAccountSettings"],
  [/^GET .*\/functions\/[^/]+\/durable-executions$/, "ListDurableExecutionsByFunction"],
  [/^GET .*\/functions\/[^/]+\/versions$/, "ListVersionsByFunction"],
  [/^POST .*\/functions\/[^/]+\/versions$/, "PublishVersion"],
  [/^POST .*\/functions\/[^/]+\/invocations$/, "InvokeFunction"],
  [/^GET .*\/functions\/[^/]+\/configuration$/, "GetFunctionConfiguration"],
  [/^GET .*\/functions\/[^/]+$/, "GetFunction"],
  [/^GET .*\/functions\/[^/]+\/concurrency$/, "GetFunctionConcurrency"],
  [/^PUT .*\/functions\/[^/]+\/concurrency$/, "PutFunctionConcurrency"],
  [/^DELETE .*\/functions\/[^/]+\/concurrency$/, "DeleteFunctionConcurrency"],
  [/^GET .*\/event-source-mappings\/[^/]+$/, "GetEventSourceMapping"],
  [/^PUT .*\/event-source-mappings\/[^/]+$/, "UpdateEventSourceMapping"],
];

const ofS3: readonly (readonly [RegExp, string])[] = [
  [/^GET \/[^/?]+\/?\?(?:.*&)?versions/, "ListBucketVersions"],
  [/^GET \/[^/?]+\/?\?(?:.*&)?location/, "GetBucketLocation"],
  [/^(?:GET|HEAD) \/[^/?]+\/?(?:\?|$)/, "ListBucket"],
  // With the ids of versions.
  [/^POST \/[^/?]+\/?\?(?:.*&)?delete/, "DeleteObjectVersion"],
  [/^(?:GET|HEAD) /, "GetObject"],
  [/^PUT /, "PutObject"],
  [/^DELETE /, "DeleteObject"],
];

/**
 * The IAM actions that an account's calls need, sorted. GetCallerIdentity needs none.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
 */
export function actionsOf(calls: Iterable<string>): readonly string[] {
  return [...new Set([...calls].map(actionOf))]
    .filter((action) => action !== "sts:GetCallerIdentity")
    .toSorted();
}

function actionOf(call: string) {
  const [service = "", name = "", path = ""] = call.split(" ");
  const table = { lambda: ofLambda, s3: ofS3 }[service];
  if (table !== undefined) {
    const request = `${name} ${path}`;
    return `${service}:${table.find(([form]) => form.test(request))?.[1] ?? request}`;
  }
  const action = `${prefixes[service] ?? service}:${name.slice(name.indexOf(".") + 1)}`;
  return judgedAs[action] ?? action;
}

/**
 * What CloudFormation reads with the caller's rights to compare a resource. Reading a rule may also need
 * iam:PassRole: only a target with a role has one to pass.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-stack-drift.html
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/resource-type-schemas.html (handlers, read)
 */
export const readsOfDrift: Readonly<Record<string, readonly string[]>> = {
  "AWS::Lambda::Function": [
    "lambda:GetFunction",
    "lambda:GetFunctionCodeSigningConfig",
    "lambda:GetFunctionRecursionConfig",
    "lambda:GetRuntimeManagementConfig",
    "lambda:ListTags",
  ],
  "AWS::IAM::Role": [
    "iam:GetRole",
    "iam:GetRolePolicy",
    "iam:ListAttachedRolePolicies",
    "iam:ListRolePolicies",
  ],
  "AWS::CloudWatch::Alarm": ["cloudwatch:DescribeAlarms", "cloudwatch:ListTagsForResource"],
  "AWS::SQS::Queue": ["sqs:GetQueueAttributes", "sqs:ListQueueTags"],
  "AWS::DynamoDB::Table": [
    "dynamodb:DescribeContinuousBackups",
    "dynamodb:DescribeContributorInsights",
    "dynamodb:DescribeKinesisStreamingDestination",
    "dynamodb:DescribeTable",
    "dynamodb:DescribeTimeToLive",
    "dynamodb:GetResourcePolicy",
    "dynamodb:ListTagsOfResource",
  ],
  "AWS::Logs::LogGroup": [
    "logs:DescribeIndexPolicies",
    "logs:DescribeLogGroups",
    "logs:GetDataProtectionPolicy",
    "logs:ListTagsForResource",
  ],
  "AWS::Logs::MetricFilter": ["logs:DescribeMetricFilters"],
  "AWS::Events::Rule": ["events:DescribeRule", "events:ListTagsForResource", "events:ListTargetsByRule"],
};

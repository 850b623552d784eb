import { type Resource, type Serverless, stageOf } from "./serverless.ts";

/**
 * Encrypts every store with the stage's `kmsKey`, and lets the functions use it and former ones
 * (docs/operate.md#a-key-of-your-own).
 */
export function encryptStores(serverless: Serverless): void {
  const { kmsKey, formerKmsKeys = [] } = stageOf(serverless);
  const { Resources } = serverless.service.provider.compiledCloudFormationTemplate;
  if (kmsKey !== undefined) encryptResources(Resources, kmsKey);
  const keys = [kmsKey, ...formerKmsKeys].filter((key) => key !== undefined);
  if (keys.length > 0) allowKeys(Resources, keys);
}

function encryptResources(resources: Readonly<Record<string, Resource>>, key: string) {
  for (const resource of Object.values(resources)) {
    const { SqsManagedSseEnabled: _, ...properties } = resource.Properties ?? {};
    const more = encryptions[resource.Type]?.(key, properties);
    if (more !== undefined) resource.Properties = { ...properties, ...more };
  }
}

function allowKeys(resources: Readonly<Record<string, Resource>>, keys: readonly string[]) {
  const Statement = [{ Effect: "Allow", Action: ["kms:Decrypt", "kms:GenerateDataKey"], Resource: keys }];
  const policy = { PolicyName: "customer-key", PolicyDocument: { Version: "2012-10-17", Statement } };
  for (const resource of Object.values(resources)) {
    if (resource.Type !== "AWS::IAM::Role") continue;
    const { Policies = [], ...properties } = resource.Properties ?? {};
    resource.Properties = { ...properties, Policies: [Policies, policy].flat() };
  }
}

type Properties = Readonly<Record<string, unknown>>;

/** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/ */
const encryptions: Readonly<Record<string, (key: string, properties: Properties) => Properties>> = {
  "AWS::SQS::Queue": (key) => ({ KmsMasterKeyId: key }),
  "AWS::SNS::Topic": (key) => ({ KmsMasterKeyId: key }),
  "AWS::DynamoDB::Table": (key) => ({
    SSESpecification: { SSEEnabled: true, SSEType: "KMS", KMSMasterKeyId: key },
  }),
  "AWS::Logs::LogGroup": (key) => ({ KmsKeyId: key }),
  "AWS::SecretsManager::Secret": (key) => ({ KmsKeyId: key }),
  "AWS::Events::EventBus": (key) => ({ KmsKeyIdentifier: key }),
  // Inputs and results of flows; the framework sets the environment's key:
  // https://docs.aws.amazon.com/lambda/latest/dg/durable-encryption.html
  "AWS::Lambda::Function": (key, { DurableConfig: durable }) =>
    typeof durable === "object" ? { DurableConfig: { ...durable, KMSKeyArn: key } } : {},
};

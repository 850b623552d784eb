import { type Resource, type Serverless, stageOf } from "./serverless.ts";

/**
 * Encrypts every store with the stage's `kmsKey`, and lets the functions use it. The key's policy must let
 * the services use it (docs/operate.md#a-key-of-your-own).
 */
export function encryptStores(serverless: Serverless): void {
  const { kmsKey } = stageOf(serverless);
  if (kmsKey === undefined) return;
  encryptResources(serverless.service.provider.compiledCloudFormationTemplate.Resources, kmsKey);
}

export function encryptResources(resources: Readonly<Record<string, Resource>>, key: string): void {
  for (const resource of Object.values(resources)) {
    const { SqsManagedSseEnabled: _, ...properties } = resource.Properties ?? {};
    const more = encryptions[resource.Type]?.(key, properties);
    if (more !== undefined) resource.Properties = { ...properties, ...more };
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
  // Covers the environment, and the inputs and results of flows:
  // https://docs.aws.amazon.com/lambda/latest/dg/durable-encryption.html
  "AWS::Lambda::Function": (key, { DurableConfig: durable }) => ({
    KmsKeyArn: key,
    ...(typeof durable === "object" && { DurableConfig: { ...durable, KMSKeyArn: key } }),
  }),
  "AWS::IAM::Role": (key, { Policies: policies }) => ({
    Policies: [...(Array.isArray(policies) ? policies : []), policyFor(key)],
  }),
};

function policyFor(key: string): Properties {
  const Statement = [{ Effect: "Allow", Action: ["kms:Decrypt", "kms:GenerateDataKey"], Resource: key }];
  return { PolicyName: "customer-key", PolicyDocument: { Version: "2012-10-17", Statement } };
}

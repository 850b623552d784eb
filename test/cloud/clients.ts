import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SQSClient } from "@aws-sdk/client-sqs";

const credentials = { accessKeyId: "local", secretAccessKey: "local" };

/** Makes an SDK client for SQS that does not hide failures behind retries. */
export function sqsClient(endpoint: string): SQSClient {
  return new SQSClient({ endpoint, region: "eu-central-1", credentials, maxAttempts: 1 });
}

/** Makes an SDK client for Secrets Manager that does not hide failures behind retries. */
export function secretsClient(endpoint: string): SecretsManagerClient {
  return new SecretsManagerClient({ endpoint, region: "eu-central-1", credentials, maxAttempts: 1 });
}

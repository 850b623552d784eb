import { LambdaClient } from "@aws-sdk/client-lambda";
import { type AwsCaller, createAwsCaller } from "../../lib/aws/aws-call.ts";
import { createTable } from "../../lib/aws/create-table.ts";
import type { Cloud } from "../../local/cloud/start-cloud.ts";
import type { LocalStack } from "../../local/stack/local-stack.ts";
import { clientTo } from "./client-to.ts";

export function callerOf({ endpoints }: Pick<Cloud, "endpoints">): AwsCaller {
  return createAwsCaller({ ...endpoints, AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local" });
}

export function lanesTableOf(cloud: Cloud) {
  const tableName = cloud.resources.LanesTable?.name ?? "";
  return createTable({ callAws: callerOf(cloud), tableName, sortKey: "item" });
}

export function lambdaOf({ cloud: { endpoints } }: LocalStack): LambdaClient {
  return clientTo(endpoints.AWS_ENDPOINT_URL_LAMBDA, 3)(LambdaClient);
}

/** The fields of the app's secrets in a set-up world. */
export function secretOf({ app, webhook }: LocalStack) {
  return {
    appId: app.appId,
    region: app.region,
    apiKey: app.fullAccessKey,
    webhookUsername: webhook.username,
    webhookPassword: webhook.password,
  };
}

/** Calls the local Secrets Manager, such as `GetSecretValue`. */
export function callSecrets(cloud: Cloud, operation: string, input: object): Promise<unknown> {
  return callerOf(cloud)({
    service: "secretsmanager",
    target: `secretsmanager.${operation}`,
    input: { ...input },
  });
}

/** The fields of a secret; none if it does not exist. */
export async function secretNow(cloud: Cloud, SecretId: string): Promise<Record<string, string>> {
  const found = await callSecrets(cloud, "GetSecretValue", { SecretId }).catch(() => ({}));
  return JSON.parse(Object(found).SecretString ?? "{}");
}

export async function forgetSecret(cloud: Cloud, SecretId: string): Promise<void> {
  const wish = { SecretId, ForceDeleteWithoutRecovery: true };
  await callSecrets(cloud, "DeleteSecret", wish).catch(() => undefined);
}

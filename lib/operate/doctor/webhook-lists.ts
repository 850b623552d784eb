import type { AwsCaller } from "../../aws/aws-call.ts";
import { readManagementCredentials } from "../../aws/secrets/management-credentials.ts";
import { readSecretValue } from "../../aws/secrets/read-secret-value.ts";
import type { Fetch } from "../../chat/lean-fetch.ts";
import { createManagementClient } from "../../chat/management/management-client.ts";
import type { Webhook } from "../../chat/types/webhooks.ts";

export interface WebhookLists {
  readonly current: (appId: string) => Promise<readonly Webhook[]>;
  readonly legacy: (appId: string) => Promise<readonly Webhook[]>;
  readonly triggersOf: (appId: string, webhookId: string) => Promise<readonly string[]>;
}

export interface WebhookListsOptions {
  readonly callAws: AwsCaller;
  readonly fetch: Fetch;
  /** Empty if it may not be read. */
  readonly managementSecretId: string;
  readonly baseUrl: string;
}

/**
 * Undefined without management credentials.
 * @throws AwsCallError if they cannot be read, InvalidSecretError if they are incomplete
 */
export async function openWebhookLists({
  callAws,
  fetch,
  managementSecretId,
  baseUrl,
}: WebhookListsOptions): Promise<WebhookLists | undefined> {
  const credentials = await readManagementCredentials(managementSecretId, (secretId) =>
    readSecretValue(callAws, secretId, "AWSCURRENT"),
  );
  if (credentials === undefined) return undefined;
  const options = { credentials, baseUrl, fetch, retry: { maxTries: 1 }, timeoutMs: 5_000 };
  // Each its own: a client that got a 429 delays its next request.
  const client = () => createManagementClient(options);
  const legacy = () => createManagementClient({ ...options, engine: "legacy" });
  return {
    current: (appId) => Array.fromAsync(client().webhooks.list(appId)),
    legacy: (appId) => Array.fromAsync(legacy().webhooks.list(appId)),
    triggersOf: (appId, webhookId) =>
      Array.fromAsync(client().webhooks.listTriggers(appId, webhookId), ({ id }) => id),
  };
}

/** The name of the secret `{key, secret}`. */
export function managementSecretIdOf(secretPrefix: string): string {
  return `${secretPrefix}/management`;
}

import type { AwsCaller } from "../../aws/aws-call.ts";
import { isNotFound } from "../../aws/is-not-found.ts";
import { parseSecret } from "../../aws/secrets/parse-secret.ts";
import { readSecretValue } from "../../aws/secrets/read-secret-value.ts";
import type { Fetch } from "../../chat/lean-fetch.ts";
import { createManagementClient } from "../../chat/management/management-client.ts";
import type { Webhook } from "../../chat/management/webhooks.ts";

export interface WebhookLists {
  readonly current: (appId: string) => Promise<readonly Webhook[]>;
  readonly legacy: (appId: string) => Promise<readonly Webhook[]>;
  readonly triggersOf: (appId: string, webhookId: string) => Promise<readonly string[]>;
}

export interface WebhookListsOptions {
  readonly callAws: AwsCaller;
  readonly fetch: Fetch;
  readonly secretPrefix: string;
  readonly baseUrl: string;
}

/**
 * Reads the management credentials, and returns a client that lists webhooks; undefined if there are none.
 * @throws AwsCallError if they cannot be read, InvalidSecretError if they are incomplete
 */
export async function openWebhookLists({
  callAws,
  fetch,
  secretPrefix,
  baseUrl,
}: WebhookListsOptions): Promise<WebhookLists | undefined> {
  const secretId = managementSecretId(secretPrefix);
  const value = await readSecretValue(callAws, secretId, "AWSCURRENT").catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  if (value === undefined) return undefined;
  const { text } = parseSecret(secretId, value);
  const options = {
    credentials: { key: text("key"), secret: text("secret") },
    baseUrl,
    fetch,
    retry: { maxTries: 2 },
    timeoutMs: 5_000,
  };
  const client = createManagementClient(options);
  const legacy = createManagementClient({ ...options, engine: "legacy" });
  return {
    current: (appId) => all(client.webhooks.list(appId)),
    legacy: (appId) => all(legacy.webhooks.list(appId)),
    triggersOf: async (appId, webhookId) =>
      (await all(client.webhooks.listTriggers(appId, webhookId))).map(({ id }) => id),
  };
}

/** The name of the secret `{key, secret}`. */
export function managementSecretId(secretPrefix: string): string {
  return `${secretPrefix}/management`;
}

async function all<Item>(list: AsyncIterable<Item>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

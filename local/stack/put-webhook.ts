import type { Platform } from "../platform/create-platform.ts";
import { defaultSeed } from "../platform/default-seed.ts";

const webhookId = "functions";

export async function putWebhook(
  platform: Platform,
  appId: string,
  {
    url,
    username,
    password,
    triggerIds,
  }: { url: string; username: string; password: string; triggerIds: readonly string[] },
): Promise<void> {
  const call = async (method: string, path: string, body: object) => {
    const response = await fetch(`${platform.managementUrl}/apps/${appId}/webhooks${path}`, {
      method,
      headers: { ...defaultSeed.management, "content-type": "application/json", "x-webhook-version": "2" },
      body: JSON.stringify(body),
    });
    await response.arrayBuffer();
    return response.status;
  };

  const settings = {
    name: "CometChat Functions",
    webhookURL: url,
    useBasicAuth: true,
    username,
    password,
    retryOnFailure: true,
    enabled: true,
  };
  const updated = await call("PUT", `/${webhookId}`, settings);
  const created = updated === 200 ? updated : await call("POST", "", { id: webhookId, ...settings });
  const subscribed = await call("POST", `/${webhookId}/triggers`, { triggerIds });
  if (created !== 200 || subscribed !== 200) {
    throw new Error(
      `The local platform refused the webhook ${webhookId} (${created}) or its triggers (${subscribed}).`,
    );
  }
}

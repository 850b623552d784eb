import { onTestFinished } from "vitest";
import type { LocalStack } from "../../local/stack/local-stack.ts";

/**
 * Replaces the app's secret, current and previous version, until the test ends: answers afterwards use cached
 * credentials, without the network.
 * @returns the former credentials
 */
export async function loseSecret({ cloud, app, webhook }: LocalStack) {
  const { appId, region, fullAccessKey: apiKey } = app;
  const put = (webhookPassword: string) =>
    cloud.putAppSecret({
      appId,
      region,
      apiKey,
      webhookUsername: webhook.username,
      webhookPassword,
    });
  onTestFinished(() => put(webhook.password));
  await put("another");
  await put("yet another");
  return webhook;
}

import { onTestFinished } from "vitest";
import type { LocalStack } from "../../local/stack/local-stack.ts";

/**
 * Replaces the app's secret, current and previous version, until the test ends: what goes on to be answered is known
 * from before, and needs nothing from the network.
 * @returns the credentials from before
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

import type { Platform } from "../../local/platform/create-platform.ts";
import { addWebhook, type Json, startReceiver } from "./helpers.ts";

/** Collects what a customer's endpoint receives of some triggers: each call gives `[trigger, data]` of all so far. */
export async function watchEvents(
  platform: Platform,
  ...triggers: string[]
): Promise<() => Promise<[string, Json][]>> {
  const receiver = await startReceiver();
  await addWebhook(platform, receiver.url, triggers);
  return async () => {
    await platform.idle();
    return receiver.received.map(({ json }) => [json.trigger, json.data]);
  };
}

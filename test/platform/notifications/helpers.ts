import { expect } from "vitest";
import { createVirtualClock } from "../../../local/platform/services/clock.ts";
import { chat, startPlatform, startReceiver } from "../helpers.ts";

/** Starts a platform on a virtual clock; a channel's custom provider is a receiver that answers `status`. */
export async function withProvider(
  channel: "push" | "email" | "sms",
  fields: Record<string, unknown> = {},
  start: { atMs?: number; status?: number } = {},
) {
  const clock = createVirtualClock(start.atMs);
  const platform = await startPlatform({ clock });
  const receiver = await startReceiver(() => start.status ?? 200);
  const saved = await chat(`POST /notifications/${channel}/v1/providers/custom`, {
    isEnabled: true,
    webhookURL: receiver.url,
    useBasicAuth: false,
    basicAuthUsername: "u",
    basicAuthPassword: "secret12",
    ...fields,
  });
  expect(saved.status).toBe(200);
  return { platform, receiver, clock };
}

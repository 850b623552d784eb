import { type AskOptions, ask } from "../../../parts/ask.ts";

export async function askWebhooks<Answer>(
  { appId, engine }: { appId: string; engine: "current" | "legacy" },
  path: string,
  options: Pick<AskOptions, "body" | "method">,
): Promise<Answer> {
  // The default is the legacy engine. @see docs/internals/platform/management.md#engine-of-a-webhook
  const headers = engine === "current" ? { "x-webhook-version": "2" } : {};
  return await ask<Answer>(`/api/management/apps/${appId}/webhooks${path}`, { ...options, headers });
}

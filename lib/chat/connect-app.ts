import type { Cached } from "../cached.ts";
import type { AppCredentials } from "../secrets/app-credentials.ts";
import { type ComposedChatClient, composeChatClient } from "./compose.ts";
import type { Family } from "./operation.ts";

/**
 * Makes an app's client from its secret. Each request takes the key from the cache; when the platform answers 401,
 * the secret is read again once.
 * @throws what reading the secret throws; InvalidInputError if its app id or region cannot be
 */
export async function connectApp<const Families extends Readonly<Record<string, Family>>>(
  credentials: Cached<AppCredentials>,
  baseUrlTemplate: string,
  families: Families,
): Promise<ComposedChatClient<Families>> {
  const { appId, region } = await credentials.get();
  const apiKey = {
    get: async () => (await credentials.get()).apiKey,
    refresh: async () => (await credentials.refresh()).apiKey,
  };
  return composeChatClient({ appId, region, apiKey, baseUrlTemplate }, families);
}

import * as z from "zod/mini";
import type { ChatClient } from "../../../lib/chat/client.ts";
import { type ApiKeySource, composeChatClient } from "../../../lib/chat/compose.ts";
import type { ManagementClient } from "../../../lib/chat/management/management-client.ts";
import { messages } from "../../../lib/chat/resources/messages.ts";
import { users } from "../../../lib/chat/resources/users.ts";

export async function registerWebhook(management: ManagementClient, appId: string) {
  // recipe: Register a webhook
  await management.webhooks.create(appId, {
    id: "events",
    name: "Events",
    webhookURL: "https://example.com/webhooks/app",
    useBasicAuth: true,
    username: "chat",
    password: "a1b2c3d4e5",
    retryOnFailure: true,
    enabled: false, // until its triggers are there
  });
  const added = await management.webhooks.addTriggers(appId, "events", {
    triggerIds: ["message_sent", "message_edited", "moderation_engine_blocked"],
  });
  const refused = Object.entries(added).filter(([, result]) => !result.success);
  if (refused.length === 0) await management.webhooks.update(appId, "events", { enabled: true });
  // end
  return refused;
}

export async function smallClient(appId: string, source: ApiKeySource, baseUrlTemplate: string) {
  // recipe: Keep a function small and its key fresh
  const chat = composeChatClient(
    {
      appId,
      region: "us",
      apiKey: source,
      baseUrlTemplate,
      onTry: ({ operation, status }) => void [operation, status],
    },
    { messages, users }, // nothing else gets into the bundle
  );
  const alice = await chat.users.get("alice"); // after a 401: source.refresh(refused), then once more
  // end
  return { chat, alice };
}

export async function callTomorrow(chat: ChatClient) {
  // recipe: Call an operation without a method
  const settings = await chat.request({
    method: "GET",
    path: "/users/alice",
    answer: z.looseObject({ uid: z.string() }),
  });
  // end
  return settings;
}

import { PlatformError } from "../errors/platform-error.ts";
import { type JsonObject, objectOf } from "../json.ts";
import type { AppServices } from "../services/services.ts";
import type { MessageDraft } from "../store/messages.ts";
import { activeEngine, listSubscribed, type Webhook } from "../store/webhooks.ts";
import { legacyEnvelope } from "../webhooks/legacy.ts";
import { credentialsOf } from "../webhooks/send.ts";

/**
 * Asks the legacy engine's before_message hooks, one after the other, and gives the message with what they add. Each
 * sees what the ones before it added (several hooks: not documented). `show` makes the wire form of a draft.
 * @throws PlatformError ERR_BLOCKED_BY_WEBHOOK when one drops the message
 * @see docs/platform/legacy-engine.md#before-a-message
 */
export async function askBeforeMessage(
  services: AppServices,
  { draft, show }: { draft: MessageDraft; show(draft: MessageDraft): JsonObject },
): Promise<MessageDraft> {
  if (activeEngine(services) !== 1) return draft;
  let current = draft;
  for (const webhook of listSubscribed(services, 1, "before_message")) {
    const answer = await ask(services, webhook, show(current));
    if (answer.action === "do_not_propagate") {
      throw new PlatformError(
        "ERR_BLOCKED_BY_WEBHOOK",
        `The message has been blocked by the webhook ${webhook.id}.`,
      );
    }
    current = inject(current, webhook.id, answer);
  }
  return current;
}

async function ask(services: AppServices, webhook: Webhook, data: JsonObject): Promise<JsonObject> {
  const { beforeMessageFailure, beforeMessageTimeoutMs } = services.switches;
  const result = await services.ask({
    appId: services.appId,
    kind: "before_message",
    target: webhook.id,
    url: webhook.url,
    credentials: credentialsOf(webhook),
    body: legacyEnvelope(
      services.switches,
      services.app,
      { trigger: "before_message", data, origin: "API" },
      { webhook: webhook.id },
    ),
    timeoutMs: beforeMessageTimeoutMs,
  });
  const onFailure = beforeMessageFailure === "drop" ? { action: "do_not_propagate" } : {};
  return result.json ?? onFailure;
}

// Any object but the drop is kept under the hook's id; an empty one leaves the message as it is (seen live).
function inject(draft: MessageDraft, webhookId: string, answer: JsonObject): MessageDraft {
  if (Object.keys(answer).length === 0) return draft;
  const metadata = objectOf(draft.data.metadata);
  const injected = objectOf(metadata["@injected"]);
  const webhooks = { ...objectOf(injected.webhooks), [webhookId]: answer };
  return {
    ...draft,
    data: { ...draft.data, metadata: { ...metadata, "@injected": { ...injected, webhooks } } },
  };
}

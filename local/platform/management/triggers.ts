import { PlatformError, toItemFailure } from "../errors/platform-error.ts";
import { optionalTexts } from "../http/fields.ts";
import { acknowledge, type Reply, reply, replyPage } from "../http/reply.ts";
import { type ManagementRequest, type ManagementRoute, managementFamily } from "../http/route.ts";
import { addTrigger, listTriggerIds, removeTrigger } from "../store/webhooks.ts";
import { describeTrigger } from "../webhooks/trigger-table.ts";
import { requireWebhook } from "./webhooks.ts";

const route = managementFamily("docs/platform/management.md#triggers");

/** Declares the trigger family. */
export const triggerRoutes: readonly ManagementRoute[] = [
  route("add-triggers", "POST /apps/{appId}/webhooks/{webhookId}/triggers", add, {
    input: { needs: { items: ["triggerIds"] } },
    assumptions: ["An unknown id fails alone, with ERR_TRIGGER_NOT_FOUND in its entry."],
  }),
  route("list-triggers", "GET /apps/{appId}/webhooks/{webhookId}/triggers", list),
  route("remove-triggers", "DELETE /apps/{appId}/webhooks/{webhookId}/triggers", remove, {
    input: { needs: { items: ["triggerIds"] } },
    assumptions: ["Ids that are not subscribed are passed over."],
  }),
];

function add(request: ManagementRequest): Reply {
  const webhook = requireWebhook(request);
  const results = (optionalTexts(request.body, "triggerIds") ?? []).map((trigger) => {
    if (describeTrigger(webhook.generation, trigger) === undefined) {
      const failure = new PlatformError("ERR_TRIGGER_NOT_FOUND", `The trigger ${trigger} does not exist.`);
      return [trigger, toItemFailure(failure)];
    }
    addTrigger(request, webhook, trigger);
    return [trigger, { success: true, message: "Triggers has been added successfully." }];
  });
  return reply(Object.fromEntries(results));
}

function list(request: ManagementRequest): Reply {
  const webhook = requireWebhook(request);
  const ids = listTriggerIds(request, webhook.generation, webhook.id);
  const show = (id: string) => ({ id, description: describeTrigger(webhook.generation, id) ?? "" });
  return replyPage(request.query, ids, { show });
}

function remove(request: ManagementRequest): Reply {
  const webhook = requireWebhook(request);
  for (const trigger of optionalTexts(request.body, "triggerIds") ?? []) {
    removeTrigger(request, webhook, trigger);
  }
  return acknowledge("Removed trigger successfully.");
}

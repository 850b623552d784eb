import { toItemFailure } from "../errors/failures.ts";
import { PlatformError } from "../errors/platform-error.ts";
import { optionalTexts } from "../http/fields.ts";
import { pageMeta, pageOf, readPage } from "../http/pagination.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import type { ManagementRequest, ManagementRoute } from "../http/route.ts";
import { addTrigger, listTriggerIds, removeTrigger } from "../store/webhooks.ts";
import { describeTrigger } from "../webhooks/trigger-table.ts";
import { requireWebhook } from "./webhooks.ts";

const base = { fidelity: "documented", source: "docs/platform/management.md#triggers" } as const;
const path = "/apps/{appId}/webhooks/{webhookId}/triggers";

/** Declares the trigger family. */
export const triggerRoutes: readonly ManagementRoute[] = [
  {
    ...base,
    operationId: "add-triggers",
    input: { needs: { items: ["triggerIds"] } },
    method: "POST",
    path,
    assumptions: ["An unknown id fails alone, with ERR_TRIGGER_NOT_FOUND in its entry."],
    handler: add,
  },
  { ...base, operationId: "list-triggers", method: "GET", path, handler: list },
  {
    ...base,
    operationId: "remove-triggers",
    input: { needs: { items: ["triggerIds"] } },
    method: "DELETE",
    path,
    assumptions: ["Ids that are not subscribed are passed over."],
    handler: remove,
  },
];

function add(request: ManagementRequest): Reply {
  const webhook = requireWebhook(request);
  const { appId } = request.app();
  const results = (optionalTexts(request.body, "triggerIds") ?? []).map((trigger) => {
    if (describeTrigger(webhook.generation, trigger) === undefined) {
      const failure = new PlatformError("ERR_TRIGGER_NOT_FOUND", `The trigger ${trigger} does not exist.`);
      return [trigger, toItemFailure(failure)];
    }
    addTrigger(request.db, appId, webhook, trigger);
    return [trigger, { success: true, message: "Triggers has been added successfully." }];
  });
  return reply(Object.fromEntries(results));
}

function list(request: ManagementRequest): Reply {
  const webhook = requireWebhook(request);
  const ids = listTriggerIds(request.db, request.app().appId, webhook.generation, webhook.id);
  const page = readPage(request.query);
  const shown = pageOf(ids, page).map((id) => ({
    id,
    description: describeTrigger(webhook.generation, id) ?? "",
  }));
  return reply(shown, { meta: pageMeta(page, ids.length, shown.length) });
}

function remove(request: ManagementRequest): Reply {
  const webhook = requireWebhook(request);
  for (const trigger of optionalTexts(request.body, "triggerIds") ?? []) {
    removeTrigger(request.db, request.app().appId, webhook, trigger);
  }
  return acknowledge("Removed trigger successfully.");
}

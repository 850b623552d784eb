import { ensure, ensureField, found, itemResults, requireRoom } from "../errors/platform-error.ts";
import { optionalFlag, optionalUrl, readFields, requiredText, text, textsOf } from "../http/fields.ts";
import { acknowledge, type ManagementRequest, managementFamily, replyPage, searched } from "../http/route.ts";
import { pick } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { deleteRows } from "../store/database.ts";
import {
  addTrigger,
  findWebhook,
  listTriggerIds,
  listWebhooks,
  saveWebhook,
  type Webhook,
} from "../store/webhooks.ts";
import { describeTrigger } from "../webhooks/trigger-table.ts";

const webhookFields = {
  name: text(50),
  webhookURL: optionalUrl,
  useBasicAuth: optionalFlag,
  username: text(50),
  password: text(100),
  enabled: optionalFlag,
  retryOnFailure: optionalFlag,
};

/** Each engine (X-Webhook-Version) has its own webhooks and its own limit (assumed). */
export const webhookRoutes = managementFamily({
  "create-webhook"(request) {
    const id = requiredText(request.body, "id", 50);
    const allowed = request.switches.webhookIds === "dashes" ? /^[A-Za-z0-9_-]+$/ : /^[A-Za-z0-9_]+$/;
    ensureField(allowed.test(id), "id", "The id must be alphanumeric without spaces.");
    requiredText(request.body, "name");
    requiredText(request.body, "webhookURL");
    ensureField(
      findWebhook(request, request.generation, id) === undefined,
      "id",
      `The webhook with id ${id} already exists.`,
    );
    requireRoom(listWebhooks(request, request.generation).length, "webhooks", maxWebhooks);
    return save(request, initialWebhook(request, id));
  },
  "list-webhooks"(request) {
    const all = listWebhooks(request, request.generation);
    const webhooks = searched(request.query, all, ({ name }) => [name]);
    return replyPage(request.query, webhooks, { show: (webhook) => show(request, webhook) });
  },
  "get-webhook": (request) => show(request, requireWebhook(request)),
  "update-webhook"(request) {
    const webhook = requireWebhook(request);
    const reset = initialWebhook(request, webhook.id);
    return save(
      request,
      request.switches.webhookChanges === "merge"
        ? { ...webhook, updatedAt: reset.updatedAt }
        : { ...reset, createdAt: webhook.createdAt },
    );
  },
  "delete-webhook"(request) {
    const { generation, id } = requireWebhook(request);
    deleteRows(request, "webhook_triggers", { generation, webhookId: id });
    deleteRows(request, "webhooks", { generation, id });
    return acknowledge("Deleted Webhook successfully.");
  },
  "add-triggers"(request) {
    const webhook = requireWebhook(request);
    return itemResults(textsOf(request.body, "triggerIds"), (trigger) => {
      const isKnown = describeTrigger(webhook.generation, trigger) !== undefined;
      ensure(isKnown, "ERR_TRIGGER_NOT_FOUND", `The trigger ${trigger} does not exist.`);
      addTrigger(request, webhook, trigger);
      return { message: "Triggers has been added successfully." };
    });
  },
  "list-triggers"(request) {
    const webhook = requireWebhook(request);
    const ids = listTriggerIds(request, webhook.generation, webhook.id);
    const show = (id: string) => ({ id, description: describeTrigger(webhook.generation, id) ?? "" });
    return replyPage(request.query, ids, { show });
  },
  "remove-triggers"(request) {
    const { generation, id } = requireWebhook(request);
    for (const triggerId of textsOf(request.body, "triggerIds")) {
      deleteRows(request, "webhook_triggers", { generation, webhookId: id, triggerId });
    }
    return acknowledge("Removed trigger successfully.");
  },
});

function initialWebhook(request: ManagementRequest, id: string): Webhook {
  const at = nowSeconds(request);
  return {
    id,
    generation: request.generation,
    name: "",
    url: "",
    useBasicAuth: false,
    username: undefined,
    password: undefined,
    enabled: request.switches.webhookEnabledByDefault,
    retryOnFailure: false,
    createdAt: at,
    updatedAt: at,
  };
}

function requireWebhook(request: ManagementRequest) {
  const id = request.param("webhookId");
  return found(
    findWebhook(request, request.generation, id),
    "ERR_WEBHOOK_NOT_FOUND",
    `The webhook with id ${id} does not exist.`,
  );
}

function save(request: ManagementRequest, current: Webhook) {
  const { webhookURL: url = current.url, ...changes } = readFields(request.body, webhookFields);
  const webhook: Webhook = { ...current, ...changes, url };
  for (const field of ["username", "password"] as const) {
    ensureField(
      /^[A-Za-z0-9]*$/.test(webhook[field] ?? ""),
      field,
      `The ${field} must be alphanumeric without spaces.`,
    );
  }
  saveWebhook(request, webhook);
  request.redactor.refresh();
  return show(request, webhook);
}

function show({ switches }: Pick<ManagementRequest, "switches">, webhook: Webhook) {
  const shown = {
    ...pick(webhook, "id", "name", "enabled", "createdAt", "updatedAt"),
    webhookURL: webhook.url,
  };
  if (!switches.webhookSettingsEchoed) return shown;
  return { ...shown, ...pick(webhook, "useBasicAuth", "username", "retryOnFailure") };
}

const maxWebhooks = 25;

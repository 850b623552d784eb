import { badRequest, limitReached, PlatformError } from "../errors/platform-error.ts";
import { optionalFlag, optionalText, requiredText } from "../http/fields.ts";
import { acknowledge, type Reply, reply, replyPage } from "../http/reply.ts";
import { type ManagementRequest, type ManagementRoute, managementFamily } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { deleteWebhookRow, findWebhook, listWebhooks, saveWebhook, type Webhook } from "../store/webhooks.ts";

const route = managementFamily("docs/platform/management.md#webhooks");

/** Declares the webhook family. Each engine (X-Webhook-Version) has its own webhooks and its own limit (assumed). */
export const webhookRoutes: readonly ManagementRoute[] = [
  route("create-webhook", "POST /apps/{appId}/webhooks", create, {
    assumptions: [
      "A new webhook is enabled unless the request says otherwise.",
      "http addresses are taken too, so that receivers on this machine can be used.",
      "A duplicate id is refused with ERR_BAD_REQUEST.",
      "Credentials are not echoed, and settings only where a switch says so.",
    ],
  }),
  route("list-webhooks", "GET /apps/{appId}/webhooks", list),
  route("get-webhook", "GET /apps/{appId}/webhooks/{webhookId}", get),
  route("update-webhook", "PUT /apps/{appId}/webhooks/{webhookId}", update, {
    input: {
      needs: {
        any: ["name", "webhookURL", "useBasicAuth", "username", "password", "enabled", "retryOnFailure"],
      },
    },
    assumptions: ["Fields that are absent keep their value."],
  }),
  route("delete-webhook", "DELETE /apps/{appId}/webhooks/{webhookId}", remove),
];

/** Finds the webhook that the path names, in the engine that the header names. @throws PlatformError ERR_WEBHOOK_NOT_FOUND */
export function requireWebhook(request: ManagementRequest): Webhook {
  const id = request.param("webhookId");
  const webhook = findWebhook(request, request.generation, id);
  if (webhook === undefined) {
    throw new PlatformError("ERR_WEBHOOK_NOT_FOUND", `The webhook with id ${id} does not exist.`);
  }
  return webhook;
}

function create(request: ManagementRequest): Reply {
  const id = requiredText(request.body, "id", 50);
  if (!/^[A-Za-z0-9_-]+$/.test(id)) throw badRequest({ id: "The id must be alphanumeric without spaces." });
  requiredText(request.body, "name");
  requiredText(request.body, "webhookURL");
  if (findWebhook(request, request.generation, id) !== undefined) {
    throw badRequest({ id: `The webhook with id ${id} already exists.` });
  }
  if (listWebhooks(request, request.generation).length >= maxWebhooks) {
    throw limitReached("webhooks", maxWebhooks);
  }
  const at = nowSeconds(request);
  return save(request, {
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
  });
}

function list(request: ManagementRequest): Reply {
  const searchKey = request.query.text("searchKey")?.toLowerCase() ?? "";
  const webhooks = listWebhooks(request, request.generation).filter((webhook) =>
    webhook.name.toLowerCase().includes(searchKey),
  );
  return replyPage(request.query, webhooks, { show: (webhook) => show(request, webhook) });
}

function get(request: ManagementRequest): Reply {
  return reply(show(request, requireWebhook(request)));
}

function update(request: ManagementRequest): Reply {
  return save(request, { ...requireWebhook(request), updatedAt: nowSeconds(request) });
}

function remove(request: ManagementRequest): Reply {
  const webhook = requireWebhook(request);
  request.db.transaction(() => deleteWebhookRow(request, webhook.generation, webhook.id));
  return acknowledge("Deleted Webhook successfully.");
}

function save(request: ManagementRequest, current: Webhook): Reply {
  const { body } = request;
  const webhook: Webhook = {
    ...current,
    name: optionalText(body, "name", 50) ?? current.name,
    url: readUrl(body) ?? current.url,
    useBasicAuth: optionalFlag(body, "useBasicAuth") ?? current.useBasicAuth,
    username: optionalText(body, "username", 50) ?? current.username,
    password: optionalText(body, "password", 100) ?? current.password,
    enabled: optionalFlag(body, "enabled") ?? current.enabled,
    retryOnFailure: optionalFlag(body, "retryOnFailure") ?? current.retryOnFailure,
  };
  for (const field of ["username", "password"] as const) {
    if (!/^[A-Za-z0-9]*$/.test(webhook[field] ?? "")) {
      throw badRequest({ [field]: `The ${field} must be alphanumeric without spaces.` });
    }
  }
  saveWebhook(request, webhook);
  request.redactor.refresh();
  return reply(show(request, webhook));
}

function readUrl(body: JsonObject): string | undefined {
  const value = optionalText(body, "webhookURL", 255);
  if (value === undefined) return undefined;
  if (!URL.canParse(value) || !/^https?:/.test(value)) {
    throw badRequest({ webhookURL: "The webhookURL must be a valid URL." });
  }
  return value;
}

function show({ switches }: Pick<ManagementRequest, "switches">, webhook: Webhook): JsonObject {
  const { id, name, url, enabled, createdAt, updatedAt, useBasicAuth, username, retryOnFailure } = webhook;
  const settings = { useBasicAuth, ...(username !== undefined && { username }), retryOnFailure };
  const shown = { id, name, webhookURL: url, enabled, createdAt, updatedAt };
  return switches.webhookSettingsEchoed ? { ...shown, ...settings } : shown;
}

const maxWebhooks = 25;

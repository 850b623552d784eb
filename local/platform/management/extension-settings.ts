import { badRequest } from "../errors/failures.ts";
import { PlatformError } from "../errors/platform-error.ts";
import { optionalObject } from "../http/fields.ts";
import { fileOf, readForm } from "../http/form.ts";
import { bare, type Reply, reply } from "../http/reply.ts";
import type { ManagementRequest, ManagementRoute } from "../http/route.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { nextNumber } from "../store/counters.ts";
import { deleteDocument, getDocument, listDocuments, putDocument } from "../store/documents.ts";
import { extensionShapes } from "./extension-shapes.ts";
import { type ExtensionSettings, extensionSettings } from "./extension-table.ts";
import { widgetShape } from "./widget-shape.ts";

const base = {
  fidelity: "documented",
  source: "docs/platform/management.md#settings-of-extensions",
} as const;

/** Declares the stored settings of the extensions. They are kept and shown; no extension acts on them. */
export const extensionSettingRoutes: readonly ManagementRoute[] = [
  ...Object.entries(extensionSettings).flatMap(([id, settings]) => routesOf(id, settings)),
  ...widgetRoutes(),
  ...certificateRoutes(),
];

function routesOf(id: string, settings: ExtensionSettings): ManagementRoute[] {
  const path = `/apps/{appId}/extensions/${id}/v1/settings`;
  const write = (request: ManagementRequest) => store(request, id, settings);
  const shape = extensionShapes[id] ?? {};
  const input = { body: settings.isUnwrapped === true ? shape : { "settings!": shape } };
  const post: ManagementRoute = {
    ...base,
    operationId: `store-settings-${id}`,
    method: "POST",
    path,
    input,
    handler: write,
  };
  return [
    ...(settings.hasStore === false ? [] : [post]),
    {
      ...base,
      operationId: settings.updateId ?? `update-settings-${id}`,
      method: "PUT",
      path,
      input,
      assumptions: ["POST and PUT both store; what is not sent again is kept."],
      handler: write,
    },
    {
      ...base,
      operationId: `get-settings-${id}`,
      method: "GET",
      path,
      assumptions: ["Without stored settings the extension is not found."],
      handler: (request) => read(request, id, settings),
    },
    {
      ...base,
      operationId: settings.deleteId ?? `delete-settings-${id}`,
      method: "DELETE",
      path,
      handler: (request) => clear(request, id, settings),
    },
  ];
}

function store(request: ManagementRequest, id: string, table: ExtensionSettings): Reply {
  const { isUnwrapped, writeShows } = table;
  const { appId } = request.app();
  const sent = isUnwrapped === true ? request.body : optionalObject(request.body, "settings");
  const stored = withoutDeleted({ ...getDocument(request.db, appId, kind, id), ...sent });
  putDocument(request.db, appId, kind, id, stored);
  const ofApp = table.writeShowsAppId === true ? { appId } : {};
  const settings = { ...stored, ...ofApp, ...repliesOf(request, id, table) };
  if (writeShows === "success") return proxied({ data: { success: true } });
  if (writeShows === "bare") return proxied({ success: true });
  return writeShows === "plain" ? bare({ settings }) : proxied({ data: { settings } });
}

function read(request: ManagementRequest, id: string, table: ExtensionSettings): Reply {
  const { hidesAppId, readShows } = table;
  const { appId } = request.app();
  const stored = requireSettings(request, appId, id);
  const ofApp = hidesAppId === true ? {} : { appId };
  const settings = { ...stored, ...ofApp, ...repliesOf(request, id, table) };
  return readShows === "plain" ? bare({ settings }) : proxied({ data: { settings } });
}

// Of data masking: names what is to go, and is nothing that is kept.
function withoutDeleted({ deleteCustomRegexData: gone, ...settings }: JsonObject): JsonObject {
  const { customregexData: own } = settings;
  if (!Array.isArray(gone) || !Array.isArray(own)) return settings;
  const left = own.filter((item) => !isJsonObject(item) || !gone.includes(item.id));
  return { ...settings, customregexData: left };
}

// Where the other service is to send its replies.
function repliesOf(request: ManagementRequest, id: string, { hasReplies }: ExtensionSettings): JsonObject {
  if (hasReplies !== true) return {};
  const { appId, region } = request.app();
  return { webhookURL: `https://${id}-${region}.cometchat.io/v1/reply?token=${appId}` };
}

function clear(request: ManagementRequest, id: string, { deleteShows }: ExtensionSettings): Reply {
  const { appId } = request.app();
  const stored = requireSettings(request, appId, id);
  deleteDocument(request.db, appId, kind, id);
  if (deleteShows === "nested") return proxied({ data: { settings: { success: true } } });
  if (deleteShows === "settings") return proxied({ data: { settings: { dropMessage: stored.dropMessage } } });
  return proxied(deleteShows === "bare" ? { success: true } : { data: { success: true } });
}

function widgetRoutes(): ManagementRoute[] {
  const path = "/apps/{appId}/extensions/widget/v2/settings";
  const input = { body: { "settings!": widgetShape } };
  const readWidget = (request: ManagementRequest) => optionalObject(request.body, "settings") ?? {};
  return [
    {
      ...base,
      operationId: "store-chat-widget",
      method: "POST",
      path,
      input,
      handler: (request) => {
        const { appId } = request.app();
        const configuration = { ...readWidget(request), appId };
        const widgetId = `${appId}-widget-${nextNumber(request.db, appId, widgetKind)}`;
        putDocument(request.db, appId, widgetKind, widgetId, { configuration, widgetId });
        return proxied({ data: { widgetId } });
      },
    },
    {
      ...base,
      operationId: "update-chat-widget",
      method: "PUT",
      path,
      input,
      assumptions: ["An unknown widgetId is refused with ERR_EXTENSION_NOT_FOUND."],
      handler: (request) => {
        const { appId } = request.app();
        const { widgetId, ...configuration } = readWidget(request);
        const id = String(widgetId ?? "");
        if (getDocument(request.db, appId, widgetKind, id) === undefined) throw notFound(`widget ${id}`);
        putDocument(request.db, appId, widgetKind, id, {
          configuration: { ...configuration, appId },
          widgetId: id,
        });
        return proxied({ data: { success: true } });
      },
    },
    {
      ...base,
      operationId: "list-chat-widget",
      method: "GET",
      path,
      handler: (request) => proxied({ data: listDocuments(request.db, request.app().appId, widgetKind) }),
    },
  ];
}

// The two printed answers look swapped; they are given as printed.
function certificateRoutes(): ManagementRoute[] {
  const path = "/apps/{appId}/extensions/push-notification/v1";
  const upload = async (request: ManagementRequest, type: "p12" | "p8") => {
    const { appId } = request.app();
    if (fileOf(await readForm(request), "certificate") === undefined) {
      throw badRequest({ certificate: "The certificate field must be a file." });
    }
    putDocument(request.db, appId, certificateKind, type, { uploaded: true });
    const has = (known: string) => getDocument(request.db, appId, certificateKind, known) !== undefined;
    return proxied(
      type === "p12" ? { certificate_p12: has("p12"), certificate_p8: has("p8") } : { success: true },
    );
  };
  const assumptions = ["The certificate itself is neither checked nor kept."];
  return [
    ...(["p12", "p8"] as const).map(
      (type): ManagementRoute => ({
        ...base,
        operationId: `upload-push-notification-certificate-${type}`,
        method: "POST",
        path: `${path}/upload-certificate-${type}`,
        assumptions,
        handler: (request) => upload(request, type),
      }),
    ),
    {
      ...base,
      operationId: "query-push-notification-certificates",
      method: "GET",
      path: `${path}/query-certificates`,
      handler: (request) => {
        request.app();
        return proxied({ success: true });
      },
    },
  ];
}

// The extension's own reply, inside the platform's.
function proxied(body: JsonObject): Reply {
  return reply({ statusCode: 200, success: true, responseTime: 1, body });
}

function requireSettings(request: ManagementRequest, appId: string, id: string): JsonObject {
  const stored = getDocument(request.db, appId, kind, id);
  if (stored === undefined) throw notFound(`settings of ${id}`);
  return stored;
}

function notFound(what: string): PlatformError {
  return new PlatformError("ERR_EXTENSION_NOT_FOUND", `The ${what} does not exist.`);
}

const kind = "extension-settings";
const widgetKind = "extension-widget";
const certificateKind = "extension-certificate";

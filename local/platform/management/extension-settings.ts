import { allExtensions, type ExtensionSettings } from "../catalogue/extensions.ts";
import { ensure, ensureField, PlatformError, required } from "../errors/platform-error.ts";
import { fileOf, optionalObject, readForm } from "../http/fields.ts";
import { type ManagementRequest, managementFamily, Reply } from "../http/route.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { deleteDocument, getDocument, listDocuments, nextNumber, putDocument } from "../store/database.ts";
import { isActive } from "./extensions.ts";

/** Only stores settings: no extension acts on them. */
export const extensionSettingRoutes = [
  ...allExtensions().flatMap(({ id, settings }) => (settings === undefined ? [] : routesOf(id, settings))),
  ...managementFamily({
    "store-chat-widget"(request) {
      const configuration = { ...readSettings(request), appId: request.appId };
      const widgetId = `${request.appId}-widget-${nextNumber(request, widgetKind)}`;
      putDocument(request, widgetKind, widgetId, { configuration, widgetId });
      return proxied({ data: { widgetId } });
    },
    "update-chat-widget"(request) {
      const { widgetId, ...configuration } = readSettings(request);
      const id = String(widgetId ?? "");
      if (getDocument(request, widgetKind, id) === undefined) throw notFound(`widget ${id}`);
      putDocument(request, widgetKind, id, {
        configuration: { ...configuration, appId: request.appId },
        widgetId: id,
      });
      return proxied({ data: { success: true } });
    },
    "list-chat-widget": (request) => proxied({ data: listDocuments(request, widgetKind) }),
    "upload-push-notification-certificate-p12": (request) => upload(request, "p12"),
    "upload-push-notification-certificate-p8": (request) => upload(request, "p8"),
    "query-push-notification-certificates": () => proxied({ success: true }),
  }),
];

function routesOf(id: string, settings: ExtensionSettings) {
  const write = (request: ManagementRequest) => store(request, id, settings);
  return managementFamily({
    ...(settings.hasStore !== false && { [`store-settings-${id}`]: write }),
    [settings.updateId ?? `update-settings-${id}`]: write,
    [`get-settings-${id}`]: (request) => read(request, id, settings),
    [settings.deleteId ?? `delete-settings-${id}`]: (request) => clear(request, id, settings),
  });
}

function store(request: ManagementRequest, id: string, table: ExtensionSettings) {
  ensure(
    request.switches.inactiveExtensions === "takeSettings" || isActive(request, id),
    "ERR_EXTENSION_INACTIVE",
    `The extension ${id} is not enabled.`,
  );
  const sent = table.isUnwrapped === true ? request.body : readSettings(request);
  const stored = withoutDeleted({ ...getDocument(request, kind, id), ...sent });
  putDocument(request, kind, id, stored);
  const ofApp = table.writeShowsAppId === true ? { appId: request.appId } : {};
  const settings = { ...stored, ...ofApp, ...repliesOf(request, id, table) };
  if (table.writeShows === "success") return proxied({ data: { success: true } });
  if (table.writeShows === "bare") return proxied({ success: true });
  return table.writeShows === "plain" ? new Reply({ settings }) : proxied({ data: { settings } });
}

function read(request: ManagementRequest, id: string, table: ExtensionSettings) {
  const stored = requireSettings(request, id);
  const ofApp = table.hidesAppId === true ? {} : { appId: request.appId };
  const settings = { ...stored, ...ofApp, ...repliesOf(request, id, table) };
  return table.readShows === "plain" ? new Reply({ settings }) : proxied({ data: { settings } });
}

function withoutDeleted({ deleteCustomRegexData: gone, ...settings }: JsonObject) {
  const { customregexData: own } = settings;
  if (!Array.isArray(gone) || !Array.isArray(own)) return settings;
  const left = own.filter((item) => !isJsonObject(item) || !gone.includes(item.id));
  return { ...settings, customregexData: left };
}

function repliesOf({ app }: ManagementRequest, id: string, { hasReplies }: ExtensionSettings) {
  if (hasReplies !== true) return {};
  return { webhookURL: `https://${id}-${app.region}.cometchat.io/v1/reply?token=${app.appId}` };
}

function clear(request: ManagementRequest, id: string, { deleteShows }: ExtensionSettings) {
  const stored = requireSettings(request, id);
  deleteDocument(request, kind, id);
  if (deleteShows === "nested") return proxied({ data: { settings: { success: true } } });
  if (deleteShows === "settings") return proxied({ data: { settings: { dropMessage: stored.dropMessage } } });
  return proxied(deleteShows === "bare" ? { success: true } : { data: { success: true } });
}

function readSettings({ body }: ManagementRequest) {
  return required(optionalObject(body, "settings"), "settings");
}

// Printed so; they look swapped.
async function upload(request: ManagementRequest, type: "p12" | "p8") {
  ensureField(
    fileOf(await readForm(request), "certificate") !== undefined,
    "certificate",
    "The certificate field must be a file.",
  );
  putDocument(request, certificateKind, type, { uploaded: true });
  const has = (known: string) => getDocument(request, certificateKind, known) !== undefined;
  return proxied(
    type === "p12" ? { certificate_p12: has("p12"), certificate_p8: has("p8") } : { success: true },
  );
}

function proxied(body: JsonObject) {
  return { statusCode: 200, success: true, responseTime: 1, body };
}

function requireSettings(request: ManagementRequest, id: string) {
  const stored = getDocument(request, kind, id);
  if (stored === undefined) throw notFound(`settings of ${id}`);
  return stored;
}

function notFound(what: string) {
  return new PlatformError("ERR_EXTENSION_NOT_FOUND", `The ${what} does not exist.`);
}

const kind = "extension-settings";
const widgetKind = "extension-widget";
const certificateKind = "extension-certificate";

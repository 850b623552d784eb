import { ensure, ensureField, itemResults, required, requireRoom } from "../errors/platform-error.ts";
import { optionalObject, textsOf } from "../http/fields.ts";
import { acknowledge, type ManagementRequest, managementFamily } from "../http/route.ts";
import { isStringArray, type JsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { appSettingDefaults, appSettingsKind, readAppSettings } from "../store/apps.ts";
import {
  countDocuments,
  deleteDocument,
  getDocument,
  listDocuments,
  nextNumber,
  putDocument,
} from "../store/database.ts";
import { ownerEmail } from "./apps.ts";

const listSetting = "core.notifications.push.advanced.included";

// Known only from an example.
const flagsWithoutDefault = [
  "core.conversations.updateOnCustomMessage",
  "core.notifications.push.accessible",
  "core.notifications.push.advanced.enabled",
];

export const settingRoutes = managementFamily({
  "map-settings": map,
  "list-settings": readAppSettings,
  "unmap-settings"(request) {
    deleteDocument(request, appSettingsKind, appSettingsKind);
    // The printed message is that of adding.
    return acknowledge("Added setting(s) successfully.");
  },
  "add-collaborator": { alsoTakes: ["developers"], handler: change },
  "list-collaborators": (request) => listDocuments(request, kind),
});

function map(request: ManagementRequest) {
  const asked = required(optionalObject(request.body, "settings"), "settings");
  const settings = readAppSettings(request);
  const results = itemResults(Object.keys(asked), (key) => {
    ensure(isSetting(key, asked[key]), "ERR_BAD_REQUEST", `The setting ${key} is not valid.`);
    settings[key] = asked[key];
    return { message: "Added setting(s) successfully." };
  });
  putDocument(request, appSettingsKind, appSettingsKind, settings);
  return results;
}

function isSetting(key: string, value: unknown) {
  if (key === listSetting) return isStringArray(value);
  return (
    (Object.hasOwn(appSettingDefaults, key) || flagsWithoutDefault.includes(key)) &&
    typeof value === "boolean"
  );
}

function change(request: ManagementRequest) {
  const lists = [...Object.keys(roles), "collaboratorsToRemove"].map(
    (field) => [field, readAddresses(request.body, field)] as const,
  );
  const results = lists.map(([field, addresses]) => {
    const change = (email: string) => {
      const role = roles[field];
      // The management key belongs to the owner.
      const code = role === undefined ? "ERR_SELF_ACTION_DENIED" : "ERR_ALREADY_AN_OWNER";
      ensure(email !== ownerEmail, code, `${email} owns the app.`);
      if (role !== undefined) put(request, email, role);
      else {
        const isRemoved = deleteDocument(request, kind, email);
        ensure(isRemoved, "ERR_NOT_A_COLLABORATOR", `${email} is not a collaborator.`);
      }
      return {};
    };
    // An empty group is printed as [], not {}.
    return [field, addresses.length === 0 ? [] : itemResults(addresses, change)];
  });
  return Object.fromEntries(results);
}

function put(request: ManagementRequest, email: string, role: string) {
  const known = getDocument(request, kind, email);
  if (known === undefined) requireRoom(countDocuments(request, kind), "collaborators", maxCollaborators);
  const stored = known ?? {
    id: String(nextNumber(request, kind)),
    name: email.slice(0, email.indexOf("@")),
    email,
    createdAt: nowSeconds(request),
  };
  putDocument(request, kind, email, { ...stored, role });
}

function readAddresses(body: JsonObject, field: string) {
  const addresses = textsOf(body, field);
  ensureField(
    !addresses.some((address) => !/^[^\s@]+@[^\s@]+$/.test(address)),
    field,
    `The ${field} must be e-mail addresses.`,
  );
  return addresses;
}

const kind = "collaborator";
const maxCollaborators = 25; // docs/internals/platform/management.md#team
const roles: Record<string, string> = { admins: "admin", developers: "developer", moderators: "moderator" };

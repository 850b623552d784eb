import { ensure, ensureField, itemResults, limitReached, required } from "../errors/platform-error.ts";
import { optionalObject, textsOf } from "../http/fields.ts";
import { acknowledge, type ManagementRequest, managementFamily } from "../http/route.ts";
import { isStringArray, type JsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { appSettingDefaults, appSettingsKind, readAppSettings } from "../store/apps.ts";
import { deleteDocument, getDocument, listDocuments, nextNumber, putDocument } from "../store/database.ts";
import { ownerEmail } from "./apps.ts";

const route = managementFamily("docs/internals/platform/management.md#settings");

const listSetting = "core.notifications.push.advanced.included";

// Known only from an example.
const flagsWithoutDefault = [
  "core.conversations.updateOnCustomMessage",
  "core.notifications.push.accessible",
  "core.notifications.push.advanced.enabled",
];

const withoutEffect = [
  "core.threads.updateOnMessageActions",
  "core.notifications.push.enabled",
  "core.notifications.push.accessible",
  "core.notifications.push.advanced.enabled",
  listSetting,
];

export const appSettingRoutes = [
  route("map-settings", map, [
    "A key that is not known fails alone, with ERR_BAD_REQUEST in its entry.",
    "`core.conversations.updateOnGroupActions`, `…OnReplies`, `…OnMessageActions`, `…OnCallActivity` and `…OnCustomMessage` (on unless set) choose which messages become a conversation's last one and move it up; unread counts do not follow them, and a message that begins a conversation is always its last (assumed).",
    `Stored without effect, because no page says what they do: ${withoutEffect.map((key) => `\`${key}\``).join(", ")}.`,
  ]),
  route("list-settings", readAppSettings),
  route(
    "unmap-settings",
    (request) => {
      deleteDocument(request, appSettingsKind, appSettingsKind);
      // The printed message is that of adding.
      return acknowledge("Added setting(s) successfully.");
    },
    ["All settings go back to their defaults: which ones go is not documented."],
  ),
];

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

const teamRoute = managementFamily("docs/internals/platform/management.md#team");

export const teamRoutes = [
  teamRoute(
    "add-collaborator",
    change,
    [
      "`developers` is taken too, as the answer has it.",
      "A member of the team gets the new role; removing a stranger fails alone.",
      "The name is the part of the address before the @.",
    ],
    { alsoTakes: ["developers"] },
  ),
  teamRoute("list-collaborators", (request) => listDocuments(request, kind)),
];

function change(request: ManagementRequest) {
  const lists = [...Object.keys(roles), "collaboratorsToRemove"].map(
    (field) => [field, readAddresses(request.body, field)] as const,
  );
  const results = lists.map(([field, addresses]) => {
    const change = (email: string) => {
      const role = roles[field];
      // The management key is the owner's.
      const code = role === undefined ? "ERR_SELF_ACTION_DENIED" : "ERR_ALREADY_AN_OWNER";
      ensure(email !== ownerEmail, code, `${email} owns the app.`);
      if (role !== undefined) put(request, email, role);
      else {
        const isRemoved = deleteDocument(request, kind, email);
        ensure(isRemoved, "ERR_NOT_A_COLLABORATOR", `${email} is not a collaborator.`);
      }
      return {};
    };
    // Empty groups are printed as [], not {}.
    return [field, addresses.length === 0 ? [] : itemResults(addresses, change)];
  });
  return Object.fromEntries(results);
}

function put(request: ManagementRequest, email: string, role: string) {
  const known = getDocument(request, kind, email);
  if (known === undefined && listDocuments(request, kind).length >= maxCollaborators) {
    throw limitReached("collaborators", maxCollaborators);
  }
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

import { ensure, ensureField, groupNotFound, itemResults } from "../errors/platform-error.ts";
import { type AppRequest, appFamily, replyPage } from "../http/route.ts";
import { isStringArray, type JsonObject, objectOf } from "../json.ts";
import { putDocument } from "../store/database.ts";
import { findGroup, memberScopes } from "../store/groups.ts";
import { permissionKind, readPermissions } from "./enforce.ts";
import { requirePathRole } from "./roles.ts";

export const permissionRoutes = [...routesOf("role", roleHolder), ...routesOf("scope", scopeHolder)];

type Holder = {
  type: "role" | "scope";
  id: string;
  words: string;
  definitions: Definitions;
};

function routesOf(type: Holder["type"], find: (request: AppRequest) => Holder) {
  return appFamily({
    [`list-${type}-permissions`]: (request) => listPermissions(request, find(request)),
    [`set-${type}-permissions`]: (request) => setPermissions(request, find(request)),
    [`unset-${type}-permissions`]: (request) => unsetPermission(request, find(request)),
  });
}

function roleHolder(request: AppRequest): Holder {
  const { role } = requirePathRole(request);
  return { type: "role", id: role, words: `role ${role}`, definitions: rolePermissions };
}

function scopeHolder(request: AppRequest): Holder {
  const guid = request.param("guid").toLowerCase();
  if (findGroup(request, guid) === undefined) throw groupNotFound(request.param("guid"));
  const scope = memberScopes.find((name) => name === request.param("scope"));
  ensureField(scope !== undefined, "scope", `The scope must be one of: ${memberScopes.join(", ")}.`);
  return {
    type: "scope",
    id: `${guid}/${scope}`,
    words: `scope ${scope} on group ${guid}`,
    definitions: scopePermissions,
  };
}

function listPermissions(request: AppRequest, { type, definitions }: Holder) {
  const { createdAt } = request.app;
  const all = Object.entries(definitions).map(([id, values]) => ({
    id,
    type,
    title: id,
    description: `Limits ${id} for users of this ${type}.`,
    dataType: isList(id) ? "stringArray" : "string",
    availableValues: values,
    defaultValue: isList(id) ? [] : values[0],
    createdAt,
    updatedAt: createdAt,
  }));
  return replyPage(request.query, all);
}

function setPermissions(request: AppRequest, holder: Holder) {
  const asked = objectOf(request.body.permissions);
  const permissions: JsonObject = { ...readPermissions(request, holder.type, holder.id) };
  const results = itemResults(Object.keys(asked), (id) => {
    const values = isKnown(holder, id) ? holder.definitions[id] : undefined;
    ensure(values !== undefined, "ERR_BAD_REQUEST", `The permission ${id} does not exist.`);
    const takesIt = isValueOf(id, values, asked[id]);
    ensure(takesIt, "ERR_BAD_REQUEST", `The permission ${id} does not take this value.`);
    permissions[id] = asked[id];
    return { message: `Permission with id ${id} have been mapped successfully to ${holder.words}.` };
  });
  save(request, holder, permissions);
  return { ...results, permissions };
}

function unsetPermission(request: AppRequest, holder: Holder) {
  const id = request.param("permission");
  ensureField(isKnown(holder, id), "permission", `The permission ${id} does not exist.`);
  const { [id]: _removed, ...permissions } = readPermissions(request, holder.type, holder.id);
  save(request, holder, permissions);
  return { permissions };
}

function save(request: AppRequest, { type, id }: Holder, permissions: JsonObject) {
  putDocument(request, permissionKind(type), id, permissions);
}

function isKnown({ definitions }: Holder, id: string) {
  return Object.hasOwn(definitions, id);
}

// Lists also accept one bare value, as printed.
function isValueOf(id: string, values: readonly string[], value: unknown) {
  const isAllowed = (text: string) => values.length === 0 || values.includes(text);
  if (typeof value === "string") return isAllowed(value);
  return isList(id) && isStringArray(value) && value.every(isAllowed);
}

/** The values of each permission; an empty list sets no limit. */
type Definitions = Readonly<Record<string, readonly string[]>>;

const verdict = ["allow", "deny"];
const mode = ["all", "friends"];
const receiverTypes = ["user", "group"];
const messageTypes = ["text", "image", "file", "audio", "video"];
const categories = ["message", "custom", "action", "call"];
const groupTypes = ["public", "private", "password"];

// Allows any text: roles, custom types and MIME types are the app's own.
const free: readonly string[] = [];

// Permissions without a dot, and modes, take one value.
function isList(id: string) {
  return id.includes(".") && !id.endsWith(".mode");
}

/** The values are inferred from the names. @see docs/internals/platform/users-and-groups.md#permissions */
const rolePermissions: Definitions = {
  listUsers: verdict,
  "listUsers.mode": mode,
  "listUsers.allowedRoles": free,
  "getUserDetails.mode": mode,
  "getUserDetails.allowedRoles": free,
  sendMessage: verdict,
  "sendMessage.mode": mode,
  "sendMessage.allowedReceiverTypes": receiverTypes,
  "sendMessage.allowedReceiverRoles": free,
  "sendMessage.allowedMessageTypes": messageTypes,
  "sendMessage.allowedMessageCategories": categories,
  "sendMessage.allowedCustomTypes": free,
  "sendMessage.allowedMimeTypes": free,
  editMessage: verdict,
  "editMessage.denyForScopes": memberScopes,
  deleteMessage: verdict,
  "deleteMessage.denyForScopes": memberScopes,
  initiateCall: verdict,
  "initiateCall.mode": mode,
  "initiateCall.allowedReceiverRoles": free,
  createGroup: verdict,
  "createGroup.allowedGroupTypes": groupTypes,
  listGroups: verdict,
  "listGroups.allowedGroupTypes": groupTypes,
  joinGroup: verdict,
  "joinGroup.allowedGroupTypes": groupTypes,
  "listMessages.allowedMessageCategories": categories,
  "listMessages.allowedMessageTypes": free,
};

const scopePermissions: Definitions = {
  sendMessage: verdict,
  listMembers: verdict,
  "listMembers.allowedScopes": memberScopes,
  addReaction: verdict,
  listReactions: verdict,
  "listReactions.allowedScopes": memberScopes,
  sendThreadedMessage: verdict,
  initiateCall: verdict,
  "initiateCall.allowedScopes": memberScopes,
  "initiateCall.allowedType": ["audio", "video"],
  editMessage: verdict,
};

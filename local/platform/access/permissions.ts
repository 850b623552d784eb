import { ensure, ensureField, groupNotFound, itemResults, required } from "../errors/platform-error.ts";
import { optionalObject } from "../http/fields.ts";
import { type AppRequest, appFamily, replyPage } from "../http/route.ts";
import { isStringArray, type JsonObject } from "../json.ts";
import { putDocument } from "../store/database.ts";
import { findGroup, memberScopes } from "../store/groups.ts";
import { permissionKind, readPermissions } from "./enforce.ts";
import { requirePathRole } from "./roles.ts";

const route = appFamily("docs/internals/platform/users-and-groups.md#permissions");
const setAssumptions = [
  "Permissions are merged with those set before.",
  "An unknown id or value fails alone, with ERR_BAD_REQUEST in its entry.",
];

export const permissionRoutes = [...routesOf("role", roleHolder), ...routesOf("scope", scopeHolder)];

type Holder = {
  type: "role" | "scope";
  id: string;
  words: string;
  definitions: readonly PermissionDefinition[];
};

function routesOf(type: Holder["type"], find: (request: AppRequest) => Holder) {
  return [
    route(`list-${type}-permissions`, (request) => listPermissions(request, find(request)), [
      "The values that each permission takes are concluded from its name.",
    ]),
    route(`set-${type}-permissions`, (request) => setPermissions(request, find(request)), setAssumptions),
    route(`unset-${type}-permissions`, (request) => unsetPermission(request, find(request)), [
      "Removing a permission that is not set changes nothing; an unknown id is refused.",
    ]),
  ];
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
  const all = definitions.map(({ id, isList, values }) => ({
    id,
    type,
    title: id,
    description: `Limits ${id} for users of this ${type}.`,
    dataType: isList ? "stringArray" : "string",
    availableValues: values,
    defaultValue: isList ? [] : values[0],
    createdAt,
    updatedAt: createdAt,
  }));
  return replyPage(request.query, all);
}

function setPermissions(request: AppRequest, holder: Holder) {
  const asked = required(optionalObject(request.body, "permissions"), "permissions");
  const permissions: JsonObject = { ...readPermissions(request, holder.type, holder.id) };
  const results = itemResults(Object.keys(asked), (id) => {
    const definition = holder.definitions.find((known) => known.id === id);
    ensure(definition !== undefined, "ERR_BAD_REQUEST", `The permission ${id} does not exist.`);
    const takesIt = isValueOf(definition, asked[id]);
    ensure(takesIt, "ERR_BAD_REQUEST", `The permission ${id} does not take this value.`);
    permissions[id] = asked[id];
    return { message: `Permission with id ${id} have been mapped successfully to ${holder.words}.` };
  });
  save(request, holder, permissions);
  return { ...results, permissions };
}

function unsetPermission(request: AppRequest, holder: Holder) {
  const id = request.param("permission");
  ensureField(
    holder.definitions.some((known) => known.id === id),
    "permission",
    `The permission ${id} does not exist.`,
  );
  const { [id]: _removed, ...permissions } = readPermissions(request, holder.type, holder.id);
  save(request, holder, permissions);
  return { permissions };
}

function save(request: AppRequest, { type, id }: Holder, permissions: JsonObject) {
  putDocument(request, permissionKind(type), id, permissions);
}

// Lists take one bare value, too, as printed.
function isValueOf({ isList, values }: PermissionDefinition, value: unknown) {
  const isKnown = (text: string) => values.length === 0 || values.includes(text);
  if (typeof value === "string") return isKnown(value);
  return isList && isStringArray(value) && value.every(isKnown);
}

/** No value means no limit. */
type PermissionDefinition = { id: string; isList: boolean; values: readonly string[] };

const verdict = ["allow", "deny"];
const mode = ["all", "friends"];
const receiverTypes = ["user", "group"];
const messageTypes = ["text", "image", "file", "audio", "video"];
const categories = ["message", "custom", "action", "call"];
const groupTypes = ["public", "private", "password"];

// Any text: roles, custom types and MIME types are the app's own.
const free: readonly string[] = [];

/** The values are concluded from the names. @see docs/internals/platform/users-and-groups.md#permissions */
const rolePermissions: readonly PermissionDefinition[] = [
  one("listUsers", verdict),
  one("listUsers.mode", mode),
  many("listUsers.allowedRoles", free),
  one("getUserDetails.mode", mode),
  many("getUserDetails.allowedRoles", free),
  one("sendMessage", verdict),
  one("sendMessage.mode", mode),
  many("sendMessage.allowedReceiverTypes", receiverTypes),
  many("sendMessage.allowedReceiverRoles", free),
  many("sendMessage.allowedMessageTypes", messageTypes),
  many("sendMessage.allowedMessageCategories", categories),
  many("sendMessage.allowedCustomTypes", free),
  many("sendMessage.allowedMimeTypes", free),
  one("editMessage", verdict),
  many("editMessage.denyForScopes", memberScopes),
  one("deleteMessage", verdict),
  many("deleteMessage.denyForScopes", memberScopes),
  one("initiateCall", verdict),
  one("initiateCall.mode", mode),
  many("initiateCall.allowedReceiverRoles", free),
  one("createGroup", verdict),
  many("createGroup.allowedGroupTypes", groupTypes),
  one("listGroups", verdict),
  many("listGroups.allowedGroupTypes", groupTypes),
  one("joinGroup", verdict),
  many("joinGroup.allowedGroupTypes", groupTypes),
  many("listMessages.allowedMessageCategories", categories),
  many("listMessages.allowedMessageTypes", free),
];

const scopePermissions: readonly PermissionDefinition[] = [
  one("sendMessage", verdict),
  one("listMembers", verdict),
  many("listMembers.allowedScopes", memberScopes),
  one("addReaction", verdict),
  one("listReactions", verdict),
  many("listReactions.allowedScopes", memberScopes),
  one("sendThreadedMessage", verdict),
  one("initiateCall", verdict),
  many("initiateCall.allowedScopes", memberScopes),
  many("initiateCall.allowedType", ["audio", "video"]),
  one("editMessage", verdict),
];

function one(id: string, values: readonly string[]) {
  return { id, isList: false, values };
}

function many(id: string, values: readonly string[]) {
  return { id, isList: true, values };
}

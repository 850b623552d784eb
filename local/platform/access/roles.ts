import { ensure, ensureField, found, itemResults, requireRoom } from "../errors/platform-error.ts";
import {
  choice,
  optionalObject,
  optionalTexts,
  readFields,
  requiredId,
  requiredText,
  text,
  textsOf,
  unset,
} from "../http/fields.ts";
import { type AppRequest, acknowledge, appFamily, replyPage } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { type AppServices, nowSeconds } from "../services/services.ts";
import {
  countDocuments,
  deleteDocument,
  getDocument,
  listDocuments,
  putDocument,
} from "../store/database.ts";
import { changeRoleOfUsers } from "../store/users.ts";
import { featureKey, features, isFeature, restrictedKind } from "./enforce.ts";

export const roleRoutes = appFamily({
  "create-role"(request) {
    const role = requiredId(request.body, "role");
    const name = requiredText(request.body, "name", 100);
    const details = readDetails(request.body);
    ensureField(
      getDocument(request, roleKind, role) === undefined,
      "role",
      `The role ${role} already exists.`,
    );
    requireRoom(countDocuments(request, roleKind), "roles", maxRoles);
    const stored = { role, name, ...details, createdAt: nowSeconds(request) };
    putDocument(request, roleKind, role, stored);
    return stored;
  },
  "list-roles"(request) {
    return replyPage(request.query, listDocuments(request, roleKind));
  },
  "get-role": requirePathRole,
  "update-role"(request) {
    const stored = requirePathRole(request);
    const name = request.body.name === undefined ? {} : { name: requiredText(request.body, "name", 100) };
    const changed: JsonObject = {
      ...stored,
      ...name,
      ...readDetails(request.body),
      updatedAt: nowSeconds(request),
    };
    unset(request.body, changed, ["settings", "description", "metadata"]);
    putDocument(request, roleKind, stored.role, changed);
    return changed;
  },
  "delete-role"(request) {
    const { role } = requirePathRole(request);
    ensure(role !== defaultRole, "ERR_ROLE_DELETE_DENIED", "The role default cannot be deleted.");
    deleteDocument(request, roleKind, role);
    changeRoleOfUsers(request, role, defaultRole);
    return acknowledge(`Role ${role} has been deleted successfully.`);
  },
  "restrict-features"(request) {
    const { role } = requirePathRole(request);
    const keys = textsOf(request.body, "featuresToRestrict");
    const createdAt = nowSeconds(request);
    return itemResults(keys, (asked) => {
      const key = featureKey(asked);
      ensure(isFeature(key), "ERR_BAD_REQUEST", `The feature ${asked} does not exist.`);
      putDocument(request, restrictedKind(role), key, {
        title: titleOf(key),
        description: `${titleOf(key)} on behalf of a user.`,
        key: `u.${key}`,
        path: features[key],
        createdAt,
      });
      return { message: `The feature ${asked} has been restricted successfully.` };
    });
  },
  "get-restrictedfeatures"(request) {
    const { role } = requirePathRole(request);
    return replyPage(request.query, listDocuments(request, restrictedKind(role)));
  },
  "allow-features"(request) {
    const { role } = requirePathRole(request);
    const kind = restrictedKind(role);
    const allowAll = request.body.allowAll === true;
    const asked = optionalTexts(request.body, "featuresToAllow");
    ensureField(
      asked !== undefined || allowAll,
      "featuresToAllow",
      "The featuresToAllow field or allowAll is required.",
    );
    const keys = allowAll ? Object.keys(features) : (asked ?? []).map(featureKey);
    for (const key of keys) deleteDocument(request, kind, key);
    return acknowledge("The feature has been allowed successfully.");
  },
});

/** The description is assumed. */
export function addDefaultRole(services: AppServices): void {
  const { createdAt } = services.app;
  putDocument(services, roleKind, defaultRole, {
    role: defaultRole,
    name: "Default Role",
    description: "The role of users without another one.",
    createdAt,
    updatedAt: createdAt,
  });
}

export function requirePathRole(request: AppRequest): JsonObject & { role: string } {
  const role = request.param("role").toLowerCase();
  return found(
    getDocument<JsonObject & { role: string }>(request, roleKind, role),
    "ERR_ROLE_NOT_FOUND",
    `The role ${request.param("role")} does not exist.`,
  );
}

export const roleKind = "role";

function readDetails(body: JsonObject) {
  const details = readFields(body, {
    description: text(255),
    metadata: optionalObject,
    settings: optionalObject,
  });
  for (const key of ["listUsers", "sendMessagesTo"])
    choice(details.settings ?? {}, key, ["all", "friendsOnly"]);
  return details;
}

const defaultRole = "default";
const maxRoles = 25;

// Turns "listUsers" into "List Users", as in the printed example.
function titleOf(key: string) {
  const words = key.replaceAll(/([A-Z])/g, " $1");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

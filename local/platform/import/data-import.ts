import {
  ensureGroup,
  ensureRecipient,
  ensureUser,
  groupDetails,
  importGroup,
  importUser,
  optionalSeconds,
  userDetails,
} from "../chat/ensure-entities.ts";
import { buildMessage, recordStored } from "../chat/message-store.ts";
import { readMessageContent } from "../chat/message-validate.ts";
import type { ErrorCode } from "../errors/error-table.ts";
import {
  badRequest,
  ensure,
  ensureField,
  itemResults,
  missing,
  PlatformError,
} from "../errors/platform-error.ts";
import { choice, optionalFlag, optionalObject, optionalTags, requiredText } from "../http/fields.ts";
import { type AppRequest, appFamily } from "../http/route.ts";
import { checkFields } from "../http/shape.ts";
import { defined, isJsonObject, type JsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { countMembers, findGroup, memberScopes, putBan, putGroup, putMember } from "../store/groups.ts";
import { type Message, putMessage } from "../store/messages.ts";
import { hasRow } from "../store/rows.ts";
import { showUser } from "../wire/show.ts";

const route = appFamily("docs/internals/platform/import-and-metrics.md#importing");
const assumptions = [
  "A failing entity answers {success: false, error} and fails no other.",
  "Entities that exist are overwritten, except messages with a known muid.",
  "Nothing that is imported fires a webhook.",
];

/** Declares the data import interface: at most 50 entities a request, at most 60 requests a minute. */
export const dataImportRoutes = [
  importRoute("users", "ERR_IMPORT_INVALID_USER_FORMAT", (request, key, body) => {
    requireKey("uid", key, requiredText(body, "uid"));
    return showUser(importUser(request, body));
  }),
  importRoute("groups", "ERR_IMPORT_INVALID_GROUP_FORMAT", (request, key, body) => {
    requireKey("guid", key, requiredText(body, "guid"));
    checkFields(body, { groupOwnerDetails: userDetails });
    const { guid, name, type, conversationId, createdAt, owner } = importGroup(
      request,
      body,
      optionalObject(body, "groupOwnerDetails"),
    );
    return { guid, name, type, conversationId, createdAt, owner };
  }),
  importRoute("members", "ERR_IMPORT_INVALID_MEMBER_FORMAT", importMember),
  importRoute("messages", "ERR_IMPORT_INVALID_MESSAGE_FORMAT", importMessage),
];

type ImportOne = (request: AppRequest, key: string, body: JsonObject) => JsonObject;

function importRoute(entities: string, formatCode: ErrorCode, importOne: ImportOne) {
  const importAll = (request: AppRequest) => {
    const asked = request.body[entities];
    ensure(isJsonObject(asked), formatCode, `The ${entities} must be a map by id.`);
    ensureField(
      Object.keys(asked).length <= maxEntities,
      entities,
      `At most ${maxEntities} ${entities} are allowed per call.`,
    );
    return itemResults(Object.keys(asked), (key) => {
      const body = asked[key];
      ensure(isJsonObject(body), formatCode, `The entry ${key} must be an object.`);
      return { data: request.db.transaction(() => importOne(request, key, body)) };
    });
  };
  return route(`import-${entities}`, `POST /data_import/${entities}`, importAll, assumptions);
}

function importMember(request: AppRequest, key: string, body: JsonObject) {
  checkFields(body, { userDetails, groupDetails });
  requireKey("memberId", key, requiredText(body, "memberId"));
  const user = ensureUser(request, requiredText(body, "uid"), optionalObject(body, "userDetails"));
  const { guid, createdAt } = ensureGroup(
    request,
    requiredText(body, "guid"),
    optionalObject(body, "groupDetails"),
  );
  requireKey("memberId", `${guid}_member_${user.uid}`, key.toLowerCase());
  const scope = choice(body, "scope", memberScopes) ?? "participant";
  const at = nowSeconds(request);
  const joinedAt = optionalSeconds(body, "joinedAt") ?? at;
  if (joinedAt < createdAt || joinedAt > at) {
    throw new PlatformError(
      "ERR_IMPORT_INVALID_JOINEDAT",
      `The joinedAt of ${key} must be between the group's createdAt and now.`,
    );
  }
  if (optionalFlag(body, "isBanned")) {
    putBan(request, { guid, uid: user.uid, bannedAt: joinedAt });
  } else {
    putMember(request, { guid, uid: user.uid, scope, joinedAt });
  }
  const group = findGroup(request, guid);
  if (group !== undefined) {
    putGroup(request, { ...group, membersCount: countMembers(request, guid) });
  }
  return { guid, uid: user.uid, scope, joinedAt };
}

function importMessage(request: AppRequest, key: string, body: JsonObject) {
  checkFields(body, messageDetails);
  const muid = requiredText(body, "muid");
  requireKey("muid", key, muid);
  ensure(
    !hasRow(request, "messages", { muid }),
    "ERR_IMPORT_MUID_ALREADY_EXISTS",
    `The muid ${muid} already exists.`,
  );
  const sentAt = optionalSeconds(body, "sentAt");
  if (sentAt === undefined) throw missing("sentAt");
  for (const [uid, details] of Object.entries(optionalObject(body, "mentionedUserDetails") ?? {})) {
    if (isJsonObject(details)) ensureUser(request, uid, details);
    else throw badRequest({ mentionedUserDetails: `The details of ${uid} must be an object.` });
  }
  const built = buildMessage(request, {
    sender: ensureUser(request, requiredText(body, "sender"), optionalObject(body, "senderUserDetails")),
    recipient: ensureRecipient(request, body),
    ...readMessageContent(body),
    muid,
    tags: optionalTags(body),
    sentAt,
  });
  const deliveredAt = optionalSeconds(body, "deliveredAt");
  const readAt = optionalSeconds(body, "readAt");
  const message: Message & JsonObject = {
    ...built,
    ...defined({ deliveredAt, readAt }),
  };
  putMessage(request, message);
  recordStored(request, message);
  return message;
}

function requireKey(field: string, key: string, value: string) {
  ensureField(key === value, field, `The ${field} must equal ${key}.`);
}

const messageDetails = {
  deliveredAt: "time",
  readAt: "time",
  senderUserDetails: userDetails,
  receiverUserDetails: userDetails,
  receiverGroupDetails: groupDetails,
  receiverGroupOwnerDetails: userDetails,
  mentionedUserDetails: "object",
} as const;

// 50 entities per request (docs/internals/platform/import-and-metrics.md#import-limits).
const maxEntities = 50;

import {
  ensureGroup,
  ensureRecipient,
  ensureUser,
  importGroup,
  importUser,
  optionalSeconds,
} from "../chat/ensure-entities.ts";
import { requireNew } from "../chat/lookup.ts";
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
import { checkEntry } from "../http/shape.ts";
import { defined, isJsonObject, type JsonObject, objectOf, pick } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { findConversation } from "../store/conversations.ts";
import { hasRow } from "../store/database.ts";
import {
  countMembers,
  findGroup,
  findMember,
  memberScopes,
  putBan,
  putGroup,
  putMember,
} from "../store/groups.ts";
import type { Message } from "../store/messages.ts";
import { moveMark } from "../store/receipts.ts";

/** Allows 50 entities a request, and 60 requests a minute. */
export const dataImportRoutes = appFamily({
  "import-users": importing("users", "ERR_IMPORT_INVALID_USER_FORMAT", (request, key, body) => {
    const uid = requiredText(body, "uid");
    requireKey("uid", key, uid);
    requireNew(request, "UID", uid);
    return importUser(request, body);
  }),
  "import-groups": importing("groups", "ERR_IMPORT_INVALID_GROUP_FORMAT", (request, key, body) => {
    const asked = requiredText(body, "guid");
    requireKey("guid", key, asked);
    requireNew(request, "GUID", asked);
    const group = importGroup(request, body, optionalObject(body, "groupOwnerDetails"));
    return pick(group, "guid", "name", "type", "conversationId", "createdAt", "owner");
  }),
  "import-members": importing("members", "ERR_IMPORT_INVALID_MEMBER_FORMAT", importMember),
  "import-messages": importing("messages", "ERR_IMPORT_INVALID_MESSAGE_FORMAT", importMessage),
});

type ImportOne = (request: AppRequest, key: string, body: JsonObject) => JsonObject;

function importing(entities: string, formatCode: ErrorCode, importOne: ImportOne) {
  // Asynchronous: a row that ends the request reverts no other.
  const handler = async (request: AppRequest) => {
    const asked = request.body[entities];
    ensure(isJsonObject(asked), formatCode, `The ${entities} must be a map by id.`);
    ensureField(
      Object.keys(asked).length <= maxEntities,
      entities,
      `At most ${maxEntities} ${entities} are allowed per call.`,
    );
    try {
      return itemResults(Object.keys(asked), (key) => {
        const body = asked[key];
        ensure(isJsonObject(body), formatCode, `The entry ${key} must be an object.`);
        checkEntry(entities, body);
        return { data: request.db.transaction(() => importOne(request, key, body)) };
      });
    } catch (error) {
      if (!(error instanceof ImportEnded)) throw error;
      throw new PlatformError("ERR_EXCEPTION", "Something went wrong, please try again later.");
    }
  };
  return { checksBody: true, handler } as const;
}

function importMember(request: AppRequest, key: string, body: JsonObject) {
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
  ensure(
    findMember(request, guid, user.uid) === undefined,
    "ERR_ALREADY_JOINED",
    `The user ${user.uid} has already joined the group ${guid}.`,
  );
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
  const muid = requiredText(body, "muid");
  requireKey("muid", key, muid);
  ensure(
    !hasRow(request, "messages", { muid }),
    "ERR_IMPORT_MUID_ALREADY_EXISTS",
    `The muid ${muid} already exists.`,
  );
  const sentAt = optionalSeconds(body, "sentAt");
  if (sentAt === undefined) throw missing("sentAt");
  requireImportable(request, muid, sentAt, body);
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
  recordStored(request, message);
  const conversation = findConversation(request, message.receiver, message.conversationId);
  if (readAt !== undefined && message.receiverType === "user" && conversation !== undefined)
    moveMark(request, conversation, { action: "read", upTo: Number(message.id), at: readAt });
  return message;
}

/** @throws ImportEnded @see docs/internals/platform/import-and-metrics.md#importing */
function requireImportable(request: AppRequest, muid: string, sentAt: number, { data }: JsonObject) {
  const { messageRetentionDays } = request.switches;
  const isTooOld = messageRetentionDays > 0 && sentAt < nowSeconds(request) - messageRetentionDays * 86_400;
  if (isTooOld || objectOf(data).text === "") throw new ImportEnded(muid);
}

/** Ends the whole request, unlike a `PlatformError` of one row. */
class ImportEnded extends Error {}

function requireKey(field: string, key: string, value: string) {
  ensureField(key === value, field, `The ${field} must equal ${key}.`);
}

// @see docs/internals/platform/import-and-metrics.md#import-limits
const maxEntities = 50;

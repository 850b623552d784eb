import { isJsonObject, type JsonObject, objectOf, omit } from "../json.ts";
import { type AppData, deleteDocument, getDocument, hasRow, putDocument } from "./database.ts";
import { findMember } from "./groups.ts";
import { findMessage, isDisapproved, isMessage, type Message, putMessage } from "./messages.ts";
import { allOf, type Condition, condition, ofApp } from "./query.ts";
import { copiedId, isCopying } from "./schema.ts";

// Code that shows a user a message, or acts on it for one, asks here. The app sees all.

/** Hides it also after the receiver unblocked the sender. */
export function hideFromReceiver(data: AppData, id: string): void {
  putDocument(data, hiddenKind, id, {});
}

/**
 * Whether only its sender sees it: moderation disapproved it (assumed), or its receiver blocked the sender.
 * @see docs/internals/platform/users-and-groups.md#blocked-users
 */
export function isKept(data: AppData, message: Message): boolean {
  return isDisapproved(message) || isHidden(data, message);
}

export function isHidden(data: AppData, { receiverType, id }: Message): boolean {
  return receiverType === "user" && hasRow(data, "documents", { kind: hiddenKind, id });
}

export function isKeptFrom(data: AppData, uid: string, message: Message): boolean {
  return message.sender !== uid && isKept(data, message);
}

export function canRead(data: AppData, uid: string, message: Message): boolean {
  const takesPart =
    message.receiverType === "group"
      ? findMember(data, message.receiver, uid) !== undefined
      : partiesOf(message).includes(uid);
  return takesPart && !isKeptFrom(data, uid, message);
}

// Records of changes and calls name the parties in `on`. Conversations' ids are ambiguous: uids may contain
// `_user_`.
function partiesOf({ sender, receiver, data }: Message) {
  const about = objectOf(objectOf(objectOf(data.entities).on).entity);
  return [sender, receiver, about.sender, about.receiver];
}

/** True for messages of groups. */
export function partakenBy(uid: string): Condition {
  const about = ["sender", "receiver"].map(
    (field) => `json_extract(body, '$.data.entities.on.entity.${field}')`,
  );
  return condition(
    `(receiver_type = 'group' OR ? IN (sender, receiver)
      OR (category IN ('action', 'call') AND ? IN (${about.join(", ")})))`,
    uid,
    uid,
  );
}

const hiddenKind = "hidden-message";

// Faster than parsing each body.
const isKeptRow = `((instr(body, 'disapproved') > 0
    AND coalesce(json_extract(body, '$.data.moderation.status'), '') = 'disapproved')
  OR (receiver_type = 'user' AND EXISTS (SELECT 1 FROM documents AS hidden
    WHERE hidden.app_id = messages.app_id AND hidden.kind = '${hiddenKind}'
      AND hidden.id = CAST(messages.id AS TEXT))))`;

export const isKeptFromNobody = `NOT ${isKeptRow}`;

/** Matches `canRead`, without membership. */
export function readableBy(uid: string): Condition {
  return allOf([condition(`(sender = ? OR ${isKeptFromNobody})`, uid), partakenBy(uid)]);
}

/** Hides what a message quotes or records from users who may not see it. */
export function withReadableCopy(data: AppData, uid: string | undefined, message: Message): Message {
  if (uid === undefined) return message;
  const copy = copyIn(message);
  const original = copy && findMessage(data, String(copy.id));
  return original && isKeptFrom(data, uid, original) ? withEmptyCopy(message) : message;
}

function copyIn(message: Message) {
  if (message.quotedMessage !== undefined) return message.quotedMessage;
  const { entity } = objectOf(objectOf(message.data.entities).on);
  return message.category === "action" && message.type === "message" && isJsonObject(entity)
    ? entity
    : undefined;
}

function withEmptyCopy(message: Message) {
  const { quotedMessage, data } = message;
  if (quotedMessage !== undefined) return { ...message, quotedMessage: withoutContent(quotedMessage) };
  const entities = objectOf(data.entities);
  const on = objectOf(entities.on);
  const emptied = { ...on, entity: withoutContent(objectOf(on.entity)) };
  return { ...message, data: { ...data, entities: { ...entities, on: emptied } } };
}

function withoutContent(copy: JsonObject) {
  return { ...omit(copy, "tags", "quotedMessage"), data: { entities: objectOf(copy.data).entities } };
}

/** Empties the copies in other messages and moderation's lists. */
export function emptyCopies({ db, appId }: AppData, gone: Condition): void {
  const { sql, values } = ofApp(appId, [gone]);
  const ids = `(SELECT CAST(id AS TEXT) FROM messages WHERE ${sql})`;
  const copying = `SELECT body FROM messages WHERE app_id = ? AND ${isCopying} AND ${copiedId} IN ${ids}`;
  for (const message of db.entities<Message>(copying, appId, ...values)) {
    putMessage({ db, appId }, withEmptyCopy(message));
  }
  for (const [field, empty] of emptied) {
    for (const kind of Object.values(messageKinds)) {
      const listed = `SELECT id FROM documents WHERE app_id = ? AND kind = ? AND ${field} IN ${ids}`;
      for (const id of db.values<string>(listed, appId, kind, ...values)) {
        const record = getDocument({ db, appId }, kind, id);
        if (!isMessage(record?.message)) continue;
        putDocument({ db, appId }, kind, id, { ...record, message: empty(record.message) });
      }
    }
  }
}

const emptied = [
  ["id", withoutContent],
  ["json_extract(body, '$.message.quotedMessage.id')", withEmptyCopy],
] as const;

export function removeFlagsOf({ db, appId }: AppData, uid: string): void {
  for (const kind of [messageKinds.flagged, messageKinds.reviewed]) {
    const flagging = `SELECT id FROM documents WHERE app_id = ? AND kind = ?
      AND EXISTS (SELECT 1 FROM json_each(body, '$.flaggedBy') AS flag WHERE flag.value ->> 'uid' = ?)`;
    for (const id of db.values<string>(flagging, appId, kind, uid)) {
      const record = getDocument({ db, appId }, kind, id);
      if (!Array.isArray(record?.flaggedBy)) continue;
      const flaggedBy = record.flaggedBy.filter((flag: unknown) => objectOf(flag).uid !== uid);
      const isListed = kind === messageKinds.reviewed || flaggedBy.length > 0;
      const counted = kind === messageKinds.reviewed && { flaggedCount: flaggedBy.length };
      if (isListed) putDocument({ db, appId }, kind, id, { ...record, flaggedBy, ...counted });
      else deleteDocument({ db, appId }, kind, id);
    }
  }
}

export const messageKinds = {
  blocked: "moderation-blocked",
  flagged: "moderation-flagged",
  reviewed: "moderation-reviewed",
} as const;

/** Returns whether a human disapproved it last. */
export function isRejected(data: AppData, message: Message): boolean {
  if (!isDisapproved(message)) return false;
  const reviewed = getDocument(data, messageKinds.reviewed, message.id)?.message;
  return isMessage(reviewed) && isDisapproved(reviewed);
}

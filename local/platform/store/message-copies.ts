import { isJsonObject, type JsonObject, objectOf, omit } from "../json.ts";
import { allOf, type Condition, equals } from "./condition.ts";
import type { AppData } from "./database.ts";
import { deleteDocument, getDocument, putDocument } from "./documents.ts";
import { isKeptFrom } from "./message-access.ts";
import { findMessage, isDisapproved, isMessage, type Message, putMessage } from "./messages.ts";
import { copiedId, isCopying } from "./schema.ts";

/** Returns what a user sees of a message that quotes, or records the change of, one that they may not see. */
export function withReadableCopy(data: AppData, uid: string | undefined, message: Message): Message {
  if (uid === undefined) return message;
  const copy = copyIn(message);
  const original = copy && findMessage(data, String(copy.id));
  return original && isKeptFrom(data, uid, original) ? withEmptyCopy(message) : message;
}

function copyIn(message: Message): JsonObject | undefined {
  if (message.quotedMessage !== undefined) return message.quotedMessage;
  const { entity } = objectOf(objectOf(message.data.entities).on);
  return message.category === "action" && message.type === "message" && isJsonObject(entity)
    ? entity
    : undefined;
}

// What identifies the copied message stays.
function withEmptyCopy(message: Message): Message {
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

/** Takes the content of messages that go for good out of the copies in others and in moderation's lists. */
export function emptyCopies({ db, appId }: AppData, gone: Condition): void {
  const { sql, values } = allOf([...equals("app_id", appId), gone]);
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

/** Takes what a user flagged, with the user's words and profile, out of moderation's lists. */
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

/** Moderation's lists. Ids are message ids. */
export const messageKinds = {
  blocked: "moderation-blocked",
  flagged: "moderation-flagged",
  reviewed: "moderation-reviewed",
} as const;

/** Whether a human disapproved it last. */
export function isRejected(data: AppData, message: Message): boolean {
  if (!isDisapproved(message)) return false;
  const reviewed = getDocument(data, messageKinds.reviewed, message.id)?.message;
  return isMessage(reviewed) && isDisapproved(reviewed);
}

import { defined, isJsonObject, type JsonObject, objectOf } from "../json.ts";
import { type AppData, findBody, nextNumber, putRow, skipNumbers } from "./database.ts";
import type { Group } from "./groups.ts";
import { type Condition, ofApp } from "./query.ts";
import type { User } from "./users.ts";

/**
 * `id` is a growing decimal number, times are unix seconds.
 * @see docs/internals/platform/messages.md#shape-of-a-message
 * @see docs/internals/platform/ids-and-limits.md#size-of-messages
 */
export type Message = {
  id: string;
  muid?: string;
  conversationId: string;
  sender: string;
  receiverType: "user" | "group";
  receiver: string;
  category: string;
  type: string;
  parentId?: string;
  data: JsonObject;
  sentAt: number;
  editedAt?: number;
  editedBy?: string;
  deletedAt?: number;
  deletedBy?: string;
  updatedAt: number;
  tags?: string[];
  replyCount?: number;
  lastReply?: JsonObject;
  quotedMessage?: JsonObject;
  pinnedBy?: string;
  pinnedAt?: number;
};

export function nextMessageId(data: AppData): string {
  return String(nextNumber(data, "message"));
}

/** Called for a message from elsewhere. */
export function skipMessageIds(data: AppData, id: string): void {
  skipNumbers(data, "message", Number(id));
}

export function findMessage(data: AppData, id: string): Message | undefined {
  return /^\d{1,15}$/.test(id) ? findBody(data, "messages", { id }) : undefined;
}

export function putMessage(data: AppData, message: Message): void {
  const { id, parentId, conversationId, sender, receiverType, receiver, category, type } = message;
  const { muid, sentAt, updatedAt, editedAt, deletedAt } = message;
  const parties = { conversationId, sender, receiverType, receiver };
  const times = { sentAt, updatedAt, editedAt, deletedAt };
  putRow(data, "messages", { id, parentId, ...parties, category, type, muid, ...times, body: message });
  noteFiles(data, id, message.data);
}

export function selectMessages({ db, appId }: AppData, query: MessageSelection): Message[] {
  const { sql, values } = ofApp(appId, query.conditions);
  return db.entities(
    `SELECT body FROM messages WHERE ${sql} ORDER BY id ${query.newestFirst ? "DESC" : "ASC"} LIMIT ? OFFSET ?`,
    ...values,
    query.limit,
    query.offset ?? 0,
  );
}

export function selectMessagePage(
  data: AppData,
  { affix, ...query }: Omit<MessageSelection, "newestFirst"> & { affix: string },
): Message[] {
  const newestFirst = affix === "prepend";
  const messages = selectMessages(data, { ...query, newestFirst });
  return newestFirst ? messages.reverse() : messages;
}

export function countMessages({ db, appId }: AppData, conditions: Condition[]): number {
  const { sql, values } = ofApp(appId, conditions);
  return db.count(`SELECT count(*) AS n FROM messages WHERE ${sql}`, ...values);
}

type MessageSelection = {
  conditions: Condition[];
  newestFirst: boolean;
  limit: number;
  offset?: number;
};

export function isMessage(value: unknown): value is Message {
  return isJsonObject(value) && typeof value.conversationId === "string" && isJsonObject(value.data);
}

export type MessageDraft = {
  sender: User;
  recipient: Recipient;
  category: string;
  type: string;
  data: JsonObject;
  muid?: string | undefined;
  tags?: string[] | undefined;
  parentId?: string | undefined;
  quotedMessage?: JsonObject | undefined;
  /** Unix seconds; default: now. */
  sentAt?: number | undefined;
};

export type Recipient = { type: "user"; user: User } | { type: "group"; group: Group };

/** @see docs/internals/platform/moderation.md#what-events-say-of-a-decision */
export type Verdict = {
  outcome: "approved" | "disapproved";
  rule?: { id: string; name: string };
  rules: { id: string; name: string; action: string[] }[];
  entries: JsonObject[];
  failures: JsonObject[];
  contentType: "text" | "image" | "video" | "audio" | "file";
  isDropped?: boolean;
  blocked?: JsonObject;
};

export function isDisapproved({ data }: Message): boolean {
  return objectOf(data.moderation).status === "disapproved";
}

export function withModeration(message: Message, verdict: Verdict): Message {
  const moderation = { status: verdict.outcome, ...defined({ rule: verdict.rule }) };
  return { ...message, data: { ...message.data, moderation } };
}

export const fileKind = "message-file";

function noteFiles({ db, appId }: AppData, id: string, { attachments, url }: JsonObject) {
  if (attachments === undefined && url === undefined) return;
  const ids = JSON.stringify([attachments, url]).match(/\b[0-9a-f]{24}\b/g) ?? [];
  db.run(
    `INSERT OR IGNORE INTO message_files SELECT app_id, ?, id FROM documents
     WHERE app_id = ? AND kind = ? AND id IN (SELECT value FROM json_each(?))`,
    id,
    appId,
    fileKind,
    JSON.stringify(ids),
  );
}

/** Includes files from before an edit. */
export function filesOf({ db, appId }: AppData, { sql, values }: Condition): string[] {
  return db.values(
    `SELECT DISTINCT file_id FROM message_files
     WHERE app_id = ? AND message_id IN (SELECT id FROM messages WHERE ${sql})`,
    appId,
    ...values,
  );
}

/** Removes a file unless a message's attachments name it. */
export function removeUnnamed({ db, appId }: AppData, fileId: string): void {
  db.run(
    `DELETE FROM documents WHERE app_id = ? AND kind = ? AND id = ? AND NOT EXISTS
       (SELECT 1 FROM message_files AS noted JOIN messages USING (app_id)
        WHERE noted.app_id = documents.app_id AND noted.file_id = documents.id AND messages.id = noted.message_id
          AND instr(json_extract(messages.body, '$.data.attachments', '$.data.url'), documents.id) > 0)`,
    appId,
    fileKind,
    fileId,
  );
}

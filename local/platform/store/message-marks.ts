import { omit } from "../json.ts";
import { type AppData, deleteRows, nextNumber, putRow } from "./database.ts";
import { type Message, putMessage } from "./messages.ts";

/** Returns unix seconds by message id; at most 100. */
export function savedTimes({ db, appId }: AppData, uid: string): Map<string, number> {
  const rows = db.rows<{ messageId: number; savedAt: number }>(
    "SELECT message_id, saved_at FROM saved_messages WHERE app_id = ? AND uid = ?",
    appId,
    uid,
  );
  return new Map(rows.map(({ messageId, savedAt }) => [String(messageId), savedAt]));
}

/** Times are unix seconds. @see docs/internals/platform/messages.md#reactions */
export type Reaction = { id: string; messageId: string; reaction: string; uid: string; reactedAt: number };

export function putReaction(data: AppData, draft: Omit<Reaction, "id">): Reaction | undefined {
  if (findReaction(data, draft) !== undefined) return undefined;
  const id = nextNumber(data, "reaction");
  putRow(data, "reactions", { id, ...draft });
  return { id: String(id), ...draft };
}

export function dropReaction(data: AppData, key: ReactionKey): Reaction | undefined {
  const reaction = findReaction(data, key);
  if (reaction !== undefined) deleteRows(data, "reactions", key);
  return reaction;
}

export function listReactions(
  { db, appId }: AppData,
  query: {
    messageId: string;
    reaction?: string;
    id?: string | undefined;
    limit: number;
    isBackwards: boolean;
  },
): Reaction[] {
  const reactions = db.rows<Reaction>(
    `SELECT ${columns} FROM reactions WHERE app_id = ? AND message_id = ? AND reaction = coalesce(?, reaction)
       AND reactions.id ${query.isBackwards ? "<" : ">"} ? ORDER BY reactions.id ${query.isBackwards ? "DESC" : "ASC"} LIMIT ?`,
    appId,
    Number(query.messageId),
    query.reaction ?? null,
    query.id === undefined ? (query.isBackwards ? Number.MAX_SAFE_INTEGER : 0) : Number(query.id),
    query.limit,
  );
  return query.isBackwards ? reactions.reverse() : reactions;
}

export function countReactions(
  { db, appId }: AppData,
  messageId: string,
): { reaction: string; count: number }[] {
  return db.rows(
    `SELECT reaction, count(*) AS count FROM reactions WHERE app_id = ? AND message_id = ?
     GROUP BY reaction ORDER BY min(id)`,
    appId,
    Number(messageId),
  );
}

export function recountReactions(data: AppData, message: Message): Message {
  const reactions = countReactions(data, message.id);
  const others = omit(message.data, "reactions");
  const changed = { ...message, data: reactions.length === 0 ? others : { ...others, reactions } };
  putMessage(data, changed);
  return changed;
}

export function reactionsOf({ db, appId }: AppData, messageId: string, uid: string): Set<string> {
  return new Set(
    db.values<string>(
      "SELECT reaction FROM reactions WHERE app_id = ? AND message_id = ? AND uid = ?",
      appId,
      Number(messageId),
      uid,
    ),
  );
}

type ReactionKey = { messageId: string; reaction: string; uid: string };

function findReaction({ db, appId }: AppData, key: ReactionKey): Reaction | undefined {
  return db.row(
    `SELECT ${columns} FROM reactions WHERE app_id = ? AND message_id = ? AND uid = ? AND reaction = ?`,
    appId,
    Number(key.messageId),
    key.uid,
    key.reaction,
  );
}

const columns = "CAST(id AS TEXT) AS id, CAST(message_id AS TEXT) AS message_id, reaction, uid, reacted_at";

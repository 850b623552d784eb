import { nextNumber } from "./counters.ts";
import { type AppData, integerIn, type Row, textIn } from "./database.ts";

/**
 * Describes one user's reaction to a message. `reactedAt` is in unix seconds.
 * @see docs/platform/messages.md#reactions
 */
export type Reaction = { id: string; messageId: string; reaction: string; uid: string; reactedAt: number };

/** Stores a reaction and gives it; undefined when the user reacted so before. */
export function putReaction({ db, appId }: AppData, draft: Omit<Reaction, "id">): Reaction | undefined {
  if (findReaction({ db, appId }, draft) !== undefined) return undefined;
  const id = nextNumber({ db, appId }, "reaction");
  db.run(
    "INSERT INTO reactions (app_id, message_id, id, reaction, uid, reacted_at) VALUES (?, ?, ?, ?, ?, ?)",
    appId,
    Number(draft.messageId),
    id,
    draft.reaction,
    draft.uid,
    draft.reactedAt,
  );
  return { id: String(id), ...draft };
}

/** Removes a reaction and gives it; undefined when it was not there. */
export function dropReaction({ db, appId }: AppData, key: ReactionKey): Reaction | undefined {
  const reaction = findReaction({ db, appId }, key);
  if (reaction === undefined) return undefined;
  db.run(
    "DELETE FROM reactions WHERE app_id = ? AND message_id = ? AND id = ?",
    appId,
    Number(reaction.messageId),
    Number(reaction.id),
  );
  return reaction;
}

/** Lists reactions to a message in the order of their ids, after or before one. */
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
  const rows = db.all(
    `SELECT * FROM reactions WHERE app_id = ? AND message_id = ? AND reaction = coalesce(?, reaction)
       AND id ${query.isBackwards ? "<" : ">"} ? ORDER BY id ${query.isBackwards ? "DESC" : "ASC"} LIMIT ?`,
    appId,
    Number(query.messageId),
    query.reaction ?? null,
    query.id === undefined ? (query.isBackwards ? Number.MAX_SAFE_INTEGER : 0) : Number(query.id),
    query.limit,
  );
  const reactions = rows.map(toReaction);
  return query.isBackwards ? reactions.reverse() : reactions;
}

/** Counts the reactions to a message by what they are, first used first. */
export function countReactions(
  { db, appId }: AppData,
  messageId: string,
): { reaction: string; count: number }[] {
  return db
    .all(
      `SELECT reaction, count(*) AS n FROM reactions WHERE app_id = ? AND message_id = ?
       GROUP BY reaction ORDER BY min(id)`,
      appId,
      Number(messageId),
    )
    .map((row) => ({ reaction: textIn(row, "reaction"), count: integerIn(row, "n") }));
}

/** Lists how a user reacted to a message. */
export function reactionsOf({ db, appId }: AppData, messageId: string, uid: string): Set<string> {
  return new Set(
    db
      .all(
        "SELECT reaction FROM reactions WHERE app_id = ? AND message_id = ? AND uid = ?",
        appId,
        Number(messageId),
        uid,
      )
      .map((row) => textIn(row, "reaction")),
  );
}

type ReactionKey = { messageId: string; reaction: string; uid: string };

function findReaction({ db, appId }: AppData, key: ReactionKey): Reaction | undefined {
  return db.first(
    toReaction,
    "SELECT * FROM reactions WHERE app_id = ? AND message_id = ? AND uid = ? AND reaction = ?",
    appId,
    Number(key.messageId),
    key.uid,
    key.reaction,
  );
}

function toReaction(row: Row): Reaction {
  return {
    id: String(integerIn(row, "id")),
    messageId: String(integerIn(row, "message_id")),
    reaction: textIn(row, "reaction"),
    uid: textIn(row, "uid"),
    reactedAt: integerIn(row, "reacted_at"),
  };
}

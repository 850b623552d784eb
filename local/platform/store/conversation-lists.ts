import { badRequest } from "../errors/platform-error.ts";
import { allOf, type Condition, equals, forValue, tagCondition, when } from "./condition.ts";
import { type Conversation, conversationColumns } from "./conversations.ts";
import type { AppData } from "./database.ts";
import type { Query } from "./query.ts";
import type { Part, Window } from "./user-lists.ts";

/** Newest first; with `uid` undefined all users', by uid. Hidden ones are left out. */
export function selectConversations(
  { db, appId }: AppData,
  query: Query,
  { uid, limit, offset }: Window & { uid: string | undefined },
): Part<Conversation> {
  const { sql, values } = allOf([...equals("app_id", appId), ...equals("uid", uid), ...conditionsOf(query)]);
  const total = db.count(`SELECT count(*) FROM conversations WHERE ${sql}`, ...values);
  const items = db.rows<Conversation>(
    `SELECT ${conversationColumns} FROM conversations WHERE ${sql}
       ORDER BY ${uid === undefined ? "uid, " : ""}updated_at DESC, peer LIMIT ? OFFSET ?`,
    ...values,
    limit,
    offset,
  );
  return { items, total };
}

function conditionsOf(query: Query) {
  const type = query.text("conversationType");
  if (type !== undefined && type !== "user" && type !== "group") {
    throw badRequest({ conversationType: "The conversationType must be user or group." });
  }
  // Either kind of tag lets a conversation in (assumed).
  const peers = [
    ...ofPeer("user", tagCondition(query.list("userTags"), "other.body, '$.tags'")),
    ...ofPeer("group", tagCondition(query.list("groupTags"), "other.body, '$.tags'")),
  ];
  // An empty key searches for nothing.
  const name = forValue(query.text("searchKey") || undefined, "instr(lower(other.name), lower(?)) > 0");
  return [
    ...when(true, "is_hidden = 0"),
    ...equals("type", type),
    ...when(query.flag("unread"), "unread > 0"),
    ...tagCondition(query.list("tags"), "tags"),
    ...anyOf(peers),
    ...anyOf([...ofPeer("user", name), ...ofPeer("group", name)]),
  ];
}

function anyOf(conditions: readonly Condition[]) {
  if (conditions.length === 0) return [];
  const sql = `(${conditions.map((condition) => condition.sql).join(" OR ")})`;
  return [{ sql, values: conditions.flatMap(({ values }) => values) }];
}

function ofPeer(type: "user" | "group", conditions: readonly Condition[]) {
  const [table, key] = type === "user" ? ["users", "uid"] : ["groups", "guid"];
  return conditions.map(({ sql, values }) => ({
    sql: `(type = '${type}' AND EXISTS (SELECT 1 FROM ${table} AS other
      WHERE other.app_id = conversations.app_id AND other.${key} = conversations.peer AND ${sql}))`,
    values,
  }));
}

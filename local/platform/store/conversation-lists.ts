import { allOf, type Condition, equals, type FilterFields } from "./condition.ts";
import { type Conversation, toConversation } from "./conversations.ts";
import type { AppData } from "./database.ts";

/** Says which conversations a list is to hold; what is absent or false filters nothing. Hidden ones never are. */
export type ConversationFilter = FilterFields<{
  /** Those of one user; else those of all, by uid. */
  uid: string;
  type: "user" | "group";
  isUnread: boolean;
  tags: readonly string[];
  /** Either kind of tag lets a conversation in (assumed). */
  userTags: readonly string[];
  groupTags: readonly string[];
  /** A text inside the name of the other user or the group. */
  search: string;
}>;

/** Lists a part of an app's conversations that a filter lets through, the newest first, and counts them all. */
export function selectConversations(
  { db, appId }: AppData,
  filter: ConversationFilter,
  window: { limit: number; offset: number },
): { conversations: Conversation[]; total: number } {
  const { sql, values } = allOf([...equals("app_id", appId), ...conditionsOf(filter)]);
  const total = db.count(`SELECT count(*) AS n FROM conversations WHERE ${sql}`, ...values);
  const rows = db.all(
    `SELECT * FROM conversations WHERE ${sql}
       ORDER BY ${filter.uid === undefined ? "uid, " : ""}updated_at DESC, peer LIMIT ? OFFSET ?`,
    ...values,
    window.limit,
    window.offset,
  );
  return { conversations: rows.map(toConversation), total };
}

function conditionsOf(filter: ConversationFilter): Condition[] {
  const { tags, search } = filter;
  const peers = [...taggedPeers("user", filter.userTags), ...taggedPeers("group", filter.groupTags)];
  return [
    { sql: "is_hidden = 0", values: [] },
    ...equals("uid", filter.uid),
    ...equals("type", filter.type),
    ...(filter.isUnread === true ? [{ sql: "unread > 0", values: [] }] : []),
    ...(tags === undefined ? [] : [hasTag(tags)]),
    ...(peers.length === 0 ? [] : [anyOf(peers)]),
    ...(search === undefined ? [] : [nameHolds(search)]),
  ];
}

function hasTag(tags: readonly string[]): Condition {
  return {
    sql: "EXISTS (SELECT 1 FROM json_each(tags) AS tag WHERE tag.value IN (SELECT value FROM json_each(?)))",
    values: [JSON.stringify(tags)],
  };
}

function anyOf(conditions: readonly Condition[]): Condition {
  return {
    sql: `(${conditions.map((condition) => condition.sql).join(" OR ")})`,
    values: conditions.flatMap((condition) => condition.values),
  };
}

function nameHolds(search: string): Condition {
  return {
    sql: `((type = 'user' AND ${peerExists("users", "uid", nameMatches)})
        OR (type = 'group' AND ${peerExists("groups", "guid", nameMatches)}))`,
    values: [search, search],
  };
}

function taggedPeers(type: "user" | "group", tags: readonly string[] | undefined): Condition[] {
  if (tags === undefined) return [];
  const [table, key] = type === "user" ? (["users", "uid"] as const) : (["groups", "guid"] as const);
  const carriesTag = `EXISTS (SELECT 1 FROM json_each(other.body, '$.tags') AS tag
    WHERE tag.value IN (SELECT value FROM json_each(?)))`;
  return [
    { sql: `(type = '${type}' AND ${peerExists(table, key, carriesTag)})`, values: [JSON.stringify(tags)] },
  ];
}

function peerExists(table: "users" | "groups", key: "uid" | "guid", condition: string): string {
  return `EXISTS (SELECT 1 FROM ${table} AS other
    WHERE other.app_id = conversations.app_id AND other.${key} = conversations.peer AND ${condition})`;
}

const nameMatches = "instr(lower(other.name), lower(?)) > 0";

import { badRequest } from "../errors/failures.ts";
import { pageMeta, readPage } from "../http/pagination.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppCall } from "../http/route.ts";
import { toConversation } from "../store/conversations.ts";
import type { Condition } from "../store/messages.ts";
import { integer } from "../store/row.ts";
import { presentConversations } from "./conversation-view.ts";

/** Answers GET /conversations: those of the acting user, or of all users by uid. @see platform facts: chat-api §8 */
export function listConversations(call: AppCall): Reply {
  const page = readPage(call.query);
  const conditions = filters(call);
  const where = ["app_id = ?", ...conditions.map((condition) => condition.sql)].join(" AND ");
  const values = [call.app.appId, ...conditions.flatMap((condition) => condition.values)];
  const total = call.db.get(`SELECT count(*) AS n FROM conversations WHERE ${where}`, ...values);
  const conversations = call.db
    .all(
      `SELECT * FROM conversations WHERE ${where}
       ORDER BY ${call.actor === undefined ? "uid, " : ""}updated_at DESC, peer LIMIT ? OFFSET ?`,
      ...values,
      page.limit,
      page.offset,
    )
    .map(toConversation);
  const shown = presentConversations(call, conversations, {
    withTags: call.query.flag("withTags") === true,
    withPeerTags: call.query.flag("withUserAndGroupTags") === true,
  });
  return reply(shown, { meta: pageMeta(page, total === undefined ? 0 : integer(total, "n"), shown.length) });
}

function filters(call: AppCall): Condition[] {
  const { query, actor } = call;
  const conditions: Condition[] = [{ sql: "is_hidden = 0", values: [] }];
  if (actor !== undefined) conditions.push({ sql: "uid = ?", values: [actor.uid] });
  const type = query.text("conversationType");
  if (type !== undefined && type !== "user" && type !== "group") {
    throw badRequest({ conversationType: "The conversationType must be user or group." });
  }
  if (type !== undefined) conditions.push({ sql: "type = ?", values: [type] });
  if (query.flag("unread") === true) conditions.push({ sql: "unread > 0", values: [] });
  const tags = query.list("tags");
  if (tags !== undefined) {
    conditions.push({
      sql: "EXISTS (SELECT 1 FROM json_each(tags) AS tag WHERE tag.value IN (SELECT value FROM json_each(?)))",
      values: [JSON.stringify(tags)],
    });
  }
  const peers = [
    ...taggedPeers("user", query.list("userTags")),
    ...taggedPeers("group", query.list("groupTags")),
  ];
  // Either kind of tag lets a conversation in (assumed).
  if (peers.length > 0) {
    conditions.push({
      sql: `(${peers.map((condition) => condition.sql).join(" OR ")})`,
      values: peers.flatMap((condition) => condition.values),
    });
  }
  const searchKey = query.text("searchKey") ?? "";
  if (searchKey !== "") {
    conditions.push({
      sql: `((type = 'user' AND ${peerExists("users", "uid", nameMatches)})
        OR (type = 'group' AND ${peerExists("groups", "guid", nameMatches)}))`,
      values: [searchKey, searchKey],
    });
  }
  return conditions;
}

const nameMatches = "instr(lower(other.name), lower(?)) > 0";

function taggedPeers(type: "user" | "group", tags: string[] | undefined): Condition[] {
  if (tags === undefined) return [];
  const [table, key] = type === "user" ? (["users", "uid"] as const) : (["groups", "guid"] as const);
  const hasTag = `EXISTS (SELECT 1 FROM json_each(other.body, '$.tags') AS tag
    WHERE tag.value IN (SELECT value FROM json_each(?)))`;
  return [
    { sql: `(type = '${type}' AND ${peerExists(table, key, hasTag)})`, values: [JSON.stringify(tags)] },
  ];
}

function peerExists(table: "users" | "groups", key: "uid" | "guid", condition: string): string {
  return `EXISTS (SELECT 1 FROM ${table} AS other
    WHERE other.app_id = conversations.app_id AND other.${key} = conversations.peer AND ${condition})`;
}

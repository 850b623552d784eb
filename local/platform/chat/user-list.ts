import { pageMeta, readPage } from "../http/pagination.ts";
import { countReply, type Reply, reply } from "../http/reply.ts";
import type { AppCall } from "../http/route.ts";
import { listCondition, rangeConditions, tagCondition } from "../http/sql-range.ts";
import type { Condition } from "../store/messages.ts";
import { entity, integer } from "../store/row.ts";
import { isUser } from "../store/users.ts";
import { showUser } from "../wire/show.ts";

/** Answers GET /users. @see platform facts: chat-api §4 Users; order by uid is assumed */
export function listUsers(call: AppCall): Reply {
  const page = readPage(call.query);
  const conditions = [{ sql: "app_id = ?", values: [call.app.appId] }, ...filters(call)];
  const where = conditions.map((condition) => condition.sql).join(" AND ");
  const values = conditions.flatMap((condition) => condition.values);
  const total = call.db.get(`SELECT count(*) AS n FROM users WHERE ${where}`, ...values);
  if (call.query.flag("count") === true) return countReply(total === undefined ? 0 : integer(total, "n"));
  const users = call.db
    .all(
      `SELECT body FROM users WHERE ${where} ORDER BY uid LIMIT ? OFFSET ?`,
      ...values,
      page.limit,
      page.offset,
    )
    .map((row) => entity(row, "body", isUser));
  const withTags = call.query.flag("withTags") === true;
  const last = users.at(-1);
  return reply(
    users.map((user) => showUser(user, { withTags })),
    {
      meta: pageMeta(page, total === undefined ? 0 : integer(total, "n"), users.length),
      ...(last === undefined
        ? {}
        : { cursor: { updatedAt: last.updatedAt ?? last.createdAt, affix: "append" } }),
    },
  );
}

function filters(call: AppCall): Condition[] {
  const { query } = call;
  const conditions: Condition[] = [
    ...listCondition("role", query.list("roles")),
    ...tagCondition(query.list("tags")),
    ...rangeConditions("created_at", query.range("createdAt")),
    ...rangeConditions("updated_at", query.range("updatedAt")),
  ];
  const role = query.text("role");
  if (role !== undefined) conditions.push({ sql: "role = ?", values: [role] });
  const status = query.text("status");
  if (status !== undefined) conditions.push({ sql: "status = ?", values: [status] });
  if (query.flag("onlyDeactivated") === true) {
    conditions.push({ sql: "deactivated_at IS NOT NULL", values: [] });
  } else if (query.flag("withDeactivated") !== true) {
    conditions.push({ sql: "deactivated_at IS NULL", values: [] });
  }
  const searchKey = query.text("searchKey");
  if (searchKey !== undefined && searchKey !== "") {
    conditions.push(searchCondition(searchKey, query.list("searchIn") ?? ["name", "uid"]));
  }
  return conditions;
}

/** Makes the condition of a prefix match on uid or name. @see platform facts: chat-api §4 list-users */
export function searchCondition(searchKey: string, fields: string[]): Condition {
  const columns = ["name", "uid"]
    .filter((column) => fields.includes(column))
    .map((column) => `users.${column}`);
  const pattern = `${searchKey.replaceAll(/[\\%_]/g, "\\$&")}%`;
  return {
    sql: `(${columns.map((column) => `${column} LIKE ? ESCAPE '\\'`).join(" OR ") || "0"})`,
    values: columns.map(() => pattern),
  };
}

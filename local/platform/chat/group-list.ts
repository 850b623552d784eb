import { allowedValues } from "../access/enforce.ts";
import { badRequest } from "../errors/failures.ts";
import { pageMeta, readPage } from "../http/pagination.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppCall } from "../http/route.ts";
import { listCondition, rangeConditions, tagCondition } from "../http/sql-range.ts";
import { isGroup } from "../store/groups.ts";
import type { Condition } from "../store/messages.ts";
import { entity, integer } from "../store/row.ts";
import { showGroupFor } from "./group-lookup.ts";

/** Answers GET /groups. @see platform facts: chat-api §4 Groups */
export function listGroups(call: AppCall): Reply {
  const page = readPage(call.query);
  const conditions = [{ sql: "app_id = ?", values: [call.app.appId] }, ...filters(call)];
  const where = conditions.map((condition) => condition.sql).join(" AND ");
  const values = conditions.flatMap((condition) => condition.values);
  const total = call.db.get(`SELECT count(*) AS n FROM groups WHERE ${where}`, ...values);
  const groups = call.db
    .all(
      `SELECT body FROM groups WHERE ${where} ORDER BY ${order(call)} LIMIT ? OFFSET ?`,
      ...values,
      page.limit,
      page.offset,
    )
    .map((row) => entity(row, "body", isGroup));
  const withTags = call.query.flag("withTags") === true;
  const last = groups.at(-1);
  return reply(
    groups.map((group) => showGroupFor(call, group, withTags)),
    {
      meta: {
        ...pageMeta(page, total === undefined ? 0 : integer(total, "n"), groups.length),
        ...(last === undefined
          ? {}
          : { cursor: { updatedAt: last.updatedAt ?? last.createdAt, affix: affixOf(call) } }),
      },
    },
  );
}

function filters(call: AppCall): Condition[] {
  const { query } = call;
  const types = query.list("types");
  const conditions: Condition[] = [
    ...listCondition("type", types),
    ...listCondition("type", allowedValues(call, "listGroups.allowedGroupTypes")),
    ...listCondition("guid", query.list("guids")),
    ...tagCondition(query.list("tags")),
    ...rangeConditions("created_at", query.range("createdAt")),
    ...rangeConditions("updated_at", query.range("updatedAt")),
    ...rangeConditions("members_count", query.range("membersCount")),
  ];
  const cursor = updatedAtCursor(call);
  if (cursor !== undefined) conditions.push(cursor);
  const type = query.text("type");
  if (type !== undefined) conditions.push({ sql: "type = ?", values: [type] });
  const guid = query.text("guid");
  if (guid !== undefined) conditions.push({ sql: "guid = ?", values: [guid] });
  const joined = {
    sql: "guid IN (SELECT guid FROM members WHERE members.app_id = ? AND members.uid = ?)",
    values: [call.app.appId, call.actor?.uid ?? ""],
  };
  if (call.actor !== undefined && query.flag("hasJoined") === true) conditions.push(joined);
  // A user sees the private groups they are in, and no other (assumed).
  if (call.actor !== undefined)
    conditions.push({ sql: `(type <> 'private' OR ${joined.sql})`, values: joined.values });
  const searchKey = query.text("searchKey");
  if (searchKey !== undefined && searchKey !== "") {
    const fields = query.list("searchIn") ?? ["name", "guid"];
    const columns = ["name", "guid"].filter((column) => fields.includes(column));
    conditions.push({
      sql: `(${columns.map((column) => `instr(lower(${column}), lower(?)) > 0`).join(" OR ") || "0"})`,
      values: columns.map(() => searchKey),
    });
  }
  return conditions;
}

// `append` goes on after a time, `prepend` before it (chat-api §3); never-updated groups count with their creation.
function updatedAtCursor(call: AppCall): Condition | undefined {
  const updatedAt = call.query.integer("updatedAt");
  if (updatedAt === undefined) return undefined;
  return { sql: `${lastChange} ${affixOf(call) === "append" ? ">" : "<"} ?`, values: [updatedAt] };
}

function affixOf(call: AppCall): "append" | "prepend" {
  const affix = call.query.text("affix") ?? "append";
  if (affix !== "append" && affix !== "prepend") {
    throw badRequest({ affix: "The affix must be append or prepend." });
  }
  return affix;
}

const lastChange = "coalesce(updated_at, created_at)";

function order(call: AppCall): string {
  if (call.query.integer("updatedAt") !== undefined) {
    return `${lastChange} ${affixOf(call) === "append" ? "ASC" : "DESC"}, guid`;
  }
  const direction = call.query.text("sortOrder") === "desc" ? "DESC" : "ASC";
  switch (call.query.text("sortBy")) {
    case "name":
      return `name ${direction}, guid`;
    case "createdAt":
      return `created_at ${direction}, guid`;
    case "guid":
    case undefined:
      return `guid ${direction}`;
    default:
      throw badRequest({ sortBy: "The sortBy must be name, guid or createdAt." });
  }
}

import {
  allOf,
  type Condition,
  equals,
  listCondition,
  type Range,
  rangeConditions,
  tagCondition,
} from "./condition.ts";
import type { Database } from "./database.ts";
import { type Group, isGroup } from "./groups.ts";
import { entityIn, integerIn } from "./row.ts";

/** Says which groups a list is to hold and in what order; what is absent filters nothing. Times are unix seconds. */
export type GroupFilter = {
  types?: readonly string[] | undefined;
  allowedTypes?: readonly string[] | undefined;
  guids?: readonly string[] | undefined;
  tags?: readonly string[] | undefined;
  createdAt?: Range | undefined;
  updatedAt?: Range | undefined;
  membersCount?: Range | undefined;
  type?: string | undefined;
  guid?: string | undefined;
  /** A user who sees no private group of others; with `onlyJoined` nothing but their own groups. */
  reader?: { uid: string; onlyJoined: boolean } | undefined;
  /** A text inside name or guid, whichever of the two `fields` names. */
  search?: { key: string; fields: readonly string[] } | undefined;
  order: GroupOrder;
};

/** By one field, or on from a time of the last change; a group that never changed counts with its creation. */
export type GroupOrder =
  | { by: "guid" | "name" | "createdAt"; isDescending: boolean }
  | { by: "lastChange"; from: number; isDescending: boolean };

/** Lists a part of an app's groups that a filter lets through, and counts them all. */
export function selectGroups(
  db: Database,
  appId: string,
  filter: GroupFilter,
  window: { limit: number; offset: number },
): { groups: Group[]; total: number } {
  const { sql, values } = allOf(conditionsOf(appId, filter));
  const total = db.get(`SELECT count(*) AS n FROM groups WHERE ${sql}`, ...values);
  const rows = db.all(
    `SELECT body FROM groups WHERE ${sql} ORDER BY ${orderOf(filter.order)} LIMIT ? OFFSET ?`,
    ...values,
    window.limit,
    window.offset,
  );
  return {
    groups: rows.map((row) => entityIn(row, "body", isGroup)),
    total: total === undefined ? 0 : integerIn(total, "n"),
  };
}

function conditionsOf(appId: string, filter: GroupFilter): Condition[] {
  return [
    ...equals("app_id", appId),
    ...listCondition("type", filter.types),
    ...listCondition("type", filter.allowedTypes),
    ...listCondition("guid", filter.guids),
    ...tagCondition(filter.tags),
    ...rangeConditions("created_at", filter.createdAt),
    ...rangeConditions("updated_at", filter.updatedAt),
    ...rangeConditions("members_count", filter.membersCount),
    ...fromLastChange(filter.order),
    ...equals("type", filter.type),
    ...equals("guid", filter.guid),
    ...readerConditions(appId, filter.reader),
    ...searchConditions(filter.search),
  ];
}

function readerConditions(appId: string, reader: GroupFilter["reader"]): Condition[] {
  if (reader === undefined) return [];
  const joined = {
    sql: "guid IN (SELECT guid FROM members WHERE members.app_id = ? AND members.uid = ?)",
    values: [appId, reader.uid],
  };
  return [
    ...(reader.onlyJoined ? [joined] : []),
    { sql: `(type <> 'private' OR ${joined.sql})`, values: joined.values },
  ];
}

function searchConditions(search: GroupFilter["search"]): Condition[] {
  if (search === undefined) return [];
  const columns = ["name", "guid"].filter((column) => search.fields.includes(column));
  return [
    {
      sql: `(${columns.map((column) => `instr(lower(${column}), lower(?)) > 0`).join(" OR ") || "0"})`,
      values: columns.map(() => search.key),
    },
  ];
}

function fromLastChange(order: GroupOrder): Condition[] {
  if (order.by !== "lastChange") return [];
  return [{ sql: `${lastChange} ${order.isDescending ? "<" : ">"} ?`, values: [order.from] }];
}

function orderOf({ by, isDescending }: GroupOrder): string {
  const direction = isDescending ? "DESC" : "ASC";
  return by === "guid" ? `guid ${direction}` : `${orderColumns[by]} ${direction}, guid`;
}

const lastChange = "coalesce(updated_at, created_at)";
const orderColumns = { name: "name", createdAt: "created_at", lastChange };

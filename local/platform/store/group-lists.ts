import {
  allOf,
  type Condition,
  equals,
  type FilterFields,
  listCondition,
  type Range,
  rangeConditions,
  tagCondition,
} from "./condition.ts";
import type { AppData } from "./database.ts";
import { type Group, isGroup } from "./groups.ts";

/** Says which groups a list is to hold and in what order; what is absent filters nothing. Times are unix seconds. */
export type GroupFilter = FilterFields<{
  types: readonly string[];
  allowedTypes: readonly string[];
  guids: readonly string[];
  tags: readonly string[];
  createdAt: Range;
  updatedAt: Range;
  membersCount: Range;
  type: string;
  guid: string;
  /** A user who sees no private group of others; with `onlyJoined` nothing but their own groups. */
  reader: { uid: string; onlyJoined: boolean };
  /** A text inside name or guid, whichever of the two `fields` names. */
  search: { key: string; fields: readonly string[] };
}> & { order: GroupOrder };

/** By one field, or on from a time of the last change; a group that never changed counts with its creation. */
export type GroupOrder =
  | { by: "guid" | "name" | "createdAt"; isDescending: boolean }
  | { by: "lastChange"; from: number; isDescending: boolean };

/** Lists a part of an app's groups that a filter lets through, and counts them all. */
export function selectGroups(
  { db, appId }: AppData,
  filter: GroupFilter,
  window: { limit: number; offset: number },
): { groups: Group[]; total: number } {
  const { sql, values } = allOf(conditionsOf(appId, filter));
  const total = db.count(`SELECT count(*) AS n FROM groups WHERE ${sql}`, ...values);
  const page = `SELECT body FROM groups WHERE ${sql} ORDER BY ${orderOf(filter.order)} LIMIT ? OFFSET ?`;
  return { groups: db.entities(isGroup, page, ...values, window.limit, window.offset), total };
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

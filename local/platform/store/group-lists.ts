import { ensureField } from "../errors/platform-error.ts";
import {
  allOf,
  type Condition,
  equals,
  forValue,
  listCondition,
  rangeConditions,
  tagCondition,
} from "./condition.ts";
import type { AppData } from "./database.ts";
import type { Group } from "./groups.ts";
import type { Query } from "./query.ts";
import { type Part, selectPart, type Window } from "./user-lists.ts";

/** A user sees no private groups but their own (assumed); `allowedTypes` undefined allows all. */
export function selectGroups(
  { db, appId }: AppData,
  query: Query,
  asked: { readerUid: string | undefined; allowedTypes: readonly string[] | undefined; window: Window },
): Part<Group> {
  const joined = "guid IN (SELECT guid FROM members WHERE members.app_id = ? AND members.uid = ?)";
  const forReader = (sql: string): Condition[] =>
    asked.readerUid === undefined ? [] : [{ sql, values: [appId, asked.readerUid] }];
  const lastChange = readLastChange(query);
  const conditions = allOf([
    ...equals("app_id", appId),
    ...listCondition("type", query.list("types")),
    ...listCondition("type", asked.allowedTypes),
    ...listCondition("guid", query.list("guids")),
    ...tagCondition(query.list("tags")),
    ...rangeConditions("created_at", query.range("createdAt")),
    ...rangeConditions("updated_at", query.range("updatedAt")),
    ...rangeConditions("members_count", query.range("membersCount")),
    ...forValue(lastChange?.from, `${lastChangeOf} ${lastChange?.isBefore ? "<" : ">"} ?`),
    ...equals("type", query.text("type")),
    ...equals("guid", query.text("guid")),
    ...(query.flag("hasJoined") ? forReader(joined) : []),
    ...forReader(`(type <> 'private' OR ${joined})`),
    ...searchConditions(query),
  ]);
  return selectPart(db, { ...conditions, from: "groups", order: readOrder(query) }, asked.window);
}

// Searches inside name and guid.
function searchConditions(query: Query) {
  const key = query.text("searchKey") ?? "";
  if (key === "") return [];
  const fields = query.list("searchIn") ?? ["name", "guid"];
  const columns = ["name", "guid"].filter((column) => fields.includes(column));
  const sql = columns.map((column) => `instr(lower(${column}), lower(?)) > 0`).join(" OR ") || "0";
  return [{ sql: `(${sql})`, values: columns.map(() => key) }];
}

// Continues after that time (`append`) or before it (`prepend`)
// (docs/internals/platform/answers-and-errors.md#lists-by-cursor). A group that never changed counts with its
// creation.
function readLastChange(query: Query) {
  const from = query.integer("updatedAt");
  return from === undefined ? undefined : { from, isBefore: query.text("affix") === "prepend" };
}

function readOrder(query: Query) {
  const lastChange = readLastChange(query);
  const isDescending = lastChange?.isBefore ?? query.text("sortOrder") === "desc";
  const by = query.text("sortBy") ?? "guid";
  const column = lastChange === undefined ? sortColumns.get(by) : lastChangeOf;
  ensureField(column !== undefined, "sortBy", "The sortBy must be name, guid or createdAt.");
  return `${column} ${isDescending ? "DESC" : "ASC"}, guid`;
}

const lastChangeOf = "coalesce(updated_at, created_at)";
const sortColumns = new Map([
  ["name", "name"],
  ["createdAt", "created_at"],
  ["guid", "guid"],
]);

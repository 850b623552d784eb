import { allowedValues } from "../access/enforce.ts";
import { badRequest } from "../errors/failures.ts";
import { pageMeta, readPage } from "../http/pagination.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppCall } from "../http/route.ts";
import { type GroupFilter, type GroupOrder, selectGroups } from "../store/group-lists.ts";
import { showGroupFor } from "./group-lookup.ts";

/** Answers GET /groups. @see docs/platform/users-and-groups.md#groups */
export function listGroups(call: AppCall): Reply {
  const page = readPage(call.query);
  const { groups, total } = selectGroups(call.db, call.app.appId, readFilter(call), page);
  const withTags = call.query.flag("withTags") === true;
  const last = groups.at(-1);
  return reply(
    groups.map((group) => showGroupFor(call, group, withTags)),
    {
      meta: {
        ...pageMeta(page, total, groups.length),
        ...(last === undefined
          ? {}
          : { cursor: { updatedAt: last.updatedAt ?? last.createdAt, affix: affixOf(call) } }),
      },
    },
  );
}

function readFilter(call: AppCall): GroupFilter {
  const { query, actor } = call;
  const searchKey = query.text("searchKey");
  return {
    types: query.list("types"),
    allowedTypes: allowedValues(call, "listGroups.allowedGroupTypes"),
    guids: query.list("guids"),
    tags: query.list("tags"),
    createdAt: query.range("createdAt"),
    updatedAt: query.range("updatedAt"),
    membersCount: query.range("membersCount"),
    type: query.text("type"),
    guid: query.text("guid"),
    // A user sees the private groups they are in, and no other (assumed).
    reader:
      actor === undefined ? undefined : { uid: actor.uid, onlyJoined: query.flag("hasJoined") === true },
    search:
      searchKey === undefined || searchKey === ""
        ? undefined
        : { key: searchKey, fields: query.list("searchIn") ?? ["name", "guid"] },
    order: readOrder(call),
  };
}

function affixOf(call: AppCall): "append" | "prepend" {
  const affix = call.query.text("affix") ?? "append";
  if (affix !== "append" && affix !== "prepend") {
    throw badRequest({ affix: "The affix must be append or prepend." });
  }
  return affix;
}

// With `updatedAt` the list goes on after that time (`append`) or before it (`prepend`)
// (docs/platform/answers-and-errors.md#lists-by-cursor).
function readOrder(call: AppCall): GroupOrder {
  const updatedAt = call.query.integer("updatedAt");
  if (updatedAt !== undefined) {
    return { by: "lastChange", from: updatedAt, isDescending: affixOf(call) === "prepend" };
  }
  const isDescending = call.query.text("sortOrder") === "desc";
  const by = call.query.text("sortBy") ?? "guid";
  if (by !== "name" && by !== "createdAt" && by !== "guid") {
    throw badRequest({ sortBy: "The sortBy must be name, guid or createdAt." });
  }
  return { by, isDescending };
}

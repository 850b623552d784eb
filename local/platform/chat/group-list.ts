import { allowedValues } from "../access/enforce.ts";
import { badRequest } from "../errors/failures.ts";
import { pageMeta, readPage } from "../http/pagination.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppRequest } from "../http/route.ts";
import { type GroupFilter, type GroupOrder, selectGroups } from "../store/group-lists.ts";
import { showGroupFor } from "./group-lookup.ts";

/** Answers GET /groups. @see docs/platform/users-and-groups.md#groups */
export function listGroups(request: AppRequest): Reply {
  const page = readPage(request.query);
  const { groups, total } = selectGroups(request.db, request.app.appId, readFilter(request), page);
  const withTags = request.query.flag("withTags") === true;
  const last = groups.at(-1);
  return reply(
    groups.map((group) => showGroupFor(request, group, withTags)),
    {
      meta: {
        ...pageMeta(page, total, groups.length),
        ...(last === undefined
          ? {}
          : { cursor: { updatedAt: last.updatedAt ?? last.createdAt, affix: affixOf(request) } }),
      },
    },
  );
}

function readFilter(request: AppRequest): GroupFilter {
  const { query, actor } = request;
  const searchKey = query.text("searchKey");
  return {
    types: query.list("types"),
    allowedTypes: allowedValues(request, "listGroups.allowedGroupTypes"),
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
    order: readOrder(request),
  };
}

function affixOf(request: AppRequest): "append" | "prepend" {
  const affix = request.query.text("affix") ?? "append";
  if (affix !== "append" && affix !== "prepend") {
    throw badRequest({ affix: "The affix must be append or prepend." });
  }
  return affix;
}

// With `updatedAt` the list goes on after that time (`append`) or before it (`prepend`)
// (docs/platform/answers-and-errors.md#lists-by-cursor).
function readOrder(request: AppRequest): GroupOrder {
  const updatedAt = request.query.integer("updatedAt");
  if (updatedAt !== undefined) {
    return { by: "lastChange", from: updatedAt, isDescending: affixOf(request) === "prepend" };
  }
  const isDescending = request.query.text("sortOrder") === "desc";
  const by = request.query.text("sortBy") ?? "guid";
  if (by !== "name" && by !== "createdAt" && by !== "guid") {
    throw badRequest({ sortBy: "The sortBy must be name, guid or createdAt." });
  }
  return { by, isDescending };
}

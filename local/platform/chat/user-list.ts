import { pageMeta, readPage } from "../http/pagination.ts";
import { countReply, type Reply, reply } from "../http/reply.ts";
import type { AppRequest } from "../http/route.ts";
import { countUsers, selectUsers, type UserFilter } from "../store/user-lists.ts";
import { showUser } from "../wire/show.ts";

/** Answers GET /users. @see docs/platform/users-and-groups.md#users; order by uid is assumed */
export function listUsers(request: AppRequest): Reply {
  const page = readPage(request.query);
  const filter = readFilter(request);
  const total = countUsers(request.db, request.app.appId, filter);
  if (request.query.flag("count") === true) return countReply(total);
  const users = selectUsers(request.db, request.app.appId, filter, page);
  const withTags = request.query.flag("withTags") === true;
  const last = users.at(-1);
  return reply(
    users.map((user) => showUser(user, { withTags })),
    {
      meta: pageMeta(page, total, users.length),
      ...(last === undefined
        ? {}
        : { cursor: { updatedAt: last.updatedAt ?? last.createdAt, affix: "append" } }),
    },
  );
}

function readFilter({ query }: AppRequest): UserFilter {
  const onlyDeactivated = query.flag("onlyDeactivated") === true;
  const isForAll = !onlyDeactivated && query.flag("withDeactivated") === true;
  const searchKey = query.text("searchKey");
  return {
    roles: query.list("roles"),
    tags: query.list("tags"),
    createdAt: query.range("createdAt"),
    updatedAt: query.range("updatedAt"),
    role: query.text("role"),
    status: query.text("status"),
    activity: onlyDeactivated ? "deactivated" : isForAll ? "all" : "active",
    search:
      searchKey === undefined || searchKey === ""
        ? undefined
        : { key: searchKey, fields: query.list("searchIn") ?? ["name", "uid"] },
  };
}

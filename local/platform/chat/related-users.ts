import { pageMeta, readPage } from "../http/pagination.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppRequest } from "../http/route.ts";
import { selectRelated } from "../store/user-lists.ts";
import type { User } from "../store/users.ts";
import { showUser } from "../wire/show.ts";
import { blockFields } from "./user-relations.ts";

/** Answers a page of the users related to one, as that one sees them. */
export function listRelated(request: AppRequest, user: User, relation: "friends" | "blocked"): Reply {
  const page = readPage(request.query);
  const searchKey = request.query.text("searchKey") ?? "";
  const search = searchKey === "" ? undefined : { key: searchKey, fields: ["name", "uid"] };
  const asked = { relation, search, window: page };
  const { users, total } = selectRelated(request.db, request.app.appId, user.uid, asked);
  const last = users.at(-1);
  return reply(
    users.map((other) => ({
      ...showUser(other, { withTags: false, viewerUid: user.uid }),
      ...blockFields(request.db, request.app, user.uid, other.uid),
    })),
    {
      meta: {
        ...pageMeta(page, total, users.length),
        ...(last === undefined
          ? {}
          : { cursor: { updatedAt: last.updatedAt ?? last.createdAt, affix: "append" } }),
      },
    },
  );
}

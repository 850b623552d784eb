import { type Page, pageMeta } from "../http/pagination.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppCall } from "../http/route.ts";
import { entity, integer } from "../store/row.ts";
import { isUser, type User } from "../store/users.ts";
import { showUser } from "../wire/show.ts";
import { searchCondition } from "./user-list.ts";
import { blockFields } from "./user-relations.ts";

/**
 * Answers a page of the users related to one (friends, blocked), as that one sees them. `where` has two marks, for the
 * app and the uid; the texts come from code, never from input.
 */
export function listRelated(
  call: AppCall,
  user: User,
  source: { from: string; where: string; page: Page },
): Reply {
  const { page } = source;
  const searchKey = call.query.text("searchKey") ?? "";
  const search = searchKey === "" ? undefined : searchCondition(searchKey, ["name", "uid"]);
  const where = search === undefined ? source.where : `${source.where} AND ${search.sql}`;
  const values = [call.app.appId, user.uid, ...(search?.values ?? [])];
  const total = call.db.get(`SELECT count(*) AS n FROM ${source.from} WHERE ${where}`, ...values);
  const users = call.db
    .all(
      `SELECT users.body AS body FROM ${source.from} WHERE ${where} ORDER BY users.uid LIMIT ? OFFSET ?`,
      ...values,
      page.limit,
      page.offset,
    )
    .map((row) => entity(row, "body", isUser));
  const last = users.at(-1);
  return reply(
    users.map((other) => ({
      ...showUser(other, { withTags: false, viewerUid: user.uid }),
      ...blockFields(call.db, call.app, user.uid, other.uid),
    })),
    {
      meta: {
        ...pageMeta(page, total === undefined ? 0 : integer(total, "n"), users.length),
        ...(last === undefined
          ? {}
          : { cursor: { updatedAt: last.updatedAt ?? last.createdAt, affix: "append" } }),
      },
    },
  );
}

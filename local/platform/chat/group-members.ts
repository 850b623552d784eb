import { pageMeta, readPage } from "../http/pagination.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppCall, AppRoute } from "../http/route.ts";
import { listCondition } from "../http/sql-range.ts";
import { toMember } from "../store/groups.ts";
import { entity, integer } from "../store/row.ts";
import { isUser } from "../store/users.ts";
import { requireGroup } from "./group-lookup.ts";
import { addMembers, readMemberLists } from "./member-add.ts";
import { showUser } from "./show.ts";

const base = { fidelity: "documented", source: "chat-api §4 Group members" } as const;

/** Declares the group member family (scope change and kick are still to come). */
export const groupMemberRoutes: readonly AppRoute[] = [
  {
    ...base,
    operationId: "add-group-members",
    method: "POST",
    path: "/groups/{guid}/members",
    onBehalfOf: "optional",
    handler: add,
  },
  {
    ...base,
    operationId: "list-group-members",
    method: "GET",
    path: "/groups/{guid}/members",
    onBehalfOf: "unsupported",
    handler: list,
  },
];

function add(call: AppCall): Reply {
  const group = requireGroup(call);
  const lists = readMemberLists(call.body);
  return reply(call.db.transaction(() => addMembers(call, group.guid, lists)));
}

function list(call: AppCall): Reply {
  const group = requireGroup(call);
  const page = readPage(call.query);
  const status = call.query.text("status");
  const conditions = [
    { sql: "members.app_id = ?", values: [call.app.appId] },
    { sql: "members.guid = ?", values: [group.guid] },
    ...listCondition("members.scope", call.query.list("scopes")),
    ...(status === undefined ? [] : [{ sql: "users.status = ?", values: [status] }]),
  ];
  const from = `FROM members JOIN users ON users.app_id = members.app_id AND users.uid = members.uid
    WHERE ${conditions.map((condition) => condition.sql).join(" AND ")}`;
  const values = conditions.flatMap((condition) => condition.values);
  const total = call.db.get(`SELECT count(*) AS n ${from}`, ...values);
  const members = call.db
    .all(
      `SELECT members.*, users.body AS body ${from} ORDER BY members.uid LIMIT ? OFFSET ?`,
      ...values,
      page.limit,
      page.offset,
    )
    .map((row) => {
      const { scope, joinedAt } = toMember(row);
      return { user: entity(row, "body", isUser), scope, joinedAt };
    });
  const last = members.at(-1);
  return reply(
    members.map(({ user, scope, joinedAt }) => ({ ...showUser(user, { withTags: false }), scope, joinedAt })),
    {
      meta: pageMeta(page, total === undefined ? 0 : integer(total, "n"), members.length),
      ...(last === undefined
        ? {}
        : { cursor: { updatedAt: last.user.updatedAt ?? last.user.createdAt, affix: "append" } }),
    },
  );
}

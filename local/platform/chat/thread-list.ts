import { badRequest } from "../errors/failures.ts";
import { readCursor } from "../http/cursor.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppCall } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { type Condition, countMessages, isMessage, type Message } from "../store/messages.ts";
import { entity, integer } from "../store/row.ts";
import { presentMessages } from "./message-view.ts";
import { mentions, unreadBy, visibleTo } from "./reader-filters.ts";

/** Answers GET /threads: parents with their last reply, those of the acting user's conversations when there is one. */
export function listThreads(call: AppCall): Reply {
  const cursor = readCursor(call.query, 100);
  const isBackwards = cursor.affix === "prepend";
  const conditions = filters(call, isBackwards);
  const direction = isBackwards ? "DESC" : "ASC";
  const rows = call.db.all(
    `SELECT threads.updated_at, messages.body FROM threads
     JOIN messages ON messages.app_id = threads.app_id AND messages.id = threads.parent_id
     WHERE threads.app_id = ? ${conditions.map((condition) => `AND ${condition.sql}`).join(" ")}
     ORDER BY threads.updated_at ${direction}, threads.parent_id ${direction} LIMIT ?`,
    call.app.appId,
    ...conditions.flatMap((condition) => condition.values),
    cursor.limit,
  );
  if (isBackwards) rows.reverse();
  const parents = rows.map((row) => entity(row, "body", isMessage));
  const edge = isBackwards ? rows.at(0) : rows.at(-1);
  const shown = presentMessages(call, parents).map((parent, index) => ({
    ...parent,
    ...counts(call, parents[index]),
  }));
  return reply(shown, {
    meta: {
      current: { limit: cursor.limit, count: shown.length },
      ...(edge === undefined
        ? {}
        : { next: { affix: cursor.affix, updatedAt: integer(edge, "updated_at") } }),
    },
  });
}

function filters(call: AppCall, isBackwards: boolean): Condition[] {
  const conditions: Condition[] = [{ sql: "messages.deleted_at IS NULL", values: [] }];
  const updatedAt = call.query.integer("updatedAt");
  if (updatedAt !== undefined) {
    conditions.push({ sql: `threads.updated_at ${isBackwards ? "<" : ">"} ?`, values: [updatedAt] });
  }
  const { actor } = call;
  const isMine = call.query.flag("participatedByMe") === true;
  if (actor === undefined) {
    if (isMine) throw badRequest({ participatedByMe: "participatedByMe needs the onBehalfOf header." });
    return conditions;
  }
  const visible = visibleTo(call, actor.uid);
  conditions.push({ ...visible, sql: `threads.${visible.sql}` });
  if (isMine) {
    conditions.push({
      sql: `(messages.sender = ? OR EXISTS (SELECT 1 FROM messages AS reply
        WHERE reply.app_id = threads.app_id AND reply.parent_id = threads.parent_id AND reply.sender = ?))`,
      values: [actor.uid, actor.uid],
    });
  }
  return conditions;
}

function counts(call: AppCall, parent: Message | undefined): JsonObject {
  if (call.actor === undefined || parent === undefined) return {};
  const { uid } = call.actor;
  const unread = [{ sql: "parent_id = ?", values: [Number(parent.id)] }, ...unreadBy(uid)];
  const count = (conditions: Condition[]) => countMessages(call.db, call.app.appId, conditions);
  return {
    ...(call.query.flag("withUnreadReplyCount") === true ? { unreadReplyCount: count(unread) } : {}),
    ...(call.query.flag("withMentionCount") === true
      ? { mentionCount: count([...unread, mentions(uid)]) }
      : {}),
  };
}

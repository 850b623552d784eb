import { badRequest, PlatformError } from "../errors/platform-error.ts";
import { optionalTexts } from "../http/fields.ts";
import { type Reply, reply } from "../http/reply.ts";
import { type AppRequest, type AppRoute, appFamily } from "../http/route.ts";
import { type AppServices, nowSeconds } from "../services/services.ts";
import { deleteBlock, putBlock } from "../store/relations.ts";
import type { User } from "../store/users.ts";
import { showUser } from "../wire/show.ts";
import { itemResult } from "./item-result.ts";
import { listRelated, requireUser, requireUserByUid } from "./user-lookup.ts";

const route = appFamily("docs/platform/users-and-groups.md#blocked-users");

/** Declares the blocked user family. */
export const blockedUserRoutes: readonly AppRoute[] = [
  route("block-users", "POST /users/{uid}/blockedusers", block, {
    assumptions: [
      "Blocking again succeeds and keeps the first time.",
      "One user_blocked event names all users of the call that were blocked.",
    ],
  }),
  route("unblock-users", "DELETE /users/{uid}/blockedusers", unblock, {
    assumptions: ["Unblocking somebody who is not blocked succeeds and is in no event."],
  }),
  route("list-blocked-users", "GET /users/{uid}/blockedusers", list, {
    assumptions: ["Ordered by uid.", "Those who block the path's user are not listed."],
  }),
];

function block(request: AppRequest): Reply {
  return change(request, "user_blocked", (user, other) => {
    if (other.uid === user.uid) {
      throw new PlatformError("ERR_CANNOT_BLOCK_SELF", `The user ${user.uid} cannot block themselves.`);
    }
    putBlock(request, { uid: user.uid, blocked: other.uid, at: nowSeconds(request) });
    return true;
  });
}

function unblock(request: AppRequest): Reply {
  return change(request, "user_unblocked", (user, other) => deleteBlock(request, user.uid, other.uid));
}

function change(
  request: AppRequest,
  trigger: "user_blocked" | "user_unblocked",
  apply: (user: User, other: User) => boolean,
): Reply {
  const user = requireUser(request);
  const uids = optionalTexts(request.body, "blockedUids");
  if (uids === undefined || uids.length === 0) {
    throw badRequest({ blockedUids: "The blockedUids field is required." });
  }
  const word = trigger === "user_blocked" ? "blocked" : "unblocked";
  const changed: User[] = [];
  const results = request.db.transaction(() =>
    uids.map((uid) => [
      uid,
      itemResult(() => {
        const other = requireUserByUid(request, uid);
        if (apply(user, other)) changed.push(other);
        return {
          message: `The user with UID ${user.uid} has ${word} user with UID ${other.uid} successfully.`,
        };
      }),
    ]),
  );
  if (changed.length > 0) emitBlockEvent(request, { trigger, by: user, users: changed });
  return reply(Object.fromEntries(results));
}

function list(request: AppRequest): Reply {
  return listRelated(request, requireUser(request), "blocked");
}

// Emits user_blocked or user_unblocked: `{users: {uid: User}, by: User}`. @see docs/platform/events.md#blocks
function emitBlockEvent(
  services: AppServices,
  event: { trigger: "user_blocked" | "user_unblocked"; by: User; users: readonly User[] },
): void {
  const users = Object.fromEntries(
    event.users.map((user) => [user.uid, showUser(user, { withTags: false, viewerUid: event.by.uid })]),
  );
  services.emit(event.trigger, { users, by: showUser(event.by, { withTags: false }) });
}

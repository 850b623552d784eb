import { limitReached, PlatformError } from "../errors/platform-error.ts";
import { optionalTexts } from "../http/fields.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import { type AppRequest, type AppRoute, appFamily } from "../http/route.ts";
import { nowSeconds } from "../services/services.ts";
import { areFriends, countFriends, deleteFriends, putFriends } from "../store/relations.ts";
import type { User } from "../store/users.ts";
import { itemResult } from "./item-result.ts";
import { listRelated, requireUser, requireUserByUid } from "./user-lookup.ts";

const route = appFamily("docs/platform/users-and-groups.md#friends");

/** Declares the friend family. */
export const friendRoutes: readonly AppRoute[] = [
  route("add-friend", "POST /users/{uid}/friends", add, {
    input: { needs: { items: ["accepted"] } },
    assumptions: ["Codes of refused uids are in their results.", "A friendship holds in both directions."],
  }),
  route("list-all-friends", "GET /users/{uid}/friends", list, {
    assumptions: ["Ordered by uid.", "searchKey is a prefix of uid or name."],
  }),
  route("remove-friend", "DELETE /users/{uid}/friends", remove, {
    input: { needs: { items: ["friends"] } },
    assumptions: ["One uid that is no friend refuses the whole call: ERR_NOT_A_FRIEND."],
  }),
];

function add(request: AppRequest): Reply {
  const user = requireUser(request);
  const uids = optionalTexts(request.body, "accepted") ?? [];
  const results = request.db.transaction(() =>
    uids.map((uid) => [uid, itemResult(() => befriend(request, user, uid))]),
  );
  return reply({ accepted: Object.fromEntries(results) });
}

function befriend(request: AppRequest, user: User, uid: string): { message: string } {
  const friend = requireUserByUid(request, uid);
  if (friend.uid === user.uid) {
    throw new PlatformError("ERR_CANNOT_FORM_SELF_RELATION", `The user ${uid} cannot befriend themselves.`);
  }
  if (areFriends(request, user.uid, friend.uid)) {
    throw new PlatformError("ERR_ALREADY_FRIEND", `The users ${user.uid} and ${uid} are friends already.`);
  }
  for (const each of [user, friend]) {
    if (countFriends(request, each.uid) >= maxFriends) throw limitReached("friends", maxFriends);
  }
  putFriends(request, {
    uid: user.uid,
    friend: friend.uid,
    since: nowSeconds(request),
  });
  return { message: "Created relationship with status accepted." };
}

function list(request: AppRequest): Reply {
  return listRelated(request, requireUser(request), "friends");
}

function remove(request: AppRequest): Reply {
  const user = requireUser(request);
  const uids = (optionalTexts(request.body, "friends") ?? []).map((uid) => uid.toLowerCase());
  for (const uid of uids) {
    if (!areFriends(request, user.uid, uid)) {
      throw new PlatformError("ERR_NOT_A_FRIEND", `The users ${user.uid} and ${uid} are not friends.`);
    }
  }
  request.db.transaction(() => {
    for (const uid of uids) deleteFriends(request, user.uid, uid);
  });
  // The spelling is the platform's.
  return acknowledge("Deleted the friend relations succussfully");
}

// See docs/platform/ids-and-limits.md#quantities.
const maxFriends = 1_000;

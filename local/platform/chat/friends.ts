import { limitReached } from "../errors/failures.ts";
import { PlatformError } from "../errors/platform-error.ts";
import { optionalTexts } from "../http/fields.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import { nowSeconds } from "../services/services.ts";
import { areFriends, countFriends, deleteFriends, putFriends } from "../store/relations.ts";
import type { User } from "../store/users.ts";
import { itemResult } from "./item-result.ts";
import { listRelated } from "./related-users.ts";
import { requireUser, requireUserByUid } from "./user-lookup.ts";

const base = {
  fidelity: "documented",
  source: "docs/platform/users-and-groups.md#friends",
  onBehalfOf: "unsupported",
  path: "/users/{uid}/friends",
} as const;

/** Declares the friend family. */
export const friendRoutes: readonly AppRoute[] = [
  {
    ...base,
    operationId: "add-friend",
    input: { needs: { items: ["accepted"] } },
    method: "POST",
    assumptions: ["Codes of refused uids are in their results.", "A friendship holds in both directions."],
    handler: add,
  },
  {
    ...base,
    operationId: "list-all-friends",
    method: "GET",
    assumptions: ["Ordered by uid.", "searchKey is a prefix of uid or name."],
    handler: list,
  },
  {
    ...base,
    operationId: "remove-friend",
    input: { needs: { items: ["friends"] } },
    method: "DELETE",
    assumptions: ["One uid that is no friend refuses the whole call: ERR_NOT_A_FRIEND."],
    handler: remove,
  },
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
  if (areFriends(request.db, request.app.appId, user.uid, friend.uid)) {
    throw new PlatformError("ERR_ALREADY_FRIEND", `The users ${user.uid} and ${uid} are friends already.`);
  }
  for (const each of [user, friend]) {
    if (countFriends(request.db, request.app.appId, each.uid) >= maxFriends)
      throw limitReached("friends", maxFriends);
  }
  putFriends(request.db, request.app.appId, {
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
    if (!areFriends(request.db, request.app.appId, user.uid, uid)) {
      throw new PlatformError("ERR_NOT_A_FRIEND", `The users ${user.uid} and ${uid} are not friends.`);
    }
  }
  request.db.transaction(() => {
    for (const uid of uids) deleteFriends(request.db, request.app.appId, user.uid, uid);
  });
  // The spelling is the platform's.
  return acknowledge("Deleted the friend relations succussfully");
}

// See docs/platform/ids-and-limits.md#quantities.
const maxFriends = 1_000;

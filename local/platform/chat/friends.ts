import { ensure, itemResults, missing, requireRoom } from "../errors/platform-error.ts";
import { textsOf } from "../http/fields.ts";
import { type AppRequest, acknowledge, appFamily } from "../http/route.ts";
import { type AppServices, nowSeconds } from "../services/services.ts";
import { countRows, deleteRows, putRow } from "../store/database.ts";
import { areFriends, deleteFriends, isBlockedBy, putFriends, type User } from "../store/users.ts";
import { showUser } from "../wire/show.ts";
import { listRelated, requireUser, requireUserByUid } from "./lookup.ts";

export const friendRoutes = appFamily({
  "add-friend"(request) {
    const user = requireUser(request);
    const uids = textsOf(request.body, "accepted");
    return { accepted: itemResults(uids, (uid) => addOneFriend(request, user, uid)) };
  },
  "list-all-friends": (request) => listRelated(request, "friends"),
  "remove-friend"(request) {
    const user = requireUser(request);
    const uids = textsOf(request.body, "friends").map((uid) => uid.toLowerCase());
    for (const uid of uids) {
      ensure(
        areFriends(request, user.uid, uid),
        "ERR_NOT_A_FRIEND",
        `The users ${user.uid} and ${uid} are not friends.`,
      );
    }
    for (const uid of uids) deleteFriends(request, user.uid, uid);
    // The platform spells it so.
    return acknowledge("Deleted the friend relations succussfully");
  },
  "block-users": (request) =>
    changeBlocks(request, "user_blocked", (user, other) => {
      ensure(
        other.uid !== user.uid,
        "ERR_CANNOT_BLOCK_SELF",
        `The user ${user.uid} cannot block themselves.`,
      );
      putBlock(request, user, other);
      return true;
    }),
  "unblock-users": (request) =>
    changeBlocks(
      request,
      "user_unblocked",
      (user, other) => deleteRows(request, "blocks", { uid: user.uid, blocked: other.uid }) > 0,
    ),
  "list-blocked-users": (request) => listRelated(request, "blocked"),
});

function addOneFriend(request: AppRequest, user: User, uid: string) {
  const friend = requireUserByUid(request, uid);
  ensure(
    friend.uid !== user.uid,
    "ERR_CANNOT_FORM_SELF_RELATION",
    `The user ${uid} cannot befriend themselves.`,
  );
  ensure(
    !areFriends(request, user.uid, friend.uid),
    "ERR_ALREADY_FRIEND",
    `The users ${user.uid} and ${uid} are friends already.`,
  );
  for (const each of [user, friend]) {
    requireRoom(countRows(request, "friends", { uid: each.uid }), "friends", maxFriends);
  }
  putFriends(request, { uid: user.uid, friend: friend.uid, since: nowSeconds(request) });
  return { message: "Created relationship with status accepted." };
}

// @see docs/internals/platform/ids-and-limits.md#quantities
const maxFriends = 1_000;

function changeBlocks(
  request: AppRequest,
  trigger: "user_blocked" | "user_unblocked",
  apply: (user: User, other: User) => boolean,
) {
  const user = requireUser(request);
  const uids = textsOf(request.body, "blockedUids");
  if (uids.length === 0) {
    throw missing("blockedUids");
  }
  const word = trigger === "user_blocked" ? "blocked" : "unblocked";
  const changed: User[] = [];
  const results = itemResults(uids, (uid) => {
    const other = requireUserByUid(request, uid);
    if (apply(user, other)) changed.push(other);
    return { message: `The user with UID ${user.uid} has ${word} user with UID ${other.uid} successfully.` };
  });
  if (changed.length > 0) emitBlocks(request, trigger, user, changed);
  return results;
}

/** Serves a rule. Fires nothing if the block exists (assumed). */
export function blockUser(services: AppServices, user: User, other: User): void {
  if (user.uid === other.uid || isBlockedBy(services, user.uid, other.uid)) return;
  putBlock(services, user, other);
  emitBlocks(services, "user_blocked", user, [other]);
}

function putBlock(services: AppServices, { uid }: User, other: User) {
  putRow(services, "blocks", { uid, blocked: other.uid, blockedAt: nowSeconds(services) }, "IGNORE");
}

/** @see docs/internals/platform/events.md#blocks */
function emitBlocks(services: AppServices, trigger: string, user: User, others: User[]) {
  const users = others.map((other) => showUser(other, user.uid));
  services.emit(trigger, {
    users: Object.fromEntries(users.map((shown) => [shown.uid, shown])),
    by: showUser(user),
  });
}

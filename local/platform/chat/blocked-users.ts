import { badRequest } from "../errors/failures.ts";
import { PlatformError } from "../errors/platform-error.ts";
import { optionalTexts } from "../http/fields.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import { nowSeconds } from "../services/services.ts";
import { deleteBlock, putBlock } from "../store/relations.ts";
import type { User } from "../store/users.ts";
import { emitBlockEvent } from "../webhooks/user-events.ts";
import { itemResult } from "./item-result.ts";
import { listRelated } from "./related-users.ts";
import { requireUser, requireUserByUid } from "./user-lookup.ts";

const base = {
  fidelity: "documented",
  source: "docs/platform/users-and-groups.md#blocked-users",
  onBehalfOf: "unsupported",
  path: "/users/{uid}/blockedusers",
} as const;

/** Declares the blocked user family. */
export const blockedUserRoutes: readonly AppRoute[] = [
  {
    ...base,
    operationId: "block-users",
    method: "POST",
    assumptions: [
      "Blocking again succeeds and keeps the first time.",
      "One user_blocked event names all users of the call that were blocked.",
    ],
    handler: block,
  },
  {
    ...base,
    operationId: "unblock-users",
    method: "DELETE",
    assumptions: ["Unblocking somebody who is not blocked succeeds and is in no event."],
    handler: unblock,
  },
  {
    ...base,
    operationId: "list-blocked-users",
    method: "GET",
    assumptions: ["Ordered by uid.", "Those who block the path's user are not listed."],
    handler: list,
  },
];

function block(request: AppRequest): Reply {
  return change(request, "user_blocked", (user, other) => {
    if (other.uid === user.uid) {
      throw new PlatformError("ERR_CANNOT_BLOCK_SELF", `The user ${user.uid} cannot block themselves.`);
    }
    putBlock(request.db, request.app.appId, { uid: user.uid, blocked: other.uid, at: nowSeconds(request) });
    return true;
  });
}

function unblock(request: AppRequest): Reply {
  return change(request, "user_unblocked", (user, other) =>
    deleteBlock(request.db, request.app.appId, user.uid, other.uid),
  );
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
  if (changed.length > 0) emitBlockEvent(request, request.app, { trigger, by: user, users: changed });
  return reply(Object.fromEntries(results));
}

function list(request: AppRequest): Reply {
  return listRelated(request, requireUser(request), "blocked");
}

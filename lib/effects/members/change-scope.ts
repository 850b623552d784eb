import * as z from "zod/mini";
import { members } from "../../chat/resources/members.ts";
import { checkEffect } from "../check-effect.ts";
import type { Effect } from "../effect.ts";
import { type Settled, settlingEffect } from "../settling-effect.ts";
import { type Membership, membershipShape, readMembers } from "./membership.ts";

export interface ScopeChange extends Membership {
  readonly scope: "admin" | "moderator" | "participant";
}

/**
 * Changes the scope of a member of a group. Repeatable: an equal scope counts as changed; a change by another
 * user between an unclear attempt and the next is reverted. Errors: ERR_NOT_A_MEMBER,
 * ERR_GROUP_NO_SCOPE_CLEARANCE, ERR_GROUP_NO_SELF_ACTION.
 * @see docs/internals/platform/users-and-groups.md#members
 */
export function changeScope(change: ScopeChange): Effect<Settled> {
  checkEffect("changeScope", change, {
    ...membershipShape(),
    scope: z.enum(["admin", "moderator", "participant"]),
  });
  const { guid, uid, scope, onBehalfOf } = change;
  return settlingEffect(
    members.changeScope.id,
    (call, limits) => call(members.changeScope, guid, uid, { scope }, { onBehalfOf, ...limits }),
    {
      meanSo: ["ERR_SAME_SCOPE"],
      isSo: async (call, limits) =>
        (await readMembers(call, guid, limits)).get(uid.toLowerCase())?.scope === scope,
    },
  );
}

import { members } from "../../chat/resources/members.ts";
import { checkEffect } from "../check-effect.ts";
import type { Effect } from "../effect.ts";
import { type Settled, settlingEffect } from "../settling-effect.ts";
import { type Membership, membershipShape, readMembers } from "./membership.ts";

/**
 * Removes a member from a group; the user may join again. Repeatable: a non-member counts as removed, and a
 * user who rejoins between an unclear attempt and the next is removed again. Errors: ERR_GUID_NOT_FOUND,
 * ERR_GROUP_NO_CLEARANCE.
 * @see docs/internals/platform/users-and-groups.md#members
 */
export function kickMember(membership: Membership): Effect<Settled> {
  checkEffect("kickMember", membership, membershipShape());
  const { guid, uid, onBehalfOf } = membership;
  return settlingEffect(
    members.remove.id,
    (call, limits) => call(members.remove, guid, uid, { onBehalfOf, ...limits }),
    {
      meanSo: ["ERR_NOT_A_MEMBER"],
      isSo: async (call, limits) => !(await readMembers(call, guid, limits)).has(uid.toLowerCase()),
    },
  );
}

import type { CallOperation } from "../../chat/operation.ts";
import { bannedUsers } from "../../chat/resources/banned-users.ts";
import { checkEffect } from "../check-effect.ts";
import type { Effect } from "../effect.ts";
import type { RequestLimits } from "../request-limits.ts";
import { type Settled, settlingEffect } from "../settling-effect.ts";
import { type Membership, membershipShape } from "./membership.ts";

/**
 * Bans a user, member or not, from a group. Repeatable: an existing ban counts as done. Errors:
 * ERR_GUID_NOT_FOUND, ERR_UID_NOT_FOUND, ERR_GROUP_NO_CLEARANCE.
 * @see docs/internals/platform/users-and-groups.md#banned-users
 */
export function banMember(membership: Membership): Effect<Settled> {
  checkEffect("banMember", membership, membershipShape());
  const { guid, uid, onBehalfOf } = membership;
  return settlingEffect(
    bannedUsers.ban.id,
    (call, limits) => call(bannedUsers.ban, guid, uid, { onBehalfOf, ...limits }),
    { meanSo: ["ERR_ALREADY_BANNED"], isSo: (call, limits) => isBanned(call, membership, limits) },
  );
}

/**
 * Lifts a ban; the user does not become a member. Repeatable: a missing ban counts as lifted. Errors: as for
 * banning.
 * @see docs/internals/platform/users-and-groups.md#banned-users
 */
export function unbanMember(membership: Membership): Effect<Settled> {
  checkEffect("unbanMember", membership, membershipShape());
  const { guid, uid, onBehalfOf } = membership;
  return settlingEffect(
    bannedUsers.unban.id,
    (call, limits) => call(bannedUsers.unban, guid, uid, { onBehalfOf, ...limits }),
    {
      meanSo: ["ERR_NOT_A_BANNED_USER"],
      isSo: async (call, limits) => !(await isBanned(call, membership, limits)),
    },
  );
}

async function isBanned(
  call: CallOperation,
  { guid, uid }: Membership,
  limits: RequestLimits,
): Promise<boolean> {
  const banned = call(bannedUsers.list, guid, { perPage: 1_000 }, limits);
  for await (const user of banned) if (user.uid === uid.toLowerCase()) return true;
  return false;
}

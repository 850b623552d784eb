import * as z from "zod/mini";
import { members } from "../../chat/resources/members.ts";
import { checkEffect, textOrNone, textsOrNone } from "../check-effect.ts";
import type { Effect } from "../effect.ts";
import { type ItemOutcomes, readOutcomes, requireOutcomes } from "../item-outcomes.ts";
import { orReadBack } from "../read-back.ts";
import { requestLimits } from "../request-limits.ts";
import { readMembers } from "./membership.ts";

/** New members of a group by scope: 1 to 25 uids over all lists. */
export interface NewMembers {
  readonly guid: string;
  readonly admins?: readonly string[];
  readonly moderators?: readonly string[];
  readonly participants?: readonly string[];
  /** uid of an admin of the group. Default: the app. */
  readonly onBehalfOf?: string;
}

/**
 * Adds members to a group and returns each one's outcome: a refused one (`ERR_UID_NOT_FOUND`,
 * `ERR_BANNED_GROUPMEMBER`, …) fails neither the others nor the effect. Existing members keep their scope.
 * Repeatable: after an unclear attempt all are added again, and existing members count as added. Errors:
 * ERR_GUID_NOT_FOUND, ERR_PLAN_QUOTA_RESTRICTION.
 * @see docs/internals/platform/users-and-groups.md#members
 */
export function addMembers(added: NewMembers): Effect<ItemOutcomes> {
  checkEffect("addMembers", added, {
    guid: z.string(),
    ...{ admins: textsOrNone(), moderators: textsOrNone(), participants: textsOrNone() },
    onBehalfOf: textOrNone(),
  });
  const { guid, onBehalfOf, ...lists } = added;
  const { admins = [], moderators = [], participants = [] } = lists;
  const uids = [...admins, ...moderators, ...participants];
  return {
    kind: members.add.id,
    inShadow: { done: uids, wasSo: [], refused: [] },
    stepsWith: ({ call, scope }) => ({
      act: async (isAgain) => {
        const input = {
          ...(admins.length > 0 && { admins: [...admins] }),
          ...(moderators.length > 0 && { moderators: [...moderators] }),
          ...(participants.length > 0 && { participants: [...participants] }),
        };
        const limits = requestLimits(scope);
        const add = async () => {
          const results = await call(members.add, guid, input, { onBehalfOf, ...limits });
          const perList = [results.admins, results.moderators, results.participants];
          return requireOutcomes(
            members.add.id,
            uids,
            readOutcomes(perList, ["ERR_ALREADY_JOINED"], isAgain),
          );
        };
        const areThere = async () => {
          const there = await readMembers(call, guid, limits);
          return uids.every((uid) => there.has(uid.toLowerCase()));
        };
        return orReadBack<ItemOutcomes>(add, areThere, { done: uids, wasSo: [], refused: [] });
      },
    }),
  };
}

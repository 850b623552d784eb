import * as z from "zod/mini";
import { blockedUsers } from "../../chat/resources/blocked-users.ts";
import { checkEffect } from "../check-effect.ts";
import type { Effect } from "../effect.ts";
import { type ItemOutcomes, readOutcomes, requireOutcomes } from "../item-outcomes.ts";
import { orReadBack } from "../read-back.ts";
import { requestLimits } from "../request-limits.ts";

export interface Blocking {
  readonly uid: string;
  /** At least one. */
  readonly blockedUids: readonly string[];
}

/**
 * Blocks users for a user and returns each one's outcome: a refused one (`ERR_UID_NOT_FOUND`,
 * `ERR_CANNOT_BLOCK_SELF`) fails neither the others nor the effect. Repeatable: blocking again changes
 * nothing. Errors: ERR_UID_NOT_FOUND.
 * @see docs/internals/platform/users-and-groups.md#blocked-users
 */
export function blockUsers(blocking: Blocking): Effect<ItemOutcomes> {
  checkBlocking("blockUsers", blocking);
  return blockingEffect(blockedUsers.block, blocking);
}

/**
 * Unblocks users for a user and returns each one's outcome, as blocking does. Repeatable: unblocking again
 * changes nothing. Errors: ERR_UID_NOT_FOUND.
 * @see docs/internals/platform/users-and-groups.md#blocked-users
 */
export function unblockUsers(blocking: Blocking): Effect<ItemOutcomes> {
  checkBlocking("unblockUsers", blocking);
  return blockingEffect(blockedUsers.unblock, blocking);
}

function checkBlocking(effect: string, blocking: unknown): void {
  checkEffect(effect, blocking, { uid: z.string(), blockedUids: z.array(z.string()) });
}

function blockingEffect(
  operation: typeof blockedUsers.block | typeof blockedUsers.unblock,
  { uid, blockedUids }: Blocking,
): Effect<ItemOutcomes> {
  return {
    kind: operation.id,
    inShadow: { done: [...blockedUids], wasSo: [], refused: [] },
    stepsWith: ({ call, scope }) => ({
      act: async (isAgain) => {
        const limits = requestLimits(scope);
        const uids = [...blockedUids];
        const change = async () => {
          const results = await call(operation, uid, { blockedUids: uids }, limits);
          return requireOutcomes(operation.id, uids, readOutcomes([results], [], isAgain));
        };
        const areSo = async () => {
          const there = await call(blockedUsers.list, uid, { perPage: 1_000 }, limits).toArray({
            limit: Infinity,
          });
          const blocked = new Set(there.map((user) => user.uid));
          return uids.every((one) => blocked.has(one.toLowerCase()) === (operation === blockedUsers.block));
        };
        return orReadBack<ItemOutcomes>(change, areSo, { done: uids, wasSo: [], refused: [] });
      },
    }),
  };
}

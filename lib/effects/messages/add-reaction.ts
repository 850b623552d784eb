import * as z from "zod/mini";
import type { CallOperation } from "../../chat/operation.ts";
import { reactions } from "../../chat/resources/reactions.ts";
import { checkEffect } from "../check-effect.ts";
import type { Effect } from "../effect.ts";
import type { RequestLimits } from "../request-limits.ts";
import { type Settled, settlingEffect } from "../settling-effect.ts";

/** A user's reaction to a message. */
export interface OwnReaction {
  readonly messageId: string;
  /** The emoji or text itself. */
  readonly reaction: string;
  /** uid of the user who reacts. */
  readonly onBehalfOf: string;
}

/**
 * Reacts to a message. Repeatable: an existing reaction is not changed. Errors: ERR_MESSAGE_ID_NOT_FOUND.
 * @see docs/internals/platform/messages.md#reactions
 */
export function addReaction(own: OwnReaction): Effect<Settled> {
  checkEffect("addReaction", own, { messageId: z.string(), reaction: z.string(), onBehalfOf: z.string() });
  const { messageId, reaction, onBehalfOf } = own;
  return settlingEffect(
    reactions.add.id,
    (call, limits) => call(reactions.add, messageId, reaction, { onBehalfOf, ...limits }),
    { isSo: (call, limits) => hasReacted(call, own, limits) },
  );
}

/** Returns whether the user's reaction exists. @throws what the client throws */
export async function hasReacted(
  call: CallOperation,
  { messageId, reaction, onBehalfOf }: OwnReaction,
  limits: RequestLimits,
): Promise<boolean> {
  const there = call(reactions.listOf, messageId, reaction, limits);
  for await (const { uid } of there) if (uid === onBehalfOf.toLowerCase()) return true;
  return false;
}

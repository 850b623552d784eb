import * as z from "zod/mini";
import { reactions } from "../../chat/resources/reactions.ts";
import { checkEffect } from "../check-effect.ts";
import type { Effect } from "../effect.ts";
import { messageIsGone, type Settled, settlingEffect } from "../settling-effect.ts";
import { hasReacted, type OwnReaction } from "./add-reaction.ts";

/**
 * Removes a user's reaction. Repeatable: a missing reaction or message counts as removed. Errors: those of
 * the client.
 * @see docs/internals/platform/messages.md#reactions
 */
export function removeReaction(own: OwnReaction): Effect<Settled> {
  checkEffect("removeReaction", own, { messageId: z.string(), reaction: z.string(), onBehalfOf: z.string() });
  const { messageId, reaction, onBehalfOf } = own;
  return settlingEffect(
    reactions.remove.id,
    (call, limits) => call(reactions.remove, messageId, reaction, { onBehalfOf, ...limits }),
    { meanSo: messageIsGone, isSo: async (call, limits) => !(await hasReacted(call, own, limits)) },
  );
}
